import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { listBanks } from "./bank-directory.ts";
import {
  type BankList,
  bankCodesIn,
  checkBanks,
  codeOfBank,
  type ListedBank,
  rememberBanks,
  unreadBanks,
} from "./provider-banks.ts";

const gtBank = { code: "058", nipCode: "000013" };
const read = (...rows: readonly ListedBank[]): BankList => ({ isRead: true, codes: bankCodesIn(rows) });
const hold = { reason: "keys_refused", message: "Invalid key" } as const;

describe("a provider's row", () => {
  test.each<[string, ListedBank, [string, string][]]>([
    ["with both codes that we know", gtBank, [["000013", "058"]]],
    ["with our code only", { code: "058", nipCode: undefined }, [["000013", "058"]]],
    ["with a code of the switch that is not one", { code: "058", nipCode: "GTB" }, [["000013", "058"]]],
    ["with a code of the switch that is too short", { code: "058", nipCode: "13" }, [["000013", "058"]]],
    ["of a bank that we do not have", { code: "P-77", nipCode: "090999" }, [["090999", "P-77"]]],
    ["of a bank that nobody can tell", { code: "P-77", nipCode: undefined }, []],
    ["that says otherwise than our directory", { code: "058", nipCode: "000014" }, []],
    ["with a bank of sandboxes", { code: "999", nipCode: undefined }, []],
    ["with the switch's code in place of its own", { code: "000013", nipCode: undefined }, [["000013", "000013"]]],
  ])("%s", (_, row, codes) => {
    expect([...bankCodesIn([row])]).toEqual(codes);
  });

  test("that claims another's code leaves both out: money sent to the wrong bank is gone", () => {
    const imposter = { code: "P-1", nipCode: gtBank.nipCode };
    expect(bankCodesIn([gtBank, imposter]).size).toBe(0);
    expect(bankCodesIn([imposter, gtBank]).size).toBe(0);
    // Also when the first comes again: it was claimed twice.
    expect(bankCodesIn([gtBank, imposter, gtBank]).size).toBe(0);
  });

  test("that comes again is the same bank", () => {
    expect([...bankCodesIn([gtBank, gtBank])]).toEqual([["000013", "058"]]);
  });

  test("a bank is reached by one code at most, in whatever order the rows come", () => {
    const row = fc.record({
      code: fc.constantFrom("058", "044", "P-1", "P-2", "000013"),
      nipCode: fc.constantFrom(undefined, "000013", "000014", "090999", "x"),
    });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 8 }), (rows) => {
        const codes = bankCodesIn(rows);
        expect(new Map([...bankCodesIn(rows.toReversed())])).toEqual(codes);
        for (const [nipCode, code] of codes) {
          const claims = rows.filter((each) => bankCodesIn([each]).has(nipCode));
          expect(new Set(claims.map((each) => each.code))).toEqual(new Set([code]));
        }
      }),
    );
  });
});

describe("the list in memory", () => {
  /** A provider that gives these lists in turn, and notes how often it was asked. */
  function provider(...lists: readonly BankList[]) {
    const asked = { times: 0 };
    const banks = rememberBanks(async () => {
      const list = lists[Math.min(asked.times, lists.length - 1)];
      asked.times += 1;
      if (list === undefined) throw new Error("the provider is away");
      return list;
    });
    return { banks, asked };
  }

  test("is read once, also when many need it at the same time", async () => {
    const { banks, asked } = provider(read(gtBank));
    await Promise.all([banks.read(), banks.read(), banks.read()]);
    await banks.read();
    expect(asked.times).toBe(1);
  });

  test("is asked for again as long as it could not be read", async () => {
    const { banks, asked } = provider(unreadBanks(hold), read(gtBank));
    expect(await banks.read()).toEqual({ isRead: false, hold });
    expect(await banks.read()).toMatchObject({ isRead: true });
    expect(asked.times).toBe(2);
  });

  test("stays when it could not be read again", async () => {
    const { banks } = provider(read(gtBank), unreadBanks(undefined));
    const first = await banks.read();
    expect(await banks.readAgain()).toEqual({ isRead: false });
    expect(await banks.read()).toBe(first);
  });

  test("is replaced by a newer one", async () => {
    const { banks } = provider(read(gtBank), read({ code: "044", nipCode: "000014" }));
    await banks.read();
    await banks.readAgain();
    expect(await codeOfBank(banks, "000014")).toEqual({ code: "044" });
    expect(await codeOfBank(banks, "000013")).toMatchObject({ code: null });
  });

  test("is asked for again after a reading that broke", async () => {
    const { banks, asked } = provider();
    await expect(banks.read()).rejects.toThrow("the provider is away");
    await expect(banks.read()).rejects.toThrow("the provider is away");
    expect(asked.times).toBe(2);
  });
});

describe("the code of a bank", () => {
  test("that the provider does not have leaves an order unsent, with an alarm", async () => {
    const banks = rememberBanks(async () => read(gtBank));
    expect(await codeOfBank(banks, "000014")).toEqual({
      code: null,
      held: {},
      unsent: {
        outcome: "unknown",
        code: "bank_not_reached",
        alarm: "The provider has no bank with the NIP code 000014",
      },
    });
  });

  test.each([
    ["without a reason", undefined, {}],
    ["because our keys are refused", hold, { hold }],
  ])("of a list that was not read %s leaves an order unsent, and says so", async (_, reason, held) => {
    const banks = rememberBanks(async () => unreadBanks(reason));
    const unsent = { outcome: "unknown", code: "banks_not_read", ...held };
    expect(await codeOfBank(banks, "000013")).toEqual({ code: null, held, unsent });
  });
});

describe("the check of a provider's banks", () => {
  const everyBank = listBanks("LIVE");

  test("passes when every bank of ours is reached", async () => {
    expect(await checkBanks(rememberBanks(async () => read(...everyBank)))).toEqual({
      name: "banks",
      result: "ok",
      message: "The provider reaches every bank of ours.",
    });
  });

  test("names those that are not reached, and does not stand in the way", async () => {
    const without = everyBank.filter(({ name }) => !["Zenith Bank", "OPay"].includes(name));
    const check = await checkBanks(rememberBanks(async () => read(...without)));
    expect(check).toMatchObject({ result: "warning", message: expect.stringMatching(/: OPay, Zenith Bank\.$/) });
  });

  test("fails when the list cannot be read, and reads it again although one is in memory", async () => {
    const lists = [read(gtBank), unreadBanks(undefined)];
    const banks = rememberBanks(async () => lists.shift() ?? unreadBanks(undefined));
    await banks.read();
    expect(await checkBanks(banks)).toMatchObject({ result: "failed" });
  });
});
