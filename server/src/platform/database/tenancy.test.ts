/**
 * The proofs behind "the environment is the tenant". Every table with an environment_id, or a sandbox, is found in the
 * catalogue, so a table that somebody adds later is proved too, or fails here for want of a sample row.
 */
import { sql } from "kysely";
import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { createMerchant } from "../../../testing/factories.ts";
import { readTenantTables, sampleInsert, type TenantTable } from "../../../testing/platform/tenant-samples.ts";
import { createDatabase, createPool, inEnvironment, inTransaction, operatorScope } from "./database.ts";

const { db, appUrl, ownerUrl } = await createTestDatabase();
const mine = (await createMerchant(db, "Mine")).environment.id;
const theirs = (await createMerchant(db, "Theirs")).environment.id;

const owner = new pg.Client({ connectionString: ownerUrl });
await owner.connect();
afterAll(() => owner.end());

const tables = await readTenantTables(owner);

/** Sample rows need no parents: foreign keys and triggers are not what is proved here. */
async function plantSamples(table: TenantTable): Promise<void> {
  await owner.query("begin; set local session_replication_role = replica");
  for (const environment of [mine, theirs]) {
    const planted = await owner.query(`select from ${table.name} where ${table.tenant} = $1 limit 1`, [environment]);
    if (planted.rowCount === 0) await owner.query(sampleInsert(table, environment));
  }
  await owner.query("commit");
}

for (const table of tables) await plantSamples(table);

const inMine = (statement: string) => inEnvironment(db, mine, (tx) => sql.raw(statement).execute(tx));

async function readTheirs(table: TenantTable): Promise<unknown[]> {
  const found = await owner.query(`select t::text from ${table.name} t where ${table.tenant} = $1`, [theirs]);
  return found.rows;
}

/** Either the right is missing altogether, or row level security refuses the row. */
const refused = expect.objectContaining({ code: "42501" });

/** A statement that may run, but must find nothing to change. */
async function changesNothing(statement: string): Promise<void> {
  const outcome = await inMine(statement).catch((error: unknown) => {
    expect(error).toEqual(refused);
    return undefined;
  });
  expect(outcome?.numAffectedRows ?? 0n).toBe(0n);
}

test("there are tenant tables to prove", () => {
  expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(["public.api_keys", "public.events"]));
});

describe.each(tables)("$name", (table) => {
  test("forces row level security, on its owner too", () => {
    expect(table).toMatchObject({ hasRowSecurity: true, forcesRowSecurity: true });
  });

  test("shows an environment its own rows and no others", async () => {
    expect(await readTheirs(table)).not.toEqual([]);
    const seen = await sqlRows(`select distinct ${table.tenant} as environment_id from ${table.name}`);
    expect(seen).toEqual([{ environment_id: mine }]);
    expect(await sqlRows(`select 1 from ${table.name} where ${table.tenant} = '${theirs}'`)).toEqual([]);
  });

  test("takes no row for another environment", async () => {
    await expect(inMine(sampleInsert(table, theirs))).rejects.toEqual(refused);
  });

  test("lets nobody change, take over, hand over or delete another environment's rows", async () => {
    const before = await readTheirs(table);
    await changesNothing(
      `update ${table.name} set ${table.tenant} = ${table.tenant} where ${table.tenant} = '${theirs}'`,
    );
    await changesNothing(`update ${table.name} set ${table.tenant} = '${mine}' where ${table.tenant} = '${theirs}'`);
    await changesNothing(`delete from ${table.name} where ${table.tenant} = '${theirs}'`);
    await expect(inMine(`update ${table.name} set ${table.tenant} = '${theirs}'`)).rejects.toEqual(refused);
    await expect(inMine(`truncate ${table.name}`)).rejects.toEqual(refused);
    expect(await readTheirs(table)).toEqual(before);
  });
});

async function sqlRows(statement: string): Promise<unknown[]> {
  return (await inMine(statement)).rows;
}

test("without an environment nothing is visible, also on a connection that was in one before", async () => {
  const single = createDatabase(createPool({ url: appUrl, poolSize: 1 }));
  const countAll = () =>
    inTransaction(single, async (tx) => {
      for (const { name } of tables) {
        const seen = await sql.raw<{ count: bigint }>(`select count(*) as count from ${name}`).execute(tx);
        expect(seen.rows, name).toEqual([{ count: 0n }]);
      }
    });
  await countAll();
  await inEnvironment(single, mine, async () => undefined);
  await countAll();
  await single.destroy();
});

test("without an environment nothing can be written", async () => {
  for (const table of tables) {
    const write = inTransaction(db, (tx) => sql.raw(sampleInsert(table, mine)).execute(tx));
    await expect(write, table.name).rejects.toEqual(refused);
  }
});

test("the operator's scope is no tenant and sees no tenant's rows", async () => {
  for (const { name, tenant } of tables) {
    const seen = await inEnvironment(db, operatorScope, (tx) =>
      sql.raw(`select 1 from ${name} where ${tenant} <> '${operatorScope}'`).execute(tx),
    );
    expect(seen.rows, name).toEqual([]);
  }
});

test("an environment sees no merchant, and of environments only itself", async () => {
  expect(await sqlRows("select id from merchants")).toEqual([]);
  expect(await sqlRows("select id from environments")).toEqual([{ id: mine }]);
  await expect(inMine("insert into environments select * from environments")).rejects.toEqual(refused);
});
