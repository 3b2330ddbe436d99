/** The demo shop: from the shelf to the form and back, and what a developer can try. */
import { afterEach, expect, test, vi } from "vitest";
import { ApiProblem } from "../shared/call-api.ts";
import { describedBy, draw, field, hasButton, press, shown, type } from "../testing/draw.tsx";
import { brokenLine, refuse, replyWith } from "../testing/replies.ts";
import { OrderForm } from "./order-form.tsx";
import { OrderPage } from "./order-page.tsx";
import { complaintsOf } from "./refused-order.ts";
import { firstShopper, newShopper, refusedShopper } from "./shoppers.ts";
import { StorePage } from "./store-page.tsx";

afterEach(() => vi.restoreAllMocks());

const fan = { id: "fan", name: "Standing <b>fan</b>", description: "Quiet.", price: 60_000.5 };

test("a product is bought from its shelf, by a button that names it", async () => {
  replyWith({ "GET /shop/api/products": () => [fan, { ...fan, id: "tv", name: "Television" }] });
  await draw(<StorePage />);
  expect(shown()).toContain("₦60,000.50");
  expect(document.querySelector("b")).toBeNull();
  await press("Buy now, pay later : Television");
  expect(document.querySelector("h1")?.textContent).toBe("Television");
  await press("← All products");
  expect(hasButton("Buy now, pay later : Television")).toBe(true);
});

test("the form is filled in with the same customer each time, who can so come back", async () => {
  await draw(<OrderForm product={fan} onBack={() => undefined} />);
  expect(field("First name").value).toBe(firstShopper.firstName);
  expect(field("BVN").value).toBe(firstShopper.bvn);
});

test.each([
  ["Fill in a new customer", /^\d{11}$/],
  ["Fill in one who is refused (BVN ending 0000)", /^\d{7}0000$/],
])("%s fills in another one", async (name, bvn) => {
  await draw(<OrderForm product={fan} onBack={() => undefined} />);
  await press(name);
  expect(field("BVN").value).toMatch(bvn);
  expect(field("BVN").value).not.toBe(firstShopper.bvn);
});

test.each([0, 0.5, 0.999_999])("with the luck of %d a new customer is whole", (luck) => {
  const shopper = newShopper(() => luck);
  expect(shopper.phone).toMatch(/^0803\d{7}$/);
  expect(shopper.bvn).toMatch(/^\d{11}$/);
  expect(shopper.email).toMatch(/^[a-z.]+@example\.com$/);
  expect(refusedShopper(() => luck).bvn).toMatch(/0000$/);
});

test("what somebody typed stays when the order is refused", async () => {
  replyWith({ "POST /shop/api/orders": () => refuse(422, "not_eligible", { message: "Not now." }) });
  await draw(<OrderForm product={fan} onBack={() => undefined} />);
  await type("Last name", "Nwosu");
  await press("Continue to pay later");
  expect(shown()).toContain("The checkout could not be opened");
  expect(shown()).toContain("Not now.");
  expect(field("Last name").value).toBe("Nwosu");
  expect(hasButton("Continue to pay later")).toBe(true);
});

test("a broken line can be tried again with the same button", async () => {
  let broken = true;
  const left = vi.spyOn(window.location, "assign").mockReturnValue();
  replyWith({ "POST /shop/api/orders": () => (broken ? brokenLine() : { url: "/checkout/1#t" }) });
  await draw(<OrderForm product={fan} onBack={() => undefined} />);
  await press("Continue to pay later");
  broken = false;
  await press("Continue to pay later");
  expect(left).toHaveBeenCalledExactlyOnceWith("/checkout/1#t");
});

test("a complaint stands beside its field until the next try", async () => {
  const errors = [{ field: "customer.phone", message: "must match pattern" }];
  replyWith({ "POST /shop/api/orders": () => refuse(422, "validation_failed", { errors }) });
  await draw(<OrderForm product={fan} onBack={() => undefined} />);
  await type("Phone number", "1");
  await press("Continue to pay later");
  expect(describedBy(field("Phone number"))).toContain("Type a Nigerian phone number");
  expect(shown()).toContain("One thing is not right yet");
});

test.each([
  [["customer.bvn"], ["bvn"]],
  [
    ["bvn", "customer.email"],
    ["bvn", "email"],
  ],
  [["customer.hasOwnProperty", "customer.constructor", "amount"], []],
])("of the fields %j the form knows %j", (fields, known) => {
  const errors = fields.map((field) => ({ field, message: "" }));
  const problem = new ApiProblem({ status: 422, code: "c", message: "", errors, data: {}, waitSeconds: null });
  expect(Object.keys(complaintsOf(problem))).toEqual(known);
});

test("an order without an id, or of another browser, is not known", async () => {
  await draw(<OrderPage sessionId={null} />);
  expect(shown()).toContain("We do not know this order");
  replyWith({ "GET /shop/api/orders": () => refuse(404, "not_found") });
  await draw(<OrderPage sessionId="o-1" />);
  expect(shown()).toContain("or the sandbox was reset since");
});
