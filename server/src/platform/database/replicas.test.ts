/** Readings from a real standby: never older than what was committed before, and never refused because of it. */
import { sql } from "kysely";
import { afterAll, beforeEach, expect, test } from "vitest";
import { createMerchant } from "../../../testing/factories.ts";
import { openPair } from "../../../testing/platform/standby.ts";
import { createDatabase, createPool, inEnvironment, type Tx } from "./database.ts";
import { attachReplicas, readFromReplica, replicaStates } from "./replicas.ts";

const pair = await openPair();
const open = (url: string) => createDatabase(createPool({ url, poolSize: 4 }));
const db = open(pair.primary.appUrl);
const standby = open(pair.appUrl);
const troubles: string[] = [];
attachReplicas(db, [{ name: "standby", db: standby }], {
  onTrouble: (_, reason) => troubles.push(reason instanceof Error ? reason.message : String(reason)),
});
const { environment } = await createMerchant(db);
const { id } = environment;

afterAll(async () => {
  await Promise.all([db.destroy(), standby.destroy()]);
  await pair.close();
});
beforeEach(() => {
  troubles.length = 0;
});

let key = 0;
const write = () =>
  inEnvironment(db, id, async (tx) => {
    key += 1;
    const own = key;
    await sql`insert into idempotency_keys (environment_id, key, request_hash)
      values (${id}, ${`key-${own}`}, sha256('x'))`.execute(tx);
    return own;
  });

interface Seen {
  readonly fromStandby: boolean;
  readonly keys: number;
}

async function look(tx: Tx): Promise<Seen> {
  const found = await sql<Seen>`
    select pg_is_in_recovery() as "fromStandby", count(*)::int as keys from idempotency_keys`.execute(tx);
  const [seen] = found.rows;
  if (seen === undefined) throw new Error("a count has a row");
  return seen;
}
const read = () => readFromReplica(db, id, look);

/** Until the standby serves: a late one is passed over for a while. */
const served = () => expect.poll(async () => (await read()).fromStandby).toBe(true);

test("a reading is served by the standby, and has what was committed a moment before", async () => {
  await served();
  // On a busy machine the standby may be late for some of them.
  for (let fromStandby = 0; fromStandby < 20; ) {
    const written = await write();
    const seen = await read();
    expect(seen.keys).toBe(written);
    if (seen.fromStandby) fromStandby += 1;
  }
});

test("many at once, each after a write of its own, see their own", async () => {
  await served();
  const seen = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const own = `key-${await write()}`;
      const found = await readFromReplica(db, id, (tx) =>
        sql`select from idempotency_keys where key = ${own}`.execute(tx),
      );
      return found.rows.length;
    }),
  );
  expect(seen).toEqual(Array.from({ length: 40 }, () => 1));
});

test("row level security holds there as well, and nothing can be written", async () => {
  const other = await createMerchant(db);
  await served();
  const seen = await readFromReplica(db, other.environment.id, look);
  expect(seen.keys).toBe(0);
  const writing = readFromReplica(db, id, (tx) => sql`delete from idempotency_keys`.execute(tx));
  await expect(writing).rejects.toThrow("a transaction that only reads tried to write");
});

test("a standby that is late is passed over, and serves again when it has caught up", async () => {
  await served();
  await pair.holdReplay();
  const written = await write();
  expect(await read()).toEqual({ fromStandby: false, keys: written });
  expect(troubles).toContain("it is late");
  expect(replicaStates(db)).toMatchObject([{ name: "standby", serves: false, behindBytes: expect.any(Number) }]);
  await pair.resumeReplay();
  await served();
  expect((await read()).keys).toBe(written);
  expect(replicaStates(db)).toMatchObject([{ serves: true }]);
});

test("a question that only the primary can be asked is asked there", async () => {
  await served();
  const flushed = await readFromReplica(db, id, async (tx) => {
    const found = await sql<{ at: string }>`select pg_current_wal_flush_lsn()::text as at`.execute(tx);
    return found.rows[0]?.at;
  });
  expect(flushed).toMatch(/^[0-9A-F]+\/[0-9A-F]+$/);
  expect(troubles.filter((trouble) => trouble !== "it is late")).toEqual([]);
});

test("a database that is no standby of this one never serves", async () => {
  const lone = open(pair.primary.appUrl);
  const beside = open(pair.primary.appUrl);
  attachReplicas(lone, [{ name: "itself", db: beside }], { onTrouble: (_, reason) => troubles.push(String(reason)) });
  const toldOff = async () => {
    expect((await readFromReplica(lone, id, look)).fromStandby).toBe(false);
    return troubles;
  };
  await expect.poll(toldOff).toContain("Error: it is a primary itself, and no standby");
  await Promise.all([lone.destroy(), beside.destroy()]);
});

test("a standby that is promoted, or gone, costs no reading", async () => {
  await served();
  await pair.promote();
  const written = await write();
  expect(await read()).toEqual({ fromStandby: false, keys: written });
  await pair.stopStandby();
  const seen = await Promise.all(Array.from({ length: 10 }, read));
  expect(seen).toEqual(Array.from({ length: 10 }, () => ({ fromStandby: false, keys: written })));
  expect(troubles.length).toBeGreaterThan(0);
});
