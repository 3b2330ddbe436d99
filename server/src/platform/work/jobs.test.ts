import { sql } from "kysely";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../testing/database.ts";
import { createLive, createMerchant } from "../../../testing/factories.ts";
import { eventually, silentLog } from "../../../testing/work.ts";
import { inEnvironment } from "../database/database.ts";
import { schedule } from "./agenda.ts";
import type { Task, TaskHandler } from "./jobs.ts";
import { prepareJobs, readJobCounts } from "./jobs-schema.ts";
import { startJobWorker } from "./jobs-worker.ts";

const kindNames = ["test.quick", "test.slow", "test.failing", "test.once", "test.live-quick", "test.live-slow"];
let database: TestDatabase;
let environmentId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  await prepareJobs(database.ownerUrl, kindNames);
  environmentId = (await createMerchant(database.db)).environment.id;
});

async function work(kind: string, handle: TaskHandler, pace: "quick" | "slow" = "quick"): Promise<void> {
  const kinds = new Map([[kind, { handle, pace }]]);
  const worker = await startJobWorker({ db: database.db, log: silentLog, kinds, url: database.appUrl });
  onTestFinished(() => worker.stop(5_000));
}

function scheduleAll(kind: string, subjects: readonly string[], id = environmentId): Promise<void> {
  return inEnvironment(database.db, id, (tx) =>
    schedule(
      tx,
      subjects.map((subject) => ({ kind, subject, payload: { for: subject } })),
    ),
  );
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `record-${index}`);

describe("jobs", () => {
  test("two workers side by side run each job once", async () => {
    const runs: string[][] = [[], []];
    await work("test.quick", async (task) => void runs[0]?.push(task.subject));
    await work("test.quick", async (task) => void runs[1]?.push(task.subject));
    const subjects = numbered(2_000);
    for (let part = 0; part < 20; part += 1)
      await scheduleAll("test.quick", subjects.slice(part * 100, part * 100 + 100));
    await eventually("all jobs ran", () => runs.flat().length >= subjects.length);
    expect(runs.flat().sort()).toEqual(subjects.toSorted());
    expect(runs.map((own) => own.length > 0)).toEqual([true, true]);
  });

  test("a slow kind runs one by one, without resting between jobs", async () => {
    const seen: Task[] = [];
    await work("test.slow", async (task) => void seen.push(task), "slow");
    await scheduleAll("test.slow", numbered(40));
    // With a rest of a second after each it would take forty seconds.
    await eventually("all jobs ran", () => seen.length === 40, 30_000);
    expect(seen[0]).toMatchObject({ environmentId, payload: { for: seen[0]?.subject } });
  });

  test.each(["quick", "slow"] as const)("a live job of a %s kind passes sandbox jobs that hang", async (pace) => {
    const kind = `test.live-${pace}`;
    const live = await createLive(database.db);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let hanging = 0;
    let passed = false;
    onTestFinished(() => release());
    await work(
      kind,
      async (task) => {
        if (task.environmentId === live) passed = true;
        else {
          hanging += 1;
          await released;
        }
      },
      pace,
    );
    await scheduleAll(kind, numbered(1_000));
    // All that sandboxes may have under way: two batches of eight at once, or eight one by one.
    await eventually("the sandbox holds what it can", () => hanging === (pace === "quick" ? 16 : 8));
    await scheduleAll(kind, ["live"], live);
    await eventually("the live job ran", () => passed);
  });

  test("a transaction that rolls back leaves no job", async () => {
    const seen: string[] = [];
    await work("test.once", async (task) => void seen.push(task.subject));
    const failed = inEnvironment(database.db, environmentId, async (tx) => {
      await schedule(tx, [{ kind: "test.once", subject: "never" }]);
      throw new Error("changed my mind");
    });
    await expect(failed).rejects.toThrow("changed my mind");
    await scheduleAll("test.once", ["always"]);
    await eventually("the committed job ran", () => seen.length > 0);
    expect(seen).toEqual(["always"]);
  });

  test("a failing job is tried again and its neighbours are not harmed", async () => {
    const attempts = new Map<string, number>();
    await work("test.failing", async ({ subject }) => {
      const attempt = (attempts.get(subject) ?? 0) + 1;
      attempts.set(subject, attempt);
      if (subject === "record-1" && attempt === 1) throw new Error("the first time always goes wrong");
    });
    await scheduleAll("test.failing", numbered(3));
    await eventually("the failing job ran again", () => attempts.get("record-1") === 2);
    expect(Object.fromEntries(attempts)).toEqual({ "record-0": 1, "record-1": 2, "record-2": 1 });
  });

  test("scheduling a kind without a queue is refused instead of lost", async () => {
    await expect(scheduleAll("test.unknown", ["a"])).rejects.toThrow("test.unknown");
  });

  test("the figures of each kind can be read", async () => {
    const kinds = (await readJobCounts(database.db)).map((count) => count.kind);
    expect(kinds).toContain("test.quick");
  });

  test.each([
    ["create a queue", sql`select pgboss.create_queue('mine', '{"policy":"standard"}')`],
    ["create a table", sql`create table pgboss.mine (id integer)`],
    ["drop the jobs", sql`drop table pgboss.job`],
    ["empty the jobs", sql`truncate pgboss.job`],
  ])("the application role may not %s", async (_what, statement) => {
    await expect(statement.execute(database.db)).rejects.toThrow(/permission denied|must be owner/);
  });
});
