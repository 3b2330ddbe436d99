/** What a payout's body may hold and what it may not, before any rule of payouts is asked. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { complaintsOf } from "../../testing/platform/complaints.ts";
import { kobo } from "../money/kobo.ts";
import { batchParams, createBatchBody } from "./batches/batch-schemas.ts";
import { batchRequestOf } from "./batches/create-batch.ts";
import { enquiryQuery, feeQuery } from "./discovery/discovery-routes.ts";
import { payoutRequestOf } from "./payouts/create-transfer.ts";
import { readQuestion } from "./payouts/payout-routes.ts";
import { createTransferBody, listQuery, verifyQuery } from "./payouts/schemas.ts";

const body = {
  accountNumber: "0690000032",
  bankCode: "044",
  amount: 2_500.5,
  currency: "NGN",
  reference: "payout-1042",
} as const;
const complaints = complaintsOf(createTransferBody);

describe("the body of a payout", () => {
  test("needs a number, a bank, an amount, a currency and one of two references", () => {
    expect(complaints(body)).toEqual({});
    expect(complaints({})).toEqual({
      accountNumber: "is required",
      bankCode: "is required",
      amount: "is required",
      currency: "is required",
      reference: "or externalReference is required",
    });
    const { reference, ...without } = body;
    expect(complaints({ ...without, externalReference: reference })).toEqual({});
  });

  test.each([
    "069000003",
    "06900000320",
    "069000003a",
    " 690000032",
    "0690000032\n",
    "０６９０００００３２",
    "٠٦٩٠٠٠٠٠٣٢",
    "",
    690_000_032,
    null,
  ])("is not taken with the account number %j", (accountNumber) => {
    expect(Object.keys(complaints({ ...body, accountNumber }))).toEqual(["accountNumber"]);
  });

  test.each([
    [0, "must be more than 0"],
    [-1, "must be more than 0"],
    [0.001, "must be an amount in naira with at most two decimals"],
    [1e21, "must be an amount in naira with at most two decimals"],
    ["2500", "must be a number"],
    [null, "must be a number"],
  ])("with the amount %j is told that it %s", (amount, message) => {
    expect(complaints({ ...body, amount })).toEqual({ amount: message });
  });

  test.each(["ngn", "USD", "", "₦"])("is in naira, not in %j", (currency) => {
    expect(complaints({ ...body, currency })).toEqual({ currency: "must be one of NGN" });
  });

  test.each([
    ["reference", 1, 100],
    ["externalReference", 1, 100],
    ["narration", 0, 100],
    ["accountName", 1, 200],
    ["nameEnquiryReference", 1, 2_000],
    ["bankCode", 1, 20],
  ])("has a %s of %i to %i characters", (field, least, most) => {
    expect(complaints({ ...body, [field]: "x".repeat(least) })).toEqual({});
    expect(complaints({ ...body, [field]: "x".repeat(most) })).toEqual({});
    expect(complaints({ ...body, [field]: "x".repeat(most + 1) })).toEqual({
      [field]: `must have at most ${most} characters`,
    });
    if (least > 0) expect(complaints({ ...body, [field]: "" })).toHaveProperty(field);
  });

  test("counts characters as people do: a hundred faces are a narration, a hundred and one are not", () => {
    expect(complaints({ ...body, narration: "🙂".repeat(100) })).toEqual({});
    expect(complaints({ ...body, narration: "🙂".repeat(101) })).toHaveProperty("narration");
  });
});

describe("the metadata of a payout", () => {
  const withKeys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, key) => [`k${key}`, 1]));

  test.each([[{}], [{ a: "x", b: 1, c: true, d: null }], [withKeys(20)], [{ a: "x".repeat(500) }]])(
    "may be %j",
    (metadata) => {
      expect(complaints({ ...body, metadata })).toEqual({});
    },
  );

  test.each([
    ["nested", { a: { b: 1 } }, "metadata.a"],
    ["a list inside", { a: [1] }, "metadata.a"],
    ["a long text", { a: "x".repeat(501) }, "metadata.a"],
    ["too many keys", withKeys(21), "metadata"],
    ["a list", [1], "metadata"],
    ["a text", "a=b", "metadata"],
    ["null", null, "metadata"],
  ])("is flat and small: %s is refused", (_, metadata, field) => {
    expect(Object.keys(complaints({ ...body, metadata }))).toEqual([field]);
  });

  test.each(["", "x".repeat(101)])("has no key %j", (key) => {
    expect(Object.keys(complaints({ ...body, metadata: { [key]: 1 } })).length).toBeGreaterThan(0);
  });
});

describe("what a body asks for", () => {
  test("has null for everything that was not said", () => {
    expect(payoutRequestOf(body)).toEqual({
      reference: "payout-1042",
      externalReference: null,
      sourceAccountId: null,
      accountNumber: "0690000032",
      bankCode: "044",
      amount: kobo(250_050n),
      narration: null,
      metadata: null,
      accountName: null,
      nameEnquiryReference: null,
    });
  });

  test("has the second reference in place of the first, and keeps both where both are given", () => {
    const { reference: _, ...without } = body;
    expect(payoutRequestOf({ ...without, externalReference: "e-1" })).toMatchObject({
      reference: "e-1",
      externalReference: "e-1",
    });
    expect(payoutRequestOf({ ...body, externalReference: "e-1" })).toMatchObject({
      reference: "payout-1042",
      externalReference: "e-1",
    });
    expect(() => payoutRequestOf(without)).toThrow("without a reference");
  });

  test("keeps every kobo of every amount that the schema lets through", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000_000 }), (amount) => {
        const asked = { ...body, amount: amount / 100 };
        expect(complaints(asked)).toEqual({});
        expect(payoutRequestOf(asked).amount).toBe(BigInt(amount));
      }),
    );
  });

  test("of a batch is refused as a whole unless the caller says otherwise", () => {
    const batch = { batchReference: "b-1", currency: "NGN" as const, transfers: [{}] };
    expect(batchRequestOf(batch, null)).toEqual({
      batchReference: "b-1",
      leftOut: [],
      narration: null,
      onInvalid: "refuse",
      sourceAccountId: null,
      transfers: [{}],
    });
    expect(batchRequestOf({ ...batch, onInvalid: "continue", narration: "Pay" }, "w-1")).toMatchObject({
      onInvalid: "continue",
      narration: "Pay",
      sourceAccountId: "w-1",
    });
  });
});

describe("the body of a batch", () => {
  const judge = complaintsOf(createBatchBody);
  const batch = { batchReference: "b-1", currency: "NGN", transfers: [{ reference: "r-1" }] };

  test("has one to five thousand items, of any shape: each is judged by itself", () => {
    const some = (length: number) => ({ ...batch, transfers: Array.from({ length }, () => ({})) });
    expect(judge(batch)).toEqual({});
    expect(judge(some(5_000))).toEqual({});
    expect(judge(some(0))).toEqual({ transfers: "must have at least 1 item" });
    expect(judge(some(5_001))).toEqual({ transfers: "must have at most 5000 items" });
  });

  test.each([["item"], [5], [null], [["a"]]])("has no item %j, which is not a record", (item) => {
    expect(Object.keys(judge({ ...batch, transfers: [item] }))).toEqual(["transfers[0]"]);
  });

  test.each([
    [{ onInvalid: "skip" }, "onInvalid", "must be one of refuse, continue"],
    [{ batchReference: "" }, "batchReference", "must have at least 1 character"],
    [{ currency: "EUR" }, "currency", "must be one of NGN"],
    [{ narration: "x".repeat(101) }, "narration", "must have at most 100 characters"],
  ])("with %j is refused", (change, field, message) => {
    expect(judge({ ...batch, ...change })).toEqual({ [field]: message });
  });

  test("is read by the id that it was given", () => {
    expect(complaintsOf(batchParams)({ batchId: "b-1" })).toEqual({ batchId: "must be a UUID" });
  });
});

describe("questions about payouts", () => {
  const list = complaintsOf(listQuery, "query");

  test.each(["pending", "completed,failed", "pending,processing,completed,failed,reversed"])(
    "take the states %s",
    (status) => {
      expect(list({ status })).toEqual({});
    },
  );

  test.each(["", "done", "pending,", ",pending", "pending, failed", "PENDING", "pending|failed"])(
    "do not take the states %j",
    (status) => {
      expect(Object.keys(list({ status }))).toEqual(["status"]);
    },
  );

  test.each([{ minAmount: "1e3" }, { minAmount: "-1" }, { maxAmount: "0.001" }, { limit: "101" }, { page: "0" }])(
    "do not take %j",
    (query) => {
      expect(Object.keys(list(query))).toEqual(Object.keys(query));
    },
  );

  test("name a bank by either of its codes, and mean the same one", () => {
    expect(readQuestion({ bankCode: "044" }, "SANDBOX").bankCode).toBe("044");
    expect(readQuestion({ bankCode: "000014" }, "SANDBOX").bankCode).toBe("044");
    expect(() => readQuestion({ bankCode: "nobody" }, "SANDBOX")).toThrow(
      expect.objectContaining({ code: "unknown_bank" }),
    );
  });

  test("are about everything where nothing is said, and split several states", () => {
    const nothing = { reference: null, statuses: null, bankCode: null, minAmount: null, maxAmount: null };
    expect(readQuestion({}, "LIVE")).toEqual({ ...nothing, from: null, to: null });
    expect(readQuestion({ status: "completed,failed" }, "LIVE").statuses).toEqual(["completed", "failed"]);
  });

  test("have bounds that do not contradict each other; equal ones are a question for one amount", () => {
    expect(readQuestion({ minAmount: 10.01, maxAmount: 10.01 }, "LIVE")).toMatchObject({
      minAmount: kobo(1_001n),
      maxAmount: kobo(1_001n),
    });
    expect(() => readQuestion({ minAmount: 10.01, maxAmount: 10 }, "LIVE")).toThrow(
      expect.objectContaining({ errors: [{ field: "maxAmount", message: "must not be less than minAmount" }] }),
    );
  });

  test("for a name, a fee or one payout need what they are about", () => {
    expect(complaintsOf(enquiryQuery, "query")({})).toEqual({
      bankCode: "is required",
      accountNumber: "is required",
    });
    expect(complaintsOf(feeQuery, "query")({ amount: "2500.50" })).toEqual({});
    expect(complaintsOf(feeQuery, "query")({ amount: "0" })).toEqual({ amount: "must be more than 0" });
    expect(complaintsOf(verifyQuery, "query")({})).toEqual({ reference: "is required" });
  });
});
