import { expect, test } from "vitest";
import { shownText } from "../shared/shown-text.ts";
import { OrderState } from "./order-state.tsx";
import type { Order } from "./shop-api.ts";

const order: Order = {
  id: "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11",
  reference: "order-7",
  status: "completed",
  amount: 60_000,
  product: { id: "fan", name: "Standing fan", description: "Quiet.", price: 60_000 },
  url: "https://jara.example/checkout#t",
  loan: {
    id: "l",
    status: "active",
    tenor: 3,
    installmentAmount: 21_500,
    totalRepayment: 64_500,
    nextDueDate: "2026-12-05",
  },
};
const drawn = (change: Partial<Order>) => shownText(<OrderState order={{ ...order, ...change }} />);

test.each<readonly [Order["status"], readonly string[]]>([
  ["completed", ["Thank you for your order", "3 monthly payments of ₦21,500", "Next payment", "Buy something else"]],
  ["open", ["Your checkout is still open", "Go on with the checkout"]],
  ["cancelled", ["You did not buy anything", "nothing was charged", "Back to the shop"]],
  ["expired", ["The checkout has expired", "Back to the shop"]],
])("an order that is %s", (status, words) => {
  for (const word of words) expect(drawn({ status })).toContain(word);
});

test("says nothing of payments before there is a loan", () => {
  expect(drawn({ status: "open" })).not.toContain("monthly payments");
  expect(drawn({ loan: null })).not.toContain("monthly payments");
});

test("names a loan of one month and a product that is gone", () => {
  const loan = order.loan && { ...order.loan, tenor: 1, nextDueDate: null };
  const text = drawn({ loan, product: null });
  expect(text).toContain("In 1 month ₦21,500");
  expect(text).toContain("Not known");
  expect(text).not.toContain("Next payment");
});
