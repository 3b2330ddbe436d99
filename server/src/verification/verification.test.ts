import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { signIn } from "../../testing/console.ts";
import { asOwner, eventually, silentLog, workThrough } from "../../testing/work.ts";
import type { Check } from "../platform/slice-description.ts";
import { mainWalletId } from "../wallets/wallet.ts";
import { createVerifier } from "./run-verification.ts";
import { planVerification } from "./verify-books.job.ts";

const testing = await createTestApp();
const { db, ownerUrl, operate, tasks, merchant } = testing;

const start = (headers = {}) => operate("POST", "/operator/verifications", undefined, headers);
const show = async (id: string) => (await operate("GET", `/operator/verifications/${id}`)).json().data;
const list = async (query = "") => (await operate("GET", `/operator/verifications?${query}`)).json();
const metrics = async () => (await operate("GET", "/metrics")).body;
const loop = tasks.loops.find(({ name }) => name === "verifications");

async function work(): Promise<void> {
  if (loop === undefined) throw new Error("no worker verifies");
  await workThrough(loop);
}

const verifierOf = (checks: readonly Check[]) =>
  createVerifier({ db, log: silentLog, bookChecks: { checks, operatorChecks: [] } });

describe("a verification", () => {
  test("that nobody has asked for yet says nothing in metrics", async () => {
    expect(await metrics()).not.toMatch(/^jara_ledger_verify_ok /m);
  });

  test("is done by a worker, once, and found clean", async () => {
    const reply = await start();
    expect([reply.statusCode, reply.json().data.state]).toEqual([201, "running"]);
    const { id } = reply.json().data;
    await Promise.all([work(), work()]);
    expect(await show(id)).toMatchObject({
      state: "clean",
      environments: 2,
      contradictions: 0,
      found: [],
      failure: null,
    });
    expect((await show(id)).checks).toBeGreaterThan(10);
    expect(await metrics()).toMatch(/^jara_ledger_verify_ok 1$/m);
    expect(await metrics()).toMatch(/^jara_ledger_verify_age_seconds \d/m);
    const { data } = (await operate("GET", "/operator/audit?limit=10")).json();
    expect(data).toContainEqual(expect.objectContaining({ action: "verification.start", subjectId: id }));
  });

  test("names what contradicts, and metrics tell", async () => {
    const { id: environmentId } = merchant.environment;
    const wallet = mainWalletId(environmentId);
    await asOwner(ownerUrl, `update accounts set balance = balance + 1 where id = '${wallet}'`);
    const { id } = (await start()).json().data;
    await work();
    await asOwner(ownerUrl, `update accounts set balance = balance - 1 where id = '${wallet}'`);
    expect(await show(id)).toMatchObject({
      state: "contradictions",
      contradictions: 1,
      found: [{ environmentId, check: "balance equals entries", subject: wallet }],
    });
    expect(await metrics()).toMatch(/^jara_ledger_verify_ok 0$/m);
  });

  test("under one key is one, and a second at once is refused and told which", async () => {
    const headers = { "idempotency-key": "verify-tonight" };
    const first = await start(headers);
    const again = await start(headers);
    expect([again.statusCode, again.headers["idempotent-replayed"], again.body]).toEqual([201, "true", first.body]);
    const other = await start();
    expect(other.json()).toMatchObject({
      code: "verification_under_way",
      data: { verificationId: first.json().data.id },
    });
    await work();
  });

  test("that a dead worker left is taken up again, and the dead one writes nothing more", async () => {
    const { id } = (await start()).json().data;
    const stuck = Promise.withResolvers<void>();
    let reached = false;
    const dead = verifierOf([
      async () => {
        reached = true;
        await stuck.promise;
        return [{ check: "late", subject: "x", expected: "1", found: "2" }];
      },
    ]);
    await dead.step();
    await eventually("the dead worker is at it", () => reached);
    await work();
    expect(await show(id)).toMatchObject({ state: "running" });
    await asOwner(ownerUrl, `update verifications set next_at = now() where id = '${id}'`);
    await work();
    stuck.resolve();
    await dead.drain();
    expect(await show(id)).toMatchObject({ state: "clean", found: [] });
  });

  test("that a stopped worker was at is given back at once, in the middle of a statement", async () => {
    const { id } = (await start()).json().data;
    const reached = Promise.withResolvers<void>();
    const stopped = verifierOf([
      async (tx) => {
        reached.resolve();
        await sql`select pg_sleep(3600)`.execute(tx);
        return [];
      },
    ]);
    await stopped.step();
    await reached.promise;
    await stopped.close();
    expect(await show(id)).toMatchObject({ state: "running" });
    await work();
    expect(await show(id)).toMatchObject({ state: "clean" });
  });

  test("that a stopped worker was at between two statements is given back at the next", async () => {
    const { id } = (await start()).json().data;
    const reached = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const stopped = verifierOf([
      async (tx) => {
        reached.resolve();
        await goOn.promise;
        await sql`select pg_sleep(3600)`.execute(tx);
        return [];
      },
    ]);
    await stopped.step();
    await reached.promise;
    const closed = stopped.close();
    // Long enough for the first cancel to find nothing to stop.
    await sql`select pg_sleep(0.05)`.execute(db);
    goOn.resolve();
    await closed;
    expect(await show(id)).toMatchObject({ state: "running" });
    await work();
    expect(await show(id)).toMatchObject({ state: "clean" });
  });

  test("that breaks off three times has failed, and says nothing about the books", async () => {
    const { id } = (await start()).json().data;
    const broken = verifierOf([() => Promise.reject(new Error("no such table"))]);
    for (const state of ["running", "running", "failed"]) {
      await asOwner(ownerUrl, `update verifications set next_at = now() where id = '${id}'`);
      await broken.step();
      await broken.drain();
      expect(await show(id)).toMatchObject({ state });
    }
    expect((await show(id)).failure).toContain("3 times");
    expect(await metrics()).toMatch(/^jara_ledger_verify_ok 0$/m);
  });

  test("cannot write", async () => {
    const { id } = (await start()).json().data;
    const writing = verifierOf([(tx) => sql`create temp table t ()`.execute(tx).then(() => [])]);
    await writing.step();
    await writing.drain();
    expect(await show(id)).toMatchObject({ state: "running" });
    await asOwner(ownerUrl, `update verifications set next_at = now() where id = '${id}'`);
    await work();
  });
});

test("the list is newest first, by state, in pages; an id that nobody has is refused", async () => {
  const { data, pagination } = await list("limit=2");
  expect([data.length, pagination.itemsPerPage, pagination.hasNextPage]).toEqual([2, 2, true]);
  expect(data[0].createdAt > data[1].createdAt).toBe(true);
  expect((await list("state=contradictions")).data).toHaveLength(1);
  expect((await list("page=99")).data).toEqual([]);
  expect((await list("state=odd")).code).toBe("validation_failed");
  const missing = await operate("GET", `/operator/verifications/${crypto.randomUUID()}`);
  expect([missing.statusCode, missing.json().code]).toEqual([404, "verification_not_found"]);
});

test("each night has one, from three o'clock on, and what failed is tried again an hour later", async () => {
  const deps = { db, log: silentLog, bookChecks: { checks: [], operatorChecks: [] } };
  const verifier = verifierOf([]);
  const finish = async () => {
    await verifier.step();
    await verifier.drain();
  };
  await asOwner(ownerUrl, "delete from verifications");
  // In Lagos it is an hour later than in UTC, all year.
  const at = (time: string) => new Date(`2099-03-02T${time}Z`);
  expect(await planVerification(deps, at("01:59:00"))).toBe(true);
  expect(await planVerification(deps, at("01:59:30"))).toBe(false);
  await finish();
  await asOwner(ownerUrl, "update verifications set created_at = '2099-03-02T01:59:00Z'");
  expect(await planVerification(deps, at("01:59:40"))).toBe(false);
  expect(await planVerification(deps, at("02:00:00"))).toBe(true);
  const mark = "state = 'failed', failure_message = 'x', ended_at = '2099-03-02T02:10:00Z'";
  await asOwner(ownerUrl, `update verifications set ${mark} where state = 'running'`);
  expect(await planVerification(deps, at("03:00:00"))).toBe(false);
  expect(await planVerification(deps, at("03:11:00"))).toBe(true);
  const { data } = await list();
  expect(data[0].requestedBy).toBe("nightly");
  await finish();
});

test("at the console admins and reconciliation start one, support only reads", async () => {
  const path = "/console/api/operator/verifications";
  for (const [operator, status] of [
    ["admin", 201],
    ["reconciliation", 201],
    ["support", 403],
  ] as const) {
    const person = await signIn(testing, { email: `${operator}@jara.example`, operator });
    expect((await person.ask("GET", path)).statusCode).toBe(200);
    expect((await person.ask("POST", path)).statusCode).toBe(status);
    await work();
  }
});
