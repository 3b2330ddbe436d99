import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Problem } from "../../platform/problem.ts";
import { itemsInOrder, nobodyNamed } from "./batch.ts";
import { judgeItems, refuseBatch, rejectedItem } from "./batch-items.ts";

const good = { accountNumber: "0123456789", bankCode: "058", amount: 2_500.5, reference: "p-1" };
const judge = (...items: readonly unknown[]) =>
  judgeItems(items, { kind: "SANDBOX", nubanCheck: "warn", narration: null });
const without = (name: keyof typeof good) =>
  Object.fromEntries(Object.entries(good).filter(([field]) => field !== name));

describe("an item that can be paid", () => {
  test("is read in kobo, under the bank's own code", () => {
    expect(judge(good).payable).toEqual([
      {
        index: 0,
        reference: "p-1",
        accountNumber: "0123456789",
        bankCode: "058",
        amount: 250_050n,
        narration: null,
        expectedName: null,
      },
    ]);
    expect(judge({ ...good, bankCode: "000013" }).payable[0]?.bankCode).toBe("058");
  });

  test("keeps what the recipient and the name check need", () => {
    const [item] = judge({ ...good, narration: "October", accountName: "Adaeze Okafor" }).payable;
    expect(item).toMatchObject({ narration: "October", expectedName: "Adaeze Okafor" });
  });

  test("stays payable beside others that are not", () => {
    const { payable, unpayable } = judge({}, good, null, { ...good, reference: "p-2" });
    expect(payable.map(({ index }) => index)).toEqual([1, 3]);
    expect(unpayable.map(({ index }) => index)).toEqual([0, 2]);
  });
});

describe("an item that cannot be paid", () => {
  test.each<[string, unknown, string, string[]]>([
    ["is nothing", null, "validation_failed", []],
    ["is a text", "pay me", "validation_failed", []],
    ["is a list", [good], "validation_failed", []],
    ["has no account", without("accountNumber"), "validation_failed", ["accountNumber"]],
    ["has a short account", { ...good, accountNumber: "123456789" }, "validation_failed", ["accountNumber"]],
    ["has an account in letters", { ...good, accountNumber: "012345678O" }, "validation_failed", ["accountNumber"]],
    ["has an account as a number", { ...good, accountNumber: 1_234_567_890 }, "validation_failed", ["accountNumber"]],
    ["has no amount", without("amount"), "validation_failed", ["amount"]],
    ["has an amount in words", { ...good, amount: "2500" }, "validation_failed", ["amount"]],
    ["has half a kobo", { ...good, amount: 2_500.005 }, "validation_failed", ["amount"]],
    ["pays nothing", { ...good, amount: 0 }, "validation_failed", ["amount"]],
    ["takes money", { ...good, amount: -500 }, "validation_failed", ["amount"]],
    ["is beyond all numbers", { ...good, amount: 1e30 }, "validation_failed", ["amount"]],
    ["has no reference", without("reference"), "validation_failed", ["reference"]],
    ["has an empty reference", { ...good, reference: "" }, "validation_failed", ["reference"]],
    ["has too long a reference", { ...good, reference: "x".repeat(101) }, "validation_failed", ["reference"]],
    ["has too long a narration", { ...good, narration: "x".repeat(101) }, "validation_failed", ["narration"]],
    ["is below the smallest payout", { ...good, amount: 99.99 }, "amount_below_minimum", ["amount"]],
    ["is above the largest payout", { ...good, amount: 10_000_000.01 }, "amount_above_maximum", ["amount"]],
    ["goes to a bank that nobody knows", { ...good, bankCode: "000" }, "unknown_bank", ["bankCode"]],
  ])("because it %s", (_, item, code, fields) => {
    const { payable, unpayable } = judge(item);
    expect(payable).toEqual([]);
    expect(unpayable[0]?.problem.code).toBe(code);
    const told = unpayable[0]?.problem.errors.map(({ field }) => field) ?? [];
    for (const field of fields) expect(told).toContain(field);
  });

  test("tells every bad field at once, also what has the right form only", () => {
    const [item] = judge({ ...good, accountNumber: "1", amount: 5, bankCode: "000" }).unpayable;
    expect(item?.problem.errors.map(({ field }) => field).sort()).toEqual(["accountNumber", "amount", "bankCode"]);
  });

  test("is told in a sentence that names its fields", () => {
    const [item] = judge({ ...good, amount: 99, bankCode: "000" }).unpayable;
    if (item === undefined) throw new Error("the item was payable");
    expect(rejectedItem(item)).toEqual({
      index: 0,
      reference: "p-1",
      code: "amount_below_minimum",
      message: "amount must be at least 100.00; bankCode is not a bank's code; GET /transfers/banks lists them all",
    });
  });

  test("is known by its reference, as far as it has one", () => {
    const references = judge({ reference: "a" }, { reference: 7 }, {}, null, { reference: "x".repeat(500) }).unpayable;
    expect(references.map(({ reference }) => reference)).toEqual(["a", "", "", "", "x".repeat(100)]);
  });
});

describe("a reference that comes twice", () => {
  test("is paid once, and the second is told where the first is", () => {
    const { payable, unpayable } = judge(good, { ...good, reference: "p-2" }, { ...good, amount: 700 });
    expect(payable.map(({ index }) => index)).toEqual([0, 1]);
    expect(unpayable).toMatchObject([{ index: 2, problem: { code: "duplicate_reference", data: { firstIndex: 0 } } }]);
  });

  test("is still free after an item that could not be paid", () => {
    const { payable } = judge({ ...good, amount: 1 }, good);
    expect(payable.map(({ index }) => index)).toEqual([1]);
  });

  test("is another one in other letters", () => {
    expect(judge(good, { ...good, reference: "P-1" }, { ...good, reference: "p-1 " }).payable).toHaveLength(3);
  });
});

test("a wrong check digit is refused only where the operator wants that", () => {
  const wrong = { ...good, accountNumber: "0123456780" };
  expect(judgeItems([wrong], { kind: "LIVE", nubanCheck: "warn", narration: null }).payable).toHaveLength(1);
  const [item] = judgeItems([wrong], { kind: "LIVE", nubanCheck: "refuse", narration: null }).unpayable;
  expect(item?.problem.code).toBe("account_number_invalid");
});

test("the banks of sandboxes are not paid for real", () => {
  const nowhere = { ...good, bankCode: "999" };
  expect(judgeItems([nowhere], { kind: "SANDBOX", nubanCheck: "warn", narration: null }).payable).toHaveLength(1);
  expect(judgeItems([nowhere], { kind: "LIVE", nubanCheck: "warn", narration: null }).unpayable[0]?.problem.code).toBe(
    "unknown_bank",
  );
});

describe("the refusal of a whole batch", () => {
  test("names each bad field by its item's place", () => {
    const { unpayable } = judge({ ...good, amount: 99 }, { ...good, bankCode: "000" });
    const refusal = refuseBatch(unpayable);
    expect(refusal).toBeInstanceOf(Problem);
    expect(refusal).toMatchObject({
      code: "batch_refused",
      data: { rejectedCount: 2 },
      errors: [{ field: "transfers[0].amount" }, { field: "transfers[1].bankCode" }],
    });
  });

  test("is a wrong form as soon as one item has one", () => {
    expect(refuseBatch(judge({ ...good, amount: 99 }, {}).unpayable).code).toBe("validation_failed");
  });

  test("names the field of a rule that has none of its own", () => {
    const digits = judgeItems([{ ...good, accountNumber: "0123456780" }], {
      kind: "LIVE",
      nubanCheck: "refuse",
      narration: null,
    });
    expect(refuseBatch(digits.unpayable).errors[0]?.field).toBe("transfers[0].accountNumber");
    expect(refuseBatch(judge(good, good).unpayable).errors[0]?.field).toBe("transfers[1].reference");
  });

  test("stays short, however many items are bad, and counts them all", () => {
    const refusal = refuseBatch(judge(...Array.from({ length: 300 }, () => ({}))).unpayable);
    expect(refusal.errors).toHaveLength(100);
    expect(refusal.data).toMatchObject({ rejectedCount: 300 });
    expect(refusal.data).toHaveProperty("rejected.length", 100);
  });
});

describe("the items of a batch as they are shown", () => {
  const unharmed = { code: null, message: null };

  test("stand in the order of the request, whatever was rejected", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 30 }), (isPaid) => {
        const entries = isPaid.map((paid, index) => ({ paid, index, reference: `r-${index}` }));
        const accepted = entries
          .filter(({ paid }) => paid)
          .map(({ reference }) => ({ ...nobodyNamed, reference, id: "t", status: "pending" as const, ...unharmed }));
        const rejected = entries
          .filter(({ paid }) => !paid)
          .map(({ index, reference }) => ({ index, reference, code: "unknown_bank", message: "m" }))
          .toReversed();
        const shown = itemsInOrder(rejected, accepted);
        expect(shown.map(({ reference }) => reference)).toEqual(entries.map(({ reference }) => reference));
        expect(shown.map(({ status }) => status !== "rejected")).toEqual(isPaid);
      }),
    );
  });
});

test("whatever a request holds, each item is judged once and no other error escapes", () => {
  const likely = fc.record(
    {
      accountNumber: fc.oneof(fc.constant("0123456789"), fc.jsonValue()),
      bankCode: fc.oneof(fc.constant("058"), fc.jsonValue()),
      amount: fc.oneof(fc.double(), fc.constant(500), fc.jsonValue()),
      reference: fc.oneof(fc.string(), fc.constant("same"), fc.jsonValue()),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(likely, fc.jsonValue()), { maxLength: 10 }), (items) => {
      const { payable, unpayable } = judge(...items);
      const places = [...payable, ...unpayable].map(({ index }) => index).sort((one, other) => one - other);
      expect(places).toEqual(items.map((_, index) => index));
      expect(new Set(payable.map(({ reference }) => reference)).size).toBe(payable.length);
      for (const { amount } of payable) expect(amount >= 10_000n && amount <= 1_000_000_000n).toBe(true);
    }),
    { numRuns: 300 },
  );
});
