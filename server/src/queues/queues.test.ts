import { sql } from "kysely";
import { afterAll, describe, expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { signIn } from "../../testing/console.ts";
import { createLive } from "../../testing/factories.ts";
import { asOwner, silentLog } from "../../testing/work.ts";
import { inEnvironment, operatorScope } from "../platform/database/database.ts";
import { schedule } from "../platform/work/agenda.ts";
import { house } from "../start/slices.ts";
import { readClockAhead, startBeating } from "./beat.ts";
import { stateOf } from "./queue.ts";

const testing = await createTestApp();
const { db, ownerUrl, operate, call, merchant } = testing;

const list = async () => (await operate("GET", "/operator/queues")).json().data;
const metrics = async () => (await operate("GET", "/metrics")).body;

async function queue(kind: string, environment = "SANDBOX") {
  const found = (await list()).find(
    (one: Record<string, unknown>) => one["kind"] === kind && one["environment"] === environment,
  );
  return found;
}

const processes = async () => (await operate("GET", "/operator/processes")).json().data;

describe("queues", () => {
  test("every kind is listed for both kinds of environments, empty ones with depth 0", async () => {
    const all = await list();
    expect(all).toHaveLength(Object.keys(house.queues).length * 2);
    for (const one of all) expect(one).toMatchObject({ depth: 0, oldestSeconds: 0, misdated: 0, state: "ok" });
  });

  test("a payout that no worker has taken up waits, with its age", async () => {
    await call("POST", "/sandbox/wallets/fund", { body: { amount: 10_000 } });
    const body = { accountNumber: "0123456789", bankCode: "058", amount: 100, currency: "NGN", reference: "waits-1" };
    expect((await call("POST", "/transfers", { body })).statusCode).toBe(201);
    expect(await queue("transfers")).toMatchObject({ depth: 1, state: "ok" });
    await asOwner(ownerUrl, "update transfers set claim_at = claim_at - interval '60 seconds'");
    expect(await queue("transfers")).toMatchObject({ depth: 1, state: "slow" });
    await asOwner(ownerUrl, "update transfers set claim_at = claim_at - interval '600 seconds'");
    const { oldestSeconds, state } = await queue("transfers");
    expect([oldestSeconds > 650, state]).toEqual([true, "stuck"]);
    expect(await queue("transfers", "LIVE")).toMatchObject({ depth: 0 });
  });

  test("what a worker has taken up, or what is booked for later, does not wait", async () => {
    await asOwner(ownerUrl, "update transfers set claim_at = now() + interval '1 minute'");
    expect(await queue("transfers")).toMatchObject({ depth: 0, misdated: 0, state: "ok" });
  });

  test("jobs and entries of the agenda wait in live environments too", async () => {
    const live = await createLive(db);
    const kind = [...testing.tasks.kinds.keys()][0] ?? "";
    await inEnvironment(db, live, (tx) =>
      schedule(tx, [
        { kind, subject: "now" },
        { kind, subject: "later", dueAt: new Date(Date.now() + 3_600_000) },
      ]),
    );
    expect(await queue("jobs", "LIVE")).toMatchObject({ depth: 1 });
    expect(await queue("agenda", "LIVE")).toMatchObject({ depth: 0 });
    await asOwner(ownerUrl, "update agenda set wake_at = now() - interval '1 minute' where subject = 'later'");
    expect(await queue("agenda", "LIVE")).toMatchObject({ depth: 1, state: "slow" });
  });

  test("events age by their own environment's clock", async () => {
    await asOwner(ownerUrl, "update events set list_position = sequence where list_position is null");
    await asOwner(
      ownerUrl,
      `insert into events (environment_id, id, event, resource_type, resource_id, resource_version, data, created_at)
       values ('${merchant.environment.id}', gen_random_uuid(), 'a.b', 'a', gen_random_uuid(), 1, '{}',
         now() + interval '1 day' - interval '20 seconds')`,
    );
    await call("POST", "/sandbox/clock/advance", { body: { days: 1 } });
    const { depth, oldestSeconds } = await queue("events");
    expect([depth >= 1, oldestSeconds < 3_600]).toEqual([true, true]);
    await asOwner(ownerUrl, "delete from events where event = 'a.b'");
  });

  test("the same is in metrics", async () => {
    const page = await metrics();
    expect(page).toMatch(/^jara_queue_depth\{kind="jobs",environment="LIVE"\} 1$/m);
    expect(page).toMatch(/^jara_queue_oldest_seconds\{kind="agenda",environment="LIVE"\} 6\d/m);
    expect(page).toMatch(/^jara_unknown_over_limit\{kind="transfer",limit="returned"\} 0$/m);
  });

  test.each([
    [0, "ok"],
    [29.9, "ok"],
    [30, "slow"],
    [299, "slow"],
    [300, "stuck"],
  ] as const)("payouts that wait for %d seconds are %s", (oldestSeconds, state) => {
    const slowSeconds = house.queues["transfers"]?.slowSeconds ?? 0;
    expect(stateOf({ slowSeconds, oldestSeconds })).toBe(state);
  });
});

describe("processes", () => {
  test("one that started is listed until it is stopped", async () => {
    const beating = await startBeating({ db, log: silentLog, role: "worker", version: "9.9.9" });
    const [one] = (await processes()).processes;
    expect(one).toMatchObject({ role: "worker", version: "9.9.9", pid: process.pid, alive: true });
    expect(Math.abs(one.clockAheadSeconds)).toBeLessThan(1);
    expect(await metrics()).toMatch(/^jara_processes\{role="worker",version="9.9.9"\} 1$/m);
    await beating.stop();
    expect((await processes()).processes).toEqual([]);
  });

  test("one that was killed falls silent, and is forgotten after a day", async () => {
    const silent = (id: string, since: string) =>
      asOwner(
        ownerUrl,
        `insert into processes (id, role, version, host, pid, clock_ahead_ms, heard_at)
         values ('${id}', 'api', '1', 'gone', 7, 0, now() - interval '${since}')`,
      );
    await silent(crypto.randomUUID(), "1 minute");
    await silent(crypto.randomUUID(), "25 hours");
    const beating = await startBeating({ db, log: silentLog, role: "api", version: "1" });
    const { processes: all } = await processes();
    expect(all.map(({ host, alive }: Record<string, unknown>) => host === "gone" && alive)).toEqual(
      expect.arrayContaining([false]),
    );
    expect(all).toHaveLength(2);
    expect(await metrics()).toMatch(/^jara_processes\{role="api",version="1"\} 1$/m);
    await beating.stop();
  });

  test("the clocks of this machine and of PostgreSQL agree, and metrics say so", async () => {
    expect(Math.abs(await readClockAhead(db))).toBeLessThan(1);
    expect(await metrics()).toMatch(/^jara_clock_ahead_seconds -?[\d.e-]+$/m);
  });

  test("a standby with a slot is listed with how far it is behind", async () => {
    const slot = `jara_test_${process.pid}`;
    await asOwner(ownerUrl, `select pg_create_physical_replication_slot('${slot}', true)`);
    afterAll(() => asOwner(ownerUrl, `select pg_drop_replication_slot('${slot}')`));
    const found = (await processes()).standbys.find(({ name }: { name: string }) => name === slot);
    expect(found).toMatchObject({ connected: false, behindSeconds: null });
    // A reading stands for two seconds.
    await expect.poll(metrics).toContain(`jara_replication_lag_bytes{standby="${slot}"}`);
  });
});

test("every operator's role may look, and a merchant may not", async () => {
  for (const operator of ["admin", "support", "reconciliation"] as const) {
    const person = await signIn(testing, { email: `${operator}@jara.example`, operator });
    for (const path of ["queues", "processes"]) {
      expect((await person.ask("GET", `/console/api/operator/${path}`)).statusCode).toBe(200);
    }
  }
  const owner = await signIn(testing, { email: "owner@shop.example", role: "owner" });
  const refused = await owner.ask("GET", "/console/api/operator/queues");
  expect([refused.statusCode, refused.json().code]).toEqual([403, "role_missing"]);
});

test("nobody reads the list of processes from a tenant's environment", async () => {
  await inEnvironment(db, merchant.environment.id, async (tx) => {
    expect((await sql`select from processes`.execute(tx)).rows).toEqual([]);
  });
  const beating = await startBeating({ db, log: silentLog, role: "all", version: "1" });
  await inEnvironment(db, merchant.environment.id, async (tx) => {
    expect((await sql`select from processes`.execute(tx)).rows).toEqual([]);
  });
  await inEnvironment(db, operatorScope, async (tx) => {
    expect((await sql`select from processes`.execute(tx)).rows.length).toBeGreaterThan(0);
  });
  await beating.stop();
});
