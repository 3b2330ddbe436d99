import { describe, expect, test } from "vitest";
import { kobo } from "../../money/kobo.ts";
import { findBank } from "../../rails/bank-directory.ts";
import { bankCodeRule, checkNuban, checkPayout, nubanWarning, payoutRules, requireBank } from "./payout-rules.ts";

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
