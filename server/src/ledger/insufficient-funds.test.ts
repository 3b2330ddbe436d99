import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase } from "../../testing/database.ts";
import { createMerchant } from "../../testing/factories.ts";
import { kobo } from "../money/kobo.ts";
import { inEnvironment, type Tx } from "../platform/database/database.ts";
import { systemAccountId } from "./account.ts";
import { readBalances } from "./balance.ts";
import { insufficientFunds } from "./insufficient-funds.ts";
import { openFloorAccounts } from "./open-accounts.ts";
import { type Leg, type Posting, post, postBatch } from "./post.ts";
import { verifyLedger } from "./verify.ts";

const { db } = await createTestDatabase();
const environmentId = (await createMerchant(db)).environment.id;
const outside = systemAccountId(environmentId, "outside");
const within = <T>(work: (tx: Tx) => Promise<T>) => inEnvironment(db, environmentId, work);

let rich: string;
let poor: string;

function movement(tx: Tx, ...legs: readonly (readonly [accountId: string, amount: bigint])[]): Posting {
  const id = tx.environment.clock.newId();
  return {
    id,
    kind: "test.moved",
    resource: { type: "test", id, reference: null },
    narration: null,
    legs: legs.map(([accountId, amount]): Leg => ({ accountId, amount: kobo(amount) })),
  };
}

beforeEach(async () => {
  await within(async (tx) => {
    [rich, poor] = [tx.environment.clock.newId(), tx.environment.clock.newId()];
    await openFloorAccounts(tx, "wallet", [rich, poor]);
    await post(tx, movement(tx, [outside, -110_050n], [rich, 100_050n], [poor, 10_000n]));
  });
});

const refusal = (...legs: readonly (readonly [string, bigint])[]) =>
  within((tx) => post(tx, movement(tx, ...legs))).catch((error: unknown) => error);

describe("a payment that is refused for lack of money", () => {
  test("says what is there, what is needed and what is missing, to the kobo", async () => {
    expect(await refusal([rich, -100_051n], [outside, 100_051n])).toMatchObject({
      code: "insufficient_funds",
      data: { balance: 1_000.5, needed: 1_000.51, short: 0.01, currency: "NGN" },
      message: expect.stringContaining("fund it with 0.01 NGN and retry"),
    });
  });

  test("is stopped by the database where an account stands twice in it, which is a mistake of ours", async () => {
    const twice = await refusal([poor, -8_000n], [poor, -4_000n], [outside, 12_000n]);
    expect(twice).toMatchObject({ constraint: "entries_balance_after_check" });
    expect((await within((tx) => readBalances(tx, [poor]))).get(poor)).toBe(10_000n);
  });

  test("names the account that lacks most, where two are to pay", async () => {
    expect(await refusal([rich, -100_100n], [poor, -20_000n], [outside, 120_100n])).toMatchObject({
      data: { balance: 100, needed: 200, short: 100 },
    });
  });

  test("says nothing of accounts without a floor, which never lack anything", async () => {
    expect(await refusal([outside, -50n], [poor, -10_001n], [rich, 10_051n])).toMatchObject({
      data: { balance: 100, needed: 100.01, short: 0.01 },
    });
  });

  test("leaves no trace", async () => {
    await refusal([poor, -10_001n], [outside, 10_001n]);
    const balances = await within((tx) => readBalances(tx, [rich, poor]));
    expect([balances.get(rich), balances.get(poor)]).toEqual([100_050n, 10_000n]);
  });

  test("counts what the same transaction has taken before as there: it is given back with it", async () => {
    const told = await within(async (tx) => {
      const first = movement(tx, [poor, -9_000n], [outside, 9_000n]);
      const second = movement(tx, [poor, -2_000n], [outside, 2_000n]);
      expect(await postBatch(tx, [first, second])).toEqual(new Set([1]));
      const [problem] = await insufficientFunds(tx, [{ wanted: [first, second], posted: [first] }]);
      return problem?.data;
    });
    expect(told).toEqual({ balance: 100, needed: 110, short: 10, currency: "NGN" });
  });

  test("is one refusal for each, in their order", async () => {
    const told = await within(async (tx) => {
      const wanted = [20_000n, 30_000n].map((amount) => [movement(tx, [poor, -amount], [outside, amount])]);
      const problems = await insufficientFunds(
        tx,
        wanted.map((postings) => ({ wanted: postings })),
      );
      return problems.map(({ data }) => data?.["short"]);
    });
    expect(told).toEqual([100, 200]);
  });
});

describe("a batch of payments from one account", () => {
  test("pays those that fit, in their order, refuses the others, and never goes below zero", async () => {
    const amounts = fc.array(fc.bigInt({ min: 1n, max: 6_000n }), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(amounts, async (wanted) => {
        const { refused, left } = await within(async (tx) => {
          const account = tx.environment.clock.newId();
          await openFloorAccounts(tx, "wallet", [account]);
          await post(tx, movement(tx, [outside, -10_000n], [account, 10_000n]));
          const postings = wanted.map((amount) => movement(tx, [account, -amount], [outside, amount]));
          return {
            refused: await postBatch(tx, postings),
            left: (await readBalances(tx, [account])).get(account),
          };
        });
        let balance = 10_000n;
        const expected = new Set<number>();
        for (const [place, amount] of wanted.entries()) {
          if (amount > balance) expected.add(place);
          else balance -= amount;
        }
        expect(refused).toEqual(expected);
        expect(left).toBe(balance);
      }),
      { numRuns: 25 },
    );
    expect(await within((tx) => verifyLedger(tx))).toEqual([]);
  });

  test("of two transactions at the same time spends the money once", async () => {
    const spend = () => within((tx) => post(tx, movement(tx, [poor, -10_000n], [outside, 10_000n])));
    const ended = await Promise.allSettled([spend(), spend(), spend()]);
    expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await within((tx) => readBalances(tx, [poor]))).get(poor)).toBe(0n);
  });
});
