import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../testing/database.ts";
import { createMerchant } from "../../../testing/factories.ts";
import { asOwner, silentLog } from "../../../testing/work.ts";
import { inEnvironment } from "../database/database.ts";
import { setClock } from "../time/clock-setting.ts";
import { cancelScheduled, schedule } from "./agenda.ts";
import { prepareJobs } from "./jobs-schema.ts";
import { type SweepSource, type SweptRecord, sweep } from "./sweeper.ts";

const kind = "test.finish";
let database: TestDatabase;
let environmentId: string;

/** Parcels that must be delivered stand in for a domain's records. */
const parcels: SweepSource = {
  name: "parcels under way",
  kind,
  find: async (db, after, atMost) => {
    const { environmentId: last = "00000000-0000-0000-0000-000000000000", subject = "" } = after ?? {};
    const found = await sql<SweptRecord>`
      select environment_id as "environmentId", id as subject from parcels
      where not delivered and (environment_id, id) > (${last}, ${subject})
      order by environment_id, id limit ${atMost}`.execute(db);
    return found.rows;
  },
};

beforeAll(async () => {
  database = await createTestDatabase();
  await prepareJobs(database.ownerUrl, [kind]);
  await asOwner(
    database.ownerUrl,
    `create table parcels (
       environment_id uuid, id text, delivered boolean default false, primary key (environment_id, id));
     grant select, insert, update, delete on parcels to jara_app;`,
  );
  environmentId = (await createMerchant(database.db)).environment.id;
});

async function given(subjects: readonly string[]): Promise<void> {
  await sql`delete from parcels`.execute(database.db);
  await sql`delete from pgboss.job`.execute(database.db);
  await sql`
    insert into parcels (environment_id, id)
    select ${environmentId}::uuid, unnest(${subjects}::text[])`.execute(database.db);
}

async function readJobs(): Promise<{ subject: string; state: string }[]> {
  const found = await sql<{ subject: string; state: string }>`
    select singleton_key as subject, state::text from pgboss.job order by 1, 2`.execute(database.db);
  return found.rows;
}

const runSweep = (): Promise<number> => sweep(database.db, [parcels], silentLog);

describe("the sweeper", () => {
  test("gives a stranded record a job, once", async () => {
    await given(["a"]);
    expect(await runSweep()).toBe(1);
    expect(await runSweep()).toBe(0);
    expect(await readJobs()).toEqual([{ subject: "a", state: "created" }]);
  });

  test("leaves a frozen sandbox alone in which somebody wrote a moment ago", async () => {
    await given(["a"]);
    await inEnvironment(database.db, environmentId, (tx) => setClock(tx, environmentId, { mode: "frozen" }));
    expect(await sweep(database.db, [parcels], silentLog, { idleSeconds: 60 })).toBe(0);
    await asOwner(database.ownerUrl, "update environment_clocks set touched_at = now() - interval '61 seconds'");
    expect(await sweep(database.db, [parcels], silentLog, { idleSeconds: 60 })).toBe(1);
    await inEnvironment(database.db, environmentId, async (tx) => {
      await cancelScheduled(tx, kind, ["a"]);
      await setClock(tx, environmentId, { mode: "running" });
    });
  });

  test("leaves records that an agenda entry or a live job will move", async () => {
    await given(["active", "booked", "queued", "stranded"]);
    await inEnvironment(database.db, environmentId, (tx) =>
      schedule(tx, [
        { kind, subject: "active" },
        { kind, subject: "queued" },
        { kind, subject: "booked", dueAt: new Date(Date.now() + 60_000) },
      ]),
    );
    await sql`update pgboss.job set state = 'active' where singleton_key = 'active'`.execute(database.db);
    expect(await runSweep()).toBe(1);
    expect((await readJobs()).map((job) => job.subject)).toEqual(["active", "queued", "stranded"]);
  });

  test.each(["completed", "failed", "cancelled"])("a job that is %s moves nothing any more", async (state) => {
    await given(["a"]);
    await runSweep();
    await sql`update pgboss.job set state = ${state}::pgboss.job_state`.execute(database.db);
    expect(await runSweep()).toBe(1);
    expect((await readJobs()).map((job) => job.state).toSorted()).toEqual([state, "created"].toSorted());
  });

  test("another environment's job of the same subject does not count", async () => {
    await given(["a"]);
    const other = (await createMerchant(database.db)).environment.id;
    await inEnvironment(database.db, other, (tx) => schedule(tx, [{ kind, subject: "a" }]));
    expect(await runSweep()).toBe(1);
  });

  test("finds a stranded record behind many that are cared for", async () => {
    const many = Array.from({ length: 1_200 }, (_, index) => `p${String(index).padStart(5, "0")}`);
    await given([...many, "z"]);
    await inEnvironment(database.db, environmentId, (tx) =>
      schedule(
        tx,
        many.map((subject) => ({ kind, subject })),
      ),
    );
    expect(await runSweep()).toBe(1);
    expect((await readJobs()).at(-1)?.subject).toBe("z");
  });
});
