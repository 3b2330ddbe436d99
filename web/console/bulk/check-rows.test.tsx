import { expect, test } from "vitest";
import { button, press, settle, shown } from "../../testing/draw.tsx";
import { type Asked, held, refuse, replyWith } from "../../testing/replies.ts";
import { door, drawInConsole } from "../testing/in-console.tsx";
import { CheckRows } from "./check-rows.tsx";
import type { PayoutRow } from "./payout-file.ts";

const row = (line: number, more: Partial<PayoutRow> = {}): PayoutRow => ({
  line,
  accountNumber: `000000000${line}`,
  bankCode: "058",
  amount: 0.1,
  reference: `may-${line}`,
  narration: "",
  mistakes: [],
  ...more,
});
const nameOf = ({ path }: Asked) => ({
  accountName: `HOLDER ${new URLSearchParams(path.split("?")[1]).get("accountNumber")}`,
});
const calm = {
  [`GET ${door}/transfers/name-enquiry`]: nameOf as (asked: Asked) => unknown,
  [`GET ${door}/wallets/balance`]: () => ({ available: 1_000 }),
};
const payButton = (text: string) => button(text) as HTMLButtonElement;

test("each good row is paid with the name that its bank said, and what is wrong is left out", async () => {
  const asked = replyWith({ ...calm, [`POST ${door}/transfers/bulk`]: () => ({ batchId: "b-1" }) });
  const rows = [
    row(2, { narration: "Rent" }),
    row(3, { mistakes: ["The amount is no naira."], amount: Number.NaN }),
    row(4),
  ];
  const place = await drawInConsole(<CheckRows rows={rows} batch="may-1234" onBack={() => undefined} />);
  await expect.poll(shown).toContain("Everything was checked");
  expect(shown()).toContain("The amount is no naira.");
  // Two times ten kobo are twenty, and not 0.2 and a bit.
  await press("Pay ₦0.20 to 2 of 3");
  await expect.poll(place).toBe("/env-1/bulk/b-1");
  const order = asked.find(({ method }) => method === "POST");
  expect(order?.headers["idempotency-key"]).toBe("may-1234");
  expect(order?.body).toEqual({
    batchReference: "may-1234",
    currency: "NGN",
    transfers: [
      {
        accountNumber: "0000000002",
        bankCode: "058",
        amount: 0.1,
        reference: "may-2",
        narration: "Rent",
        accountName: "HOLDER 0000000002",
      },
      {
        accountNumber: "0000000004",
        bankCode: "058",
        amount: 0.1,
        reference: "may-4",
        accountName: "HOLDER 0000000004",
      },
    ],
  });
});

test("nothing can be paid before every bank was asked", async () => {
  const slow = held();
  replyWith({
    ...calm,
    [`GET ${door}/transfers/name-enquiry`]: (asked) => (asked.path.includes("0000000003") ? slow.reply : nameOf(asked)),
  });
  await drawInConsole(<CheckRows rows={[row(2), row(3)]} batch="b" onBack={() => undefined} />);
  expect(shown()).toContain("Asking the banks: 1 of 2");
  expect(payButton("Pay ₦0.10 to 1 of 2").disabled).toBe(true);
  await settle(() => slow.give({ accountName: "LATE" }));
  await expect.poll(() => payButton("Pay ₦0.20 to 2 of 2").disabled).toBe(false);
});

test("an account that its bank does not know is not paid, and says so in its row", async () => {
  const refused = () => refuse(422, "account_not_found", { message: "The bank knows no such account." });
  replyWith({ ...calm, [`GET ${door}/transfers/name-enquiry`]: refused });
  await drawInConsole(<CheckRows rows={[row(2)]} batch="b" onBack={() => undefined} />);
  await expect.poll(shown).toContain("The bank knows no such account.");
  expect(payButton("Pay ₦0.00 to 0 of 1").disabled).toBe(true);
});

test("each bank is asked once for each row, and never for a row with a mistake", async () => {
  const asked = replyWith(calm);
  await drawInConsole(<CheckRows rows={[row(2), row(3, { mistakes: ["No."] })]} batch="b" onBack={() => undefined} />);
  await expect.poll(shown).toContain("Everything was checked");
  expect(asked.filter(({ path }) => path.includes("name-enquiry"))).toHaveLength(1);
});
