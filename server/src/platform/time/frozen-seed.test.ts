/** Equal inputs give an equal log, whatever the machine does meanwhile. */
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../testing/database.ts";
import { createMerchant } from "../../../testing/factories.ts";
import { silentLog } from "../../../testing/work.ts";
import { inBackground } from "../database/cause.ts";
import { inEnvironment } from "../database/database.ts";
import { recordEvents } from "../records/outbox.ts";
import { schedule, type TaskEntry } from "../work/agenda.ts";
import type { Task } from "../work/jobs.ts";
import { prepareJobs } from "../work/jobs-schema.ts";
import { type ClockControl, createClockControl } from "./clock-control.ts";
import { setClock } from "./clock-setting.ts";
import { createEnvironmentLocks, type EnvironmentLocks } from "./environment-lock.ts";

const kind = "test.note";
let database: TestDatabase;
let locks: EnvironmentLocks;
let environmentId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  await prepareJobs(database.ownerUrl, [kind]);
  locks = createEnvironmentLocks({ url: database.appUrl });
});

afterAll(() => locks.close());

beforeEach(async () => {
  environmentId = (await createMerchant(database.db)).environment.id;
});

function bookIn(id: string, entries: readonly TaskEntry[]): Promise<void> {
  return inEnvironment(database.db, id, (tx) => schedule(tx, entries));
}

describe("two sandboxes frozen with the same seed", () => {
  /**
   * A small business: each task emits an event with something made up, and goes on tomorrow, three times. `meanwhile`
   * is what happens in the background, at whatever moment.
   */
  async function live(
    control: ClockControl,
    id: string,
    meanwhile: () => Promise<void> = async () => undefined,
  ): Promise<string> {
    const now = new Date("2026-11-01T06:00:00Z");
    await inEnvironment(database.db, id, (tx) => setClock(tx, id, { mode: "frozen", now, seed: "lesson" }));
    for (const subject of ["first", "second"]) {
      await inEnvironment(database.db, id, (tx) => schedule(tx, [{ kind, subject, payload: { left: 3 } }]));
      await meanwhile();
      await control.settleFrozen(id);
    }
    await meanwhile();
    await control.advance(id, { days: 2 });
    await control.advance(id, { until: "next_due" });
    const log = await inEnvironment(database.db, id, (tx) =>
      sql<{ line: string }>`select row_to_json(e)::text as line from (
        select id, event, resource_id, resource_version, data, created_at from events
        where environment_id = ${id} order by sequence) e`.execute(tx),
    );
    return log.rows.map((row) => row.line).join("\n");
  }

  const work = async (task: Task): Promise<void> => {
    const { left } = task.payload as { left: number };
    await inEnvironment(database.db, task.environmentId, async (tx) => {
      const { clock } = tx.environment;
      const resourceId = clock.newId();
      const data = { subject: task.subject, left, code: clock.randomBytes(6).toString("hex") };
      await recordEvents(tx, [
        { event: "test.worked", resourceType: "test", resourceId, resourceVersion: 4 - left, data },
      ]);
      const dueAt = clock.after(86_400_000);
      if (left > 1) await schedule(tx, [{ kind, subject: task.subject, payload: { left: left - 1 }, dueAt }]);
    });
  };

  test("give an equal event log, byte for byte, from equal inputs", async () => {
    const control = createClockControl({
      db: database.db,
      log: silentLog,
      locks,
      kinds: new Map([[kind, { handle: work }]]),
    });
    const other = (await createMerchant(database.db)).environment.id;
    const [log, otherLog] = [await live(control, environmentId), await live(control, other)];
    expect(log.split("\n")).toHaveLength(6);
    expect(new Set(log.split("\n")).size).toBe(6);
    expect(otherLog).toBe(log);
  });

  test("also when jobs come back, loops write and tasks are tried twice in one of them", async () => {
    let failing = 0;
    const fragile = async (task: Task): Promise<void> => {
      await work(task);
      failing += 1;
      // The second try finds the work done.
      if (failing === 1) throw new Error("the connection broke after COMMIT");
    };
    const twice = new Set<string>();
    const handle = async (task: Task): Promise<void> => {
      if (task.payload["stray"] === true) return;
      const key = `${task.subject}/${task.payload["left"]}`;
      if (twice.has(key)) return;
      twice.add(key);
      await fragile(task);
    };
    const controlOf = (handler: (task: Task) => Promise<void>) =>
      createClockControl({
        db: database.db,
        log: silentLog,
        locks,
        kinds: new Map([[kind, { handle: handler }]]),
      });
    const other = (await createMerchant(database.db)).environment.id;
    const quiet = await live(controlOf(work), environmentId);
    let round = 0;
    const noisy = await live(controlOf(handle), other, async () => {
      round += 1;
      const strays = Array.from({ length: round }, (_, n) => ({
        kind,
        subject: `stray ${round}/${n}`,
        payload: { stray: true },
      }));
      for (const stray of strays) await inBackground(() => bookIn(other, [stray]));
    });
    expect(round).toBe(3);
    expect(noisy).toBe(quiet);
  });
});
