import { describe, expect, test } from "vitest";
import { kobo } from "../money/kobo.ts";
import { findBank } from "../rails/bank-directory.ts";
import type { TransferDraft } from "./accept-transfer.ts";
import { judge } from "./bank-health.ts";
import { checkNuban, nubanWarning } from "./check-nuban.ts";
import { differingFields } from "./differing-fields.ts";
import { bankCodeRule, checkPayout, payoutRules, requireBank } from "./payout-rules.ts";
import { presentTransfer } from "./present-transfer.ts";
import type { Transfer } from "./transfer.ts";

const at = new Date("2026-11-02T08:00:00.000Z");
const draft: TransferDraft = {
  reference: "p-1",
  externalReference: null,
  batchId: null,
  sourceAccountId: "w1",
  accountNumber: "0123456789",
  accountName: "ADAEZE OKAFOR",
  expectedName: "Adaeze Okafor",
  bankCode: "058",
  amount: kobo(250_000n),
  narration: "October",
  metadata: { order: 7, paid: true, note: null },
};
const transfer: Transfer = {
  ...draft,
  id: "t1",
  purpose: "payout",
  fee: kobo(1_000n),
  vat: kobo(75n),
  stampDuty: kobo(0n),
  status: "pending",
  version: 1,
  sessionId: null,
  failureReason: null,
  createdAt: at,
  updatedAt: at,
  completedAt: null,
  connectionId: null,
};

describe("the rules of a payout", () => {
  test.each([
    [10_000n, undefined],
    [9_999n, "amount_below_minimum"],
    [0n, "amount_below_minimum"],
    [1_000_000_000n, undefined],
    [1_000_000_001n, "amount_above_maximum"],
  ])("%s kobo: %s", (amount, code) => {
    const check = () => checkPayout({ amount: kobo(amount), bankCode: "058" }, "LIVE");
    if (code === undefined) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ code }));
  });

  test("are told all at once, under the code of the first", () => {
    expect(() => checkPayout({ amount: kobo(1n), bankCode: "nobody" }, "LIVE")).toThrow(
      expect.objectContaining({
        code: "amount_below_minimum",
        errors: [expect.objectContaining({ field: "amount" }), expect.objectContaining({ field: "bankCode" })],
      }),
    );
  });

  test("say nothing about what was not sent, or is not even a number", () => {
    expect(payoutRules({}, "LIVE")).toEqual([]);
    expect(payoutRules({ amount: "5", bankCode: 58 }, "LIVE")).toEqual([]);
    expect(payoutRules({ amount: Number.NaN }, "LIVE")).toEqual([]);
    expect(payoutRules({ amount: 5, bankCode: "0" }, "LIVE").map(({ field }) => field)).toEqual(["amount", "bankCode"]);
  });

  test("know a bank by either of its codes, and sandboxes' banks only in sandboxes", () => {
    expect(requireBank("000013", "LIVE").code).toBe("058");
    expect(requireBank("999", "SANDBOX").name).toBe("Nowhere Bank");
    expect(() => requireBank("999", "LIVE")).toThrow(expect.objectContaining({ code: "unknown_bank" }));
    const named = { errors: [expect.objectContaining({ field: "bank_code" })] };
    expect(() => requireBank("", "LIVE", "bank_code")).toThrow(expect.objectContaining(named));
  });

  test("are the same for the account that a checkout pays to", () => {
    expect(bankCodeRule({ bank_code: "058" }, "LIVE")).toEqual([]);
    expect(bankCodeRule({ bank_code: 58 }, "LIVE")).toEqual([]);
    expect(bankCodeRule({ bank_code: "58" }, "LIVE")).toMatchObject([{ field: "bank_code" }]);
  });
});

describe("a check digit that does not fit", () => {
  const bank = findBank("058", "LIVE");
  if (bank === undefined) throw new Error("the bank is gone");
  const digits = Array.from({ length: 10 }, (_, digit) => `012345678${digit}`);
  const fitting = digits.filter((number) => Object.keys(nubanWarning(bank, number)).length === 0);

  test("is one of nine", () => {
    expect(fitting).toHaveLength(1);
  });

  test("is refused where the operator wants that, and else only remarked on", () => {
    const [wrong = ""] = digits.filter((number) => !fitting.includes(number));
    expect(() => checkNuban("refuse", bank, wrong)).toThrow(
      expect.objectContaining({ code: "account_number_invalid" }),
    );
    expect(() => checkNuban("warn", bank, wrong)).not.toThrow();
    expect(() => checkNuban("refuse", bank, fitting[0] ?? "")).not.toThrow();
    expect(nubanWarning(bank, wrong)).toEqual({ "jara-warning": "nuban_check_digit" });
    expect(nubanWarning(undefined, wrong)).toEqual({});
  });
});

describe("a second request under the same reference", () => {
  test("is the same one when nothing differs, whatever the order of its metadata", () => {
    expect(differingFields(transfer, draft)).toEqual([]);
    expect(differingFields(transfer, { ...draft, metadata: { note: null, paid: true, order: 7 } })).toEqual([]);
    expect(differingFields({ ...transfer, metadata: null }, { ...draft, metadata: {} })).toEqual([]);
  });

  test.each<[string, Partial<TransferDraft>]>([
    ["amount", { amount: kobo(250_001n) }],
    ["accountNumber", { accountNumber: "0123456780" }],
    ["bankCode", { bankCode: "044" }],
    ["sourceAccountId", { sourceAccountId: "w2" }],
    ["narration", { narration: null }],
    ["externalReference", { externalReference: "e-1" }],
    ["accountName", { expectedName: "Adaeze Obi" }],
    ["metadata", { metadata: { order: "7", paid: true, note: null } }],
    ["metadata", { metadata: { order: 7, paid: true } }],
    ["metadata", { metadata: null }],
    ["reference", { reference: "P-1" }],
  ])("with another %s is another one", (field, change) => {
    expect(differingFields(transfer, { ...draft, ...change })).toEqual([field]);
  });

  test("is not another one because the bank told the name meanwhile, or a batch has it", () => {
    expect(differingFields(transfer, { ...draft, accountName: null, batchId: "b1" })).toEqual([]);
  });

  test("names all that differs, in one order", () => {
    const change = { amount: kobo(1n), bankCode: "044", metadata: null };
    expect(differingFields(transfer, { ...draft, ...change })).toEqual(["bankCode", "amount", "metadata"]);
  });
});

describe("how well a bank takes payouts", () => {
  test.each([
    [0, 0, null, "up"],
    [2, 0, null, "up"],
    [3, 0, null, "down"],
    [3, 1, 1, "down"],
    [3, 2, 1, "degraded"],
    [4, 2, 1, "degraded"],
    [10, 9, 1, "up"],
    [10, 8, 1, "degraded"],
    [3, 3, 30, "up"],
    [3, 3, 30.1, "degraded"],
    [3, 1, 99, "down"],
    [2, 2, 99, "up"],
  ] as const)("%i outcomes, %i paid, a median of %s seconds: %s", (sampleSize, paid, medianSeconds, status) => {
    expect(judge(sampleSize, paid, medianSeconds)).toBe(status);
  });
});

describe("a payout as the API shows it", () => {
  test("has its money in naira and its bank by name", () => {
    expect(presentTransfer(transfer, "LIVE")).toMatchObject({
      amount: 2_500,
      fee: 10,
      vat: 0.75,
      stampDuty: 0,
      totalDebit: 2_510.75,
      bankName: "Guaranty Trust Bank",
      environment: "LIVE",
      createdAt: at.toISOString(),
      completedAt: null,
    });
  });

  test("costs nothing once the money is back, and still says what was to be paid", () => {
    const failureReason = { code: "nip_07", message: "The account is not valid" };
    const shown = presentTransfer({ ...transfer, status: "failed", failureReason, completedAt: at }, "LIVE");
    expect(shown).toMatchObject({ amount: 2_500, fee: 0, vat: 0, totalDebit: 0, failureReason });
  });

  test("does not show which provider has it, what name was expected, nor whose money it is", () => {
    const hidden = ["connectionId", "expectedName", "purpose", "version"];
    const shown = Object.keys(presentTransfer({ ...transfer, connectionId: "c1" }, "LIVE"));
    for (const field of hidden) expect(shown).not.toContain(field);
  });
});
