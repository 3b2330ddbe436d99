import { sql } from "kysely";
import pg from "pg";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../testing/database.ts";
import { createMerchant } from "../../testing/factories.ts";
import { kobo } from "../money/kobo.ts";
import { inEnvironment, type Tx } from "../platform/database/database.ts";
import { heldAccountId, systemAccountId } from "./account.ts";
import { readBalances } from "./balance.ts";
import { openFloorAccounts, openSystemAccounts } from "./open-accounts.ts";
import { type Posting, post, postBatch } from "./post.ts";
import { countEntries, findSpan, readStatement } from "./statement.ts";
import { verifyLedger } from "./verify.ts";

let test_: TestDatabase;
let environmentId: string;
let wallet: string;
let outside: string;
/** What a sandbox begins with: its lender is funded from outside. */
let outsideAtFirst: bigint;

beforeAll(async () => {
  test_ = await createTestDatabase();
});

beforeEach(async () => {
  environmentId = (await createMerchant(test_.db)).environment.id;
  outside = systemAccountId(environmentId, "outside");
  await within(async (tx) => {
    wallet = tx.environment.clock.newId();
    await openSystemAccounts(tx, ["outside"]);
    await openFloorAccounts(tx, "wallet", [wallet]);
    outsideAtFirst = (await readBalances(tx, [outside])).get(outside) ?? 0n;
  });
});

function within<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  return inEnvironment(test_.db, environmentId, work);
}

/** The owner of the tables, whom the application's limits do not bind. */
async function asOwner(statement: string, values: unknown[] = []): Promise<void> {
  const owner = new pg.Client({ connectionString: test_.ownerUrl });
  await owner.connect();
  await owner.query(statement, values).finally(() => owner.end());
}

function movement(tx: Tx, from: string, to: string, amount: bigint): Posting {
  const id = tx.environment.clock.newId();
  return {
    id,
    kind: "test.moved",
    resource: { type: "test", id, reference: "ref" },
    narration: "A test",
    legs: [
      { accountId: from, amount: kobo(-amount) },
      { accountId: to, amount: kobo(amount) },
    ],
  };
}

function fund(amount: bigint): Promise<void> {
  return within((tx) => post(tx, movement(tx, outside, wallet, amount)));
}

async function balanceOf(account: string): Promise<bigint | undefined> {
  return (await within((tx) => readBalances(tx, [account]))).get(account);
}

describe("posting", () => {
  test("money that enters a wallet shows there and, negative, outside", async () => {
    await fund(500n);
    expect(await balanceOf(wallet)).toBe(500n);
    expect(await balanceOf(outside)).toBe(outsideAtFirst - 500n);
    expect(await within(verifyLedger)).toEqual([]);
  });

  test("a wallet is never pushed below zero, and the refusal leaves no trace", async () => {
    await fund(500n);
    await expect(within((tx) => post(tx, movement(tx, wallet, outside, 501n)))).rejects.toMatchObject({
      code: "insufficient_funds",
    });
    expect(await balanceOf(wallet)).toBe(500n);
    expect(await within((tx) => countEntries(tx, wallet))).toBe(1n);
  });

  test("in a batch the items that do not fit are refused and their neighbours go on, in order", async () => {
    await fund(100n);
    const refused = await within((tx) =>
      postBatch(
        tx,
        [60n, 50n, 30n, 20n, 10n].map((amount) => movement(tx, wallet, outside, amount)),
      ),
    );
    expect([...refused]).toEqual([1, 3]);
    expect(await balanceOf(wallet)).toBe(0n);
    expect(await within(verifyLedger)).toEqual([]);
  });

  test("a credit earlier in a batch pays for a debit after it", async () => {
    const refused = await within((tx) =>
      postBatch(tx, [
        movement(tx, wallet, outside, 10n),
        movement(tx, outside, wallet, 10n),
        movement(tx, wallet, outside, 10n),
      ]),
    );
    expect([...refused]).toEqual([0]);
  });

  test("what is held stands on an account of its own that nobody locks", async () => {
    await fund(100n);
    await within((tx) => post(tx, movement(tx, wallet, heldAccountId(wallet), 40n)));
    expect(await balanceOf(heldAccountId(wallet))).toBe(40n);
  });

  test("legs that do not sum to zero are refused by the database", async () => {
    const lopsided = within((tx) => {
      const whole = movement(tx, outside, wallet, 5n);
      return post(tx, { ...whole, legs: [{ accountId: wallet, amount: kobo(5n) }] });
    });
    await expect(lopsided).rejects.toThrow(/do not sum to zero/);
  });

  test("a leg on an account that does not exist is refused by the database", async () => {
    const lost = within((tx) => post(tx, movement(tx, outside, tx.environment.clock.newId(), 5n)));
    await expect(lost).rejects.toMatchObject({ code: "account_gone" });
  });

  test("forty writers on one wallet at once lose nothing and never overdraw it", async () => {
    await fund(1_000n);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, () => within((tx) => post(tx, movement(tx, wallet, outside, 30n)))),
    );
    expect(outcomes.filter((outcome) => outcome.status === "fulfilled")).toHaveLength(33);
    expect(await balanceOf(wallet)).toBe(10n);
    expect(await within(verifyLedger)).toEqual([]);
  });
});

describe("append only", () => {
  test.each([
    "update entries set amount = 1",
    "delete from entries",
    "truncate entries",
    "update ledger_transactions set kind = 'x'",
    "delete from ledger_transactions",
  ])("%s is refused", async (statement) => {
    await fund(1n);
    await expect(within((tx) => sql.raw(statement).execute(tx))).rejects.toThrow(/permission denied|append-only/);
  });

  test("not even the owner of the tables can change an entry", async () => {
    await expect(asOwner("delete from entries")).rejects.toThrow(/append-only/);
  });
});

describe("folding", () => {
  test("moves waiting deltas into the balances without changing what is read", async () => {
    await fund(70n);
    await fund(30n);
    const before = await balanceOf(outside);
    await sql`select fold_account_deltas()`.execute(test_.db);
    expect(await balanceOf(outside)).toBe(before);
    const left = await within((tx) => sql<{ n: bigint }>`select count(*) as n from account_deltas`.execute(tx));
    expect(left.rows[0]?.n).toBe(0n);
    expect(await within(verifyLedger)).toEqual([]);
  });

  test("readers and writers beside a fold always see the exact balance", async () => {
    await fund(1_000n);
    const writers = Array.from({ length: 20 }, () => within((tx) => post(tx, movement(tx, wallet, outside, 1n))));
    const folds = Array.from({ length: 10 }, () => sql`select fold_account_deltas()`.execute(test_.db));
    const sums = Array.from({ length: 20 }, () =>
      within(async (tx) => {
        const balances = await readBalances(tx, [wallet, outside]);
        return [...balances.values()].reduce((total, balance) => total + balance, 0n);
      }),
    );
    expect(await Promise.all(sums)).toEqual(Array(20).fill(outsideAtFirst));
    await Promise.all([...writers, ...folds]);
    expect(await balanceOf(outside)).toBe(outsideAtFirst - 980n);
    expect(await within(verifyLedger)).toEqual([]);
  });
});

describe("reading back", () => {
  test("a statement shows the newest line first, each with the balance after it", async () => {
    await fund(100n);
    await within((tx) => post(tx, movement(tx, wallet, outside, 30n)));
    const lines = await within((tx) => readStatement(tx, wallet, { first: 1n, last: 2n }));
    expect(lines.map((line) => [line.amount, line.balanceAfter, line.number])).toEqual([
      [-30n, 70n, 2n],
      [100n, 100n, 1n],
    ]);
    expect(lines[0]).toMatchObject({ kind: "test.moved", narration: "A test", resource: { reference: "ref" } });
  });

  test("a span counts what was posted from its beginning on, and not its end", async () => {
    await fund(100n);
    const [line] = await within((tx) => readStatement(tx, wallet, { first: 1n, last: 1n }));
    const moment = line?.postedAt ?? new Date(0);
    const since = await within((tx) => findSpan(tx, wallet, { from: moment, to: null }));
    expect(since).toEqual({ first: 1n, last: 1n });
    expect(await within((tx) => findSpan(tx, wallet, { from: null, to: moment }))).toEqual({ first: 1n, last: 0n });
  });
});

describe("verification", () => {
  test("names a balance that was tampered with", async () => {
    await fund(100n);
    await asOwner("update accounts set balance = 90 where id = $1", [wallet]);
    expect(await within(verifyLedger)).toEqual([
      { check: "balance equals entries", subject: wallet, expected: "100", found: "90" },
    ]);
  });
});
