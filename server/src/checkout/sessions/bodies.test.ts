/** Orders as merchants send them, sessions as they read them, and what pages send. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { complaintsOf } from "../../../testing/platform/complaints.ts";
import { kobo } from "../../money/kobo.ts";
import { pageBody, payBody } from "../plans/plan-schemas.ts";
import { type CheckoutSession, sessionLifeMs, sessionStatuses, sessionTransitions } from "./checkout-session.ts";
import { presentItems, presentSession } from "./present-session.ts";
import { createSessionBody, listQuery, sessionData } from "./schemas.ts";

const id = "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11";
const at = new Date("2026-11-01T08:30:00.000Z");
const body = {
  customer_id: id,
  amount: 120_000,
  bank_account_no: "0690000032",
  bank_code: "044",
  order_reference: "order-1042",
  success_url: "https://shop.example.com/thanks",
  cancel_url: "https://shop.example.com/basket",
};
const complaints = complaintsOf(createSessionBody);

describe("the body of an order", () => {
  test("needs a customer, by id or in person, and everything about the money", () => {
    expect(complaints(body)).toEqual({});
    const { customer_id: _, ...nobody } = body;
    const who = "give exactly one of customer_id and customer";
    expect(complaints(nobody)).toEqual({ customer_id: who, customer: who });
    expect(Object.keys(complaints({})).sort()).toEqual([...Object.keys(body), "customer"].sort());
  });

  test("has one customer: with both nobody knows who buys", () => {
    expect(Object.keys(complaints({ ...body, customer: {} }))).toContain("customer_id");
  });

  test.each([
    ["amount", 0],
    ["amount", -1],
    ["amount", 0.001],
    ["amount", 1_000_000_000.01],
    ["amount", "120000"],
    ["bank_account_no", "069000003"],
    ["bank_account_no", "069000003X"],
    ["bank_code", ""],
    ["order_reference", ""],
    ["order_reference", "x".repeat(101)],
    ["success_url", ""],
    ["success_url", "x".repeat(2_049)],
    ["cancel_url", null],
    ["items", {}],
  ])("is not taken with %s %j", (field, value) => {
    expect(Object.keys(complaints({ ...body, [field]: value }))).toEqual([field]);
  });

  const item = { name: "Rechargeable fan", quantity: 2, amount: 120_000 };
  test.each([
    [{ ...item, quantity: 0 }, "items[0].quantity"],
    [{ ...item, quantity: 1.5 }, "items[0].quantity"],
    [{ ...item, quantity: 100_001 }, "items[0].quantity"],
    [{ ...item, name: "  " }, "items[0].name"],
    [{ ...item, name: "x".repeat(121) }, "items[0].name"],
    [{ ...item, amount: -1 }, "items[0].amount"],
    [{ name: "Fan", quantity: 1 }, "items[0].amount"],
    ["Fan", "items[0]"],
  ])("has no line %j", (line, field) => {
    expect(Object.keys(complaints({ ...body, items: [line] }))).toEqual([field]);
  });

  test("has a hundred lines at most, and a line may be free", () => {
    const lines = (length: number) => Array.from({ length }, () => ({ ...item, amount: 0 }));
    expect(complaints({ ...body, items: lines(100) })).toEqual({});
    expect(complaints({ ...body, items: [] })).toEqual({});
    expect(complaints({ ...body, items: lines(101) })).toEqual({ items: "must have at most 100 items" });
  });

  test("takes the names of things in every language", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }), (name) => {
        const found = Object.keys(complaints({ ...body, items: [{ ...item, name }] }));
        expect(found).toEqual(/\S/u.test(name) ? [] : ["items[0].name"]);
      }),
    );
  });
});

const session: CheckoutSession = {
  id,
  customerId: id,
  status: "open",
  loanId: null,
  version: 1,
  orderReference: "order-1042",
  amount: kobo(12_000_050n),
  items: [{ name: "Fan", quantity: 2, amount: kobo(12_000_050n) }],
  bankCode: "044",
  bankAccountNo: "0690000032",
  successUrl: body.success_url,
  cancelUrl: body.cancel_url,
  expiresAt: new Date(at.getTime() + sessionLifeMs),
  createdAt: at,
  updatedAt: at,
};

describe("a session as it is shown", () => {
  const url = "https://api.example.com/checkout/x#sT0k3n";

  test.each(sessionStatuses)("that is %s has an address only while there is something to do", (status) => {
    const shown = presentSession({ ...session, status }, { kind: "SANDBOX", url });
    expect(shown.url).toBe(status === "open" ? url : null);
    expect(complaintsOf(sessionData)(shown)).toEqual({});
  });

  test("in an event has no address, and amounts in naira", () => {
    const shown = presentSession(session, { kind: "LIVE", url: null });
    expect(shown).toMatchObject({ url: null, amount: 120_000.5, environment: "LIVE", loan_id: null });
    expect(shown.items).toEqual([{ name: "Fan", quantity: 2, amount: 120_000.5 }]);
    expect(shown.expires_at).toBe("2026-11-02T08:30:00.000Z");
    expect(shown).not.toHaveProperty("version");
  });

  test("has lines that are the order's own, to the kobo", () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt(0n, 10n ** 11n), { maxLength: 20 }), (amounts) => {
        const items = amounts.map((amount) => ({ name: "Fan", quantity: 1, amount: kobo(amount) }));
        expect(presentItems(items).map(({ amount }) => Math.round(amount * 100))).toEqual(amounts.map(Number));
      }),
    );
  });

  test("goes on from open only, and comes back from no end", () => {
    const ends = Object.entries(sessionTransitions).filter(([, next]) => next.length === 0);
    expect(ends.map(([status]) => status).sort()).toEqual(["cancelled", "completed", "expired"]);
    expect([...sessionTransitions.open].sort()).toEqual(["cancelled", "completed", "expired"]);
  });
});

describe("what pages and lists send", () => {
  const press = { amount: 10_000, owed: 20_000, press: id };
  const pay = complaintsOf(payBody);

  test("to pay early is an amount, the balance that was seen, and one press", () => {
    expect(pay(press)).toEqual({});
    expect(pay({})).toEqual({ amount: "is required", owed: "is required", press: "is required" });
    expect(pay({ ...press, owed: 0 })).toEqual({});
  });

  test.each([{ amount: 0 }, { amount: 0.005 }, { amount: 1e10 }, { owed: -1 }, { press: "twice" }, { press: "" }])(
    "to pay early is not %j",
    (change) => {
      expect(Object.keys(pay({ ...press, ...change }))).toEqual(Object.keys(change));
    },
  );

  test("to replace the address of a plan is said plainly, or not at all", () => {
    const page = complaintsOf(pageBody);
    for (const one of [{}, { renew: true }, { renew: false }]) expect(page(one)).toEqual({});
    for (const renew of ["true", 1, null]) expect(page({ renew })).toEqual({ renew: "must be a boolean" });
  });

  test.each([{ status: "paid" }, { customer_id: "c-1" }, { limit: "0" }, { to: "2026-11-31" }])(
    "to list sessions is not %j",
    (query) => {
      expect(Object.keys(complaintsOf(listQuery, "query")(query))).toEqual(Object.keys(query));
    },
  );
});
