/** What a statement forged under the application's name could try with balances, and cannot do. */
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../testing/database.ts";
import { createMerchant } from "../../testing/factories.ts";
import { inEnvironment, type Tx } from "../platform/database/database.ts";
import { systemAccountId } from "./account.ts";
import { openFloorAccounts } from "./open-accounts.ts";
import { verifyLedger } from "./verify.ts";

const id = "01931234-5678-7123-8456-0123456789ab";
const wallet = "01931234-5678-7123-8456-0123456789ac";
let database: TestDatabase;
let mine: string;
let theirs: string;

beforeAll(async () => {
  database = await createTestDatabase();
  mine = (await createMerchant(database.db, "Mine")).environment.id;
  theirs = (await createMerchant(database.db, "Theirs")).environment.id;
  await within((tx) => openFloorAccounts(tx, "wallet", [wallet]));
});

function within<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  return inEnvironment(database.db, mine, work);
}

const run = (statement: string) =>
  within((tx) => sql.raw(statement.replaceAll("$mine", mine).replaceAll("$theirs", theirs)).execute(tx));

test.each([
  "update accounts set balance = balance + 1",
  "update accounts set entry_count = 0",
  "update accounts set has_floor = false",
  "select from accounts for update",
  "delete from accounts",
  `insert into accounts (environment_id, id, purpose, has_floor, created_at, balance)
   values ('$mine', '${id}', 'wallet', true, now(), 1000000)`,
  `insert into accounts (environment_id, id, purpose, has_floor, created_at, entry_count)
   values ('$mine', '${id}', 'wallet', true, now(), 7)`,
  `insert into account_deltas (environment_id, account_id, amount) values ('$mine', '${wallet}', 1000000)`,
  "update account_deltas set amount = amount + 1",
  "delete from account_deltas",
  `insert into ledger_transactions (environment_id, id, posted_at, kind, resource_type)
   values ('$mine', '${id}', now(), 'x', 'x')`,
  "update ledger_transactions set kind = 'x'",
  "delete from ledger_transactions",
  `insert into entries (environment_id, transaction_id, account_id, amount, posted_at)
   values ('$mine', '${id}', '${wallet}', 1, now()), ('$mine', '${id}', '${id}', -1, now())`,
  "update entries set amount = 1",
  "delete from entries",
  "truncate entries",
  "alter table entries disable trigger all",
  "alter table accounts disable row level security",
  "create function ledger_post() returns integer language sql return 1",
  "select ledger_refused('{}', '{}', '{}')",
  "set local session_replication_role = replica",
  "set local role jara_lookup",
])("the application cannot: %s", async (statement) => {
  await expect(run(statement)).rejects.toMatchObject({ code: expect.stringMatching(/^(42501|42704)$/) });
  expect(await within(verifyLedger)).toEqual([]);
});

function forge(legs: readonly (readonly [account: string, amount: number])[]): Promise<unknown> {
  const accounts = legs.map(([account]) => account).join(",");
  return run(`select ledger_post(now(), '{${id}}', '{forged}', '{x}', '{${id}}', '{null}', '{null}',
    '{${legs.map(() => 1).join(",")}}', '{${accounts}}', '{${legs.map(([, amount]) => amount).join(",")}}')`);
}

test("through the function nothing is made of nothing, and no other environment is reached", async () => {
  await expect(forge([[wallet, 1_000_000]])).rejects.toThrow("do not sum to zero");
  const foreign = systemAccountId(theirs, "outside");
  const legs = [[foreign, -5] as const, [wallet, 5] as const];
  await expect(forge(legs)).rejects.toThrow("names an unknown account");
  expect(await within(verifyLedger)).toEqual([]);
});

test("a table of the caller's own cannot stand in for the ledger's inside the function", async () => {
  const outside = systemAccountId(mine, "outside");
  const refused = await within(async (tx) => {
    // Temporary tables come first on the ordinary search path.
    await sql`create temporary table accounts on commit drop as
      select ${mine}::uuid as environment_id, ${wallet}::uuid as id, true as has_floor, 1000000::bigint as balance,
        0::bigint as entry_count`.execute(tx);
    const posted = await sql<{ refused: number[] }>`
      select ledger_post(now(), array[${id}]::uuid[], '{forged}', '{x}', array[${id}]::uuid[], '{null}', '{null}',
        '{1,1}', array[${wallet}, ${outside}]::uuid[], '{-500,500}') as refused`.execute(tx);
    return posted.rows;
  });
  expect(refused).toEqual([{ refused: [1] }]);
  expect(await within(verifyLedger)).toEqual([]);
});
