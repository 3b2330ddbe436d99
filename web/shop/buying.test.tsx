/**
 * The demo shop as a newcomer uses it: shelves, the order, the page after it.
 */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { describedBy, draw, field, hasButton, press, settle, shown, type } from "../testing/draw.tsx";
import { brokenLine, held, refuse, replyWith } from "../testing/replies.ts";
import { OrderForm } from "./order-form.tsx";
import { OrderPage } from "./order-page.tsx";
import type { Order } from "./shop-api.ts";
import { StorePage } from "./store-page.tsx";

const fan = { id: "fan", name: "Standing fan", description: "Quiet.", price: 60_000 };
const order: Order = {
  id: "o-1",
  reference: "order-1",
  status: "open",
  amount: 60_000,
  product: fan,
  url: "/checkout/1#t",
  loan: null,
};
let left: ReturnType<typeof vi.spyOn>;
beforeEach(() => {
  left = vi.spyOn(window.location, "assign").mockReturnValue() as never;
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test("a shop that cannot be read says so, and reads again when asked", async () => {
  let broken = true;
  replyWith({ "GET /shop/api/products": () => (broken ? brokenLine() : [fan]) });
  await draw(<StorePage />);
  expect(shown()).toContain("We could not reach the server.");
  broken = false;
  await press("Try again");
  expect(shown()).toContain("Standing fan");
  expect(document.querySelector("[role=alert]")).toBeNull();
});

test("an order is sent with what was typed, once, and leads to the checkout", async () => {
  const { reply, give } = held();
  const asked = replyWith({ "POST /shop/api/orders": () => reply });
  await draw(<OrderForm product={fan} onBack={() => undefined} />);
  await type("Phone number", "0803 999 0000");
  await press("Continue to pay later");
  await press("Opening the checkout");
  await settle(() => give({ url: "/checkout/1#t" }));
  expect(asked).toHaveLength(1);
  expect(asked[0]?.body).toMatchObject({ productId: "fan", customer: { phone: "0803 999 0000" } });
  expect(left).toHaveBeenCalledExactlyOnceWith("/checkout/1#t");
});

test("a refused field has words for people beside it, and the sum of them takes the focus", async () => {
  const errors = [
    { field: "customer.bvn", message: "must match pattern" },
    { field: "customer.email", message: "must match format" },
  ];
  replyWith({ "POST /shop/api/orders": () => refuse(422, "validation_failed", { errors }) });
  await draw(<OrderForm product={fan} onBack={() => undefined} />);
  await press("Continue to pay later");
  expect(describedBy(field("BVN"))).toContain("The BVN has 11 digits.");
  expect(field("E-mail").getAttribute("aria-invalid")).toBe("true");
  expect(document.activeElement?.textContent).toContain("Some things are not right yet");
  expect(hasButton("Continue to pay later")).toBe(true);
});

test("what is no field's fault is said above the form", async () => {
  replyWith({ "POST /shop/api/orders": () => refuse(503, "unavailable", { message: "The sandbox is moving." }) });
  await draw(<OrderForm product={fan} onBack={() => undefined} />);
  await press("Continue to pay later");
  expect(document.querySelector("[role=alert]")?.textContent).toContain("The sandbox is moving.");
});

test("an open order is looked at again until it has ended", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  let status: Order["status"] = "open";
  const asked = replyWith({ "GET /shop/api/orders/o-1": () => ({ ...order, status }) });
  await draw(<OrderPage sessionId="o-1" />);
  status = "cancelled";
  await settle(() => vi.advanceTimersByTime(3_000));
  expect(shown()).toContain("You did not buy anything");
  const reads = asked.length;
  await settle(() => vi.advanceTimersByTime(30_000));
  expect(asked).toHaveLength(reads);
});

test("an id out of the address is one part of the path, whatever stands in it", async () => {
  const asked = replyWith({});
  await draw(<OrderPage sessionId="../../operator?x=1" />);
  expect(asked[0]?.path).toBe("/shop/api/orders/..%2F..%2Foperator%3Fx%3D1");
  expect(shown()).toContain("We do not know this order");
});

test.each([
  ["no id", null, {}, "We do not know this order", false],
  ["a broken line", "o-1", { "GET /shop/api/orders": brokenLine }, "The order could not be read", true],
] as const)("with %s", async (_, id, replies, words, canRetry) => {
  replyWith(replies);
  await draw(<OrderPage sessionId={id} />);
  expect(shown()).toContain(words);
  expect(hasButton("Try again")).toBe(canRetry);
});
