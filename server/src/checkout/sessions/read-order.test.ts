import { describe, expect, test } from "vitest";
import { Problem } from "../../platform/problem.ts";
import { checkoutLoanProblem } from "../loans/errors.ts";
import { withoutReasons } from "./judge-order.ts";
import { orderRules, readOrder } from "./routes.ts";

const body = {
  customer_id: "01998a4e-0000-7000-8000-000000000001",
  amount: 60_000.5,
  order_reference: "order-1",
  bank_code: "000013",
  bank_account_no: "0123456789",
  success_url: "https://shop.example.com/thanks?order=1",
  cancel_url: "https://shop.example.com/basket",
};
const read = (changes: object = {}) => readOrder({ ...body, ...changes }, "LIVE");

describe("what a merchant orders", () => {
  test("is read in kobo, with the bank by its own code", () => {
    expect(read()).toEqual({
      buyer: { id: body.customer_id },
      order: {
        orderReference: "order-1",
        amount: 6_000_050n,
        items: [],
        bankCode: "058",
        bankAccountNo: "0123456789",
        successUrl: body.success_url,
        cancelUrl: body.cancel_url,
      },
    });
  });

  test("keeps a bank's code that nobody has, which is refused when the bank is to be asked", () => {
    expect(read({ bank_code: "nobody" }).order.bankCode).toBe("nobody");
  });

  test("may bring the customer along, with the phone as the world writes it", () => {
    const { customer_id: _, ...rest } = body;
    const customer = {
      first_name: " Ada ",
      last_name: "Obi",
      email: "ada@example.com",
      phone: "0803 123 4567",
      bvn: "22123456789",
    };
    expect(readOrder({ ...rest, customer }, "LIVE").buyer).toMatchObject({
      person: { firstName: "Ada", phone: "+2348031234567", bvn: "22123456789" },
    });
  });

  test("has items that add up to the amount, to the kobo", () => {
    const items = [
      { name: "Fan", quantity: 2, amount: 60_000 },
      { name: "Plug", quantity: 1, amount: 0.5 },
    ];
    expect(read({ items }).order.items).toEqual([
      { name: "Fan", quantity: 2, amount: 6_000_000n },
      { name: "Plug", quantity: 1, amount: 50n },
    ]);
  });

  test.each([
    ["a kobo less", [{ name: "Fan", quantity: 1, amount: 60_000.49 }], "add up to 60000.49"],
    ["a kobo more", [{ name: "Fan", quantity: 1, amount: 60_000.51 }], "add up to 60000.51"],
    // The amount of a line is of all its pieces together: it is not multiplied.
    ["prices of one piece", [{ name: "Fan", quantity: 2, amount: 30_000.25 }], "add up to 30000.25"],
  ])("is refused with %s in its items", (_, items, words) => {
    expect(() => read({ items })).toThrow(
      expect.objectContaining({
        code: "validation_failed",
        errors: [{ field: "items", message: expect.stringContaining(words) }],
      }),
    );
  });

  test("sums items exactly where floating point would not", () => {
    const items = [0.1, 0.2].map((amount) => ({ name: "Sweet", quantity: 1, amount }));
    expect(read({ amount: 0.3, items }).order.amount).toBe(30n);
  });
});

describe("an address to which no browser may be sent", () => {
  test.each([
    "http://shop.example.com/thanks",
    "javascript:alert(1)",
    "data:text/html,<script>",
    "//shop.example.com",
    "/thanks",
    "https://user:secret@shop.example.com",
    "https://shop.example.com\\@thief.example",
    "https://shop.example.com/a b",
    "https://shop.example.com/\n",
    "",
  ])("such as %j is refused, and both are told at once", (url) => {
    expect(() => read({ success_url: url, cancel_url: url })).toThrow(
      expect.objectContaining({
        errors: [expect.objectContaining({ field: "success_url" }), expect.objectContaining({ field: "cancel_url" })],
      }),
    );
  });

  test("may be this machine in a sandbox, and only there", () => {
    const here = { ...body, success_url: "http://localhost:3000/thanks" };
    expect(readOrder(here, "SANDBOX").order.successUrl).toBe("http://localhost:3000/thanks");
    expect(() => readOrder(here, "LIVE")).toThrow(expect.objectContaining({ code: "validation_failed" }));
  });

  test("is told together with what the schema has found, and a bank that nobody knows too", () => {
    const fields = { success_url: "http://x", cancel_url: 7, bank_code: "nobody" };
    expect(orderRules(fields, "LIVE").map(({ field }) => field)).toEqual(["success_url", "bank_code"]);
    expect(orderRules({}, "LIVE")).toEqual([]);
  });
});

describe("what a page is told when a loan is refused", () => {
  const refused = (error: unknown) => withoutReasons(() => Promise.reject(error)).catch((thrown: unknown) => thrown);

  test.each([
    checkoutLoanProblem("not_eligible", { data: { reasons: [{ code: "overdue_loan", message: "m" }] } }),
    new Problem("amount_out_of_band", { status: 422, cause: "m" }, { data: { max_amount: 140_000 } }),
  ])("is nothing about what the person owes or may borrow: $code", async (error) => {
    const told = await refused(error);
    expect(told).toMatchObject({ code: "not_eligible", data: { reasons: [{ code: "not_eligible" }] } });
    expect(JSON.stringify(told)).not.toMatch(/overdue|140000/);
  });

  test("is anything else as it is", async () => {
    const other = checkoutLoanProblem("tenor_not_supported", { data: { tenors: [1] } });
    expect(await refused(other)).toBe(other);
    const bug = new TypeError("x");
    expect(await refused(bug)).toBe(bug);
    expect(await withoutReasons(async () => "done")).toBe("done");
  });
});
