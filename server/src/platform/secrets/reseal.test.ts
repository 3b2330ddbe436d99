import { createHash } from "node:crypto";
import { sql } from "kysely";
import pg from "pg";
import { beforeEach, expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { createMerchant } from "../../../testing/factories.ts";
import { house } from "../../start/slices.ts";
import { inEnvironment, operatorScope, type Tx } from "../database/database.ts";
import { claimIdempotencyKeys, withIdempotency } from "../records/idempotency.ts";
import { createSealer, generateMasterKey, parseMasterKeys, sealedKeyVersion } from "./crypto.ts";
import { resealAll, type SealedColumn, sealedContext } from "./reseal.ts";

const { db, ownerUrl } = await createTestDatabase();
const [first, second, third] = [generateMasterKey(1), generateMasterKey(2), generateMasterKey(3)];
const old = createSealer(parseMasterKeys(first));
const rotating = createSealer(parseMasterKeys(`${second},${first}`));
const rotated = createSealer(parseMasterKeys(second));
const requestHash = createHash("sha256").update("request").digest();

await asOwner(`
  create table humans (environment_id uuid not null, id uuid not null, sealed_bvn bytea, bvn_index bytea,
    primary key (environment_id, id));
  call protect_tenant_table('humans');
  grant select, insert, update on humans to jara_app`);
const humans: SealedColumn = {
  table: "humans",
  column: "sealed_bvn",
  key: "id",
  index: { column: "bvn_index", purpose: "bvn" },
};

let sandbox = "";
beforeEach(async () => {
  await asOwner("delete from idempotency_keys; delete from humans");
  sandbox = await newSandbox();
});

async function asOwner(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

async function newSandbox(): Promise<string> {
  return (await createMerchant(db)).environment.id;
}

function keep(environmentId: string, key: string, sealer = old): Promise<unknown> {
  return inEnvironment(db, environmentId, (tx) =>
    withIdempotency(tx, sealer, { key, requestHash }, async () => ({ status: 201, body: `reply to ${key}` })),
  );
}

function replay(environmentId: string, key: string, sealer = rotated): Promise<unknown> {
  return inEnvironment(db, environmentId, (tx) => claimIdempotencyKeys(tx, sealer, [{ key, requestHash }]));
}

const kept = (key: string) => [{ kind: "kept", reply: { status: 201, body: `reply to ${key}` } }];

test("after a rotation every environment's values open without the old key", async () => {
  const other = await newSandbox();
  const places: [string, string][] = [operatorScope, sandbox, other].flatMap((environment) =>
    ["a", "b", "c"].map((key): [string, string] => [environment, key]),
  );
  for (const [environment, key] of places) await keep(environment, key);
  // Two a batch, so that the walk has to find its way on.
  const report = await resealAll(db, rotating, house.sealedColumns, { batchSize: 2 });
  expect(report).toEqual({ resealed: 9, unreadable: [] });
  for (const [environment, key] of places) expect(await replay(environment, key)).toEqual(kept(key));
});

test("a second run finds nothing to do", async () => {
  await keep(sandbox, "a");
  expect((await resealAll(db, rotating, house.sealedColumns)).resealed).toBe(1);
  expect((await resealAll(db, rotating, house.sealedColumns)).resealed).toBe(0);
});

test("a run that was cut off is carried on by the next", async () => {
  for (const key of ["a", "b", "c", "d", "e"]) await keep(sandbox, key);
  const cutOff = resealAll(db, rotating, house.sealedColumns, {
    batchSize: 2,
    onBatch: (resealed) => {
      if (resealed >= 2) throw new Error("cut off");
    },
  });
  await expect(cutOff).rejects.toThrow("cut off");
  expect((await resealAll(db, rotating, house.sealedColumns, { batchSize: 2 })).resealed).toBe(3);
  for (const key of ["a", "b", "c", "d", "e"]) expect(await replay(sandbox, key)).toEqual(kept(key));
});

test("a value that no key opens is named and does not stop the others", async () => {
  await keep(sandbox, "a", createSealer(parseMasterKeys(third)));
  await keep(sandbox, "b");
  await keep(sandbox, "c");
  expect(await resealAll(db, rotating, house.sealedColumns, { batchSize: 1 })).toEqual({
    resealed: 2,
    unreadable: [`idempotency_keys.sealed_body/${sandbox}/a`],
  });
  expect(await replay(sandbox, "c")).toEqual(kept("c"));
});

test("a row written meanwhile keeps what its writer wrote", async () => {
  await keep(sandbox, "a");
  const newer = rotating.seal("newer", `idempotency_keys.sealed_body/${sandbox}/a`);
  const { walk } = await inEnvironment(db, sandbox, async (tx) => {
    await write(tx, newer);
    // It reads the row as it was, and waits to replace it until the writer has committed.
    const started = resealAll(db, rotating, house.sealedColumns);
    await somebodyWaitsForLock();
    return { walk: started };
  });
  expect((await walk).resealed).toBe(0);
  expect(await readBody()).toEqual(newer);
});

test("blind indexes follow the key", async () => {
  const id = "01931234-5678-7123-8456-012345678901";
  await inEnvironment(db, sandbox, async (tx) => {
    const sealed = old.seal("22212345678", sealedContext(humans, sandbox, id));
    const index = old.blindIndex("22212345678", "bvn");
    await sql`
      insert into humans values (${sandbox}, ${id}, ${sealed}, ${index}), (${sandbox}, ${sandbox}, null, null)`.execute(
      tx,
    );
  });
  expect((await resealAll(db, rotating, [humans])).resealed).toBe(1);
  const row = await inEnvironment(db, sandbox, async (tx) => {
    const found = await sql<{
      sealed_bvn: Buffer;
      bvn_index: Buffer;
    }>`select * from humans where id = ${id}`.execute(tx);
    return found.rows[0];
  });
  expect(row?.bvn_index).toEqual(rotated.blindIndex("22212345678", "bvn"));
  expect(sealedKeyVersion(row?.sealed_bvn ?? Buffer.alloc(0))).toBe(2);
});

test("every sealed column of the database is on the list", async () => {
  const found = await sql<{ place: string }>`
    select concat_ws('.', nullif(c.table_schema, 'public'), c.table_name, c.column_name) as place
    from information_schema.columns c
    where c.data_type = 'bytea' and c.column_name like 'sealed\\_%'
      and c.table_name <> 'humans' order by 1`.execute(db);
  expect(found.rows.map((row) => row.place)).toEqual(house.sealedColumns.map((c) => `${c.table}.${c.column}`).sort());
});

async function write(tx: Tx, sealed: Buffer): Promise<void> {
  await sql`
    update idempotency_keys set sealed_body = ${sealed}
    where environment_id = ${sandbox} and key = 'a'`.execute(tx);
}

/** Asked outside the transaction, which would see the same picture again and again. */
async function somebodyWaitsForLock(): Promise<void> {
  for (;;) {
    const waiting = await sql<{ count: bigint }>`
      select count(*) as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    if ((waiting.rows[0]?.count ?? 0n) > 0n) return;
  }
}

function readBody(): Promise<Buffer | undefined> {
  return inEnvironment(db, sandbox, async (tx) => {
    const found = await sql<{ sealed_body: Buffer }>`
      select sealed_body from idempotency_keys where key = 'a'`.execute(tx);
    return found.rows[0]?.sealed_body;
  });
}
