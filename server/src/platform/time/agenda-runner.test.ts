import { afterAll, expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { createMerchant } from "../../../testing/factories.ts";
import { silentLog } from "../../../testing/work.ts";
import { inEnvironment } from "../database/database.ts";
import { schedule } from "../work/agenda.ts";
import type { RunName, TaskKind } from "../work/jobs.ts";
import { type ClockControl, createClockControl } from "./clock-control.ts";
import { setClock } from "./clock-setting.ts";
import { createEnvironmentLocks } from "./environment-lock.ts";

const database = await createTestDatabase();
const { db } = database;
const locks = createEnvironmentLocks({ url: database.appUrl });
afterAll(() => locks.close());

const kind = "test.shared";
const dawn = new Date("2026-11-01T06:00:00.000Z");

/** A sandbox with tasks on two days, and the clock that runs them by `definition`. */
async function createStage(definition: TaskKind): Promise<{ environmentId: string; clock: ClockControl }> {
  const { environment } = await createMerchant(db);
  const environmentId = environment.id;
  await inEnvironment(db, environmentId, (tx) => setClock(tx, environmentId, { mode: "frozen", now: dawn, seed: "s" }));
  await inEnvironment(db, environmentId, async (tx) => {
    const dueAt = (days: number) => new Date(dawn.getTime() + days * 86_400_000);
    await schedule(
      tx,
      ["a", "b", "c"].flatMap((name) =>
        [1, 2].map((days) => ({ kind, subject: `${name}${days}`, dueAt: dueAt(days) })),
      ),
    );
  });
  const kinds = new Map([[kind, definition]]);
  return { environmentId, clock: createClockControl({ db, log: silentLog, locks, kinds }) };
}

const neverAlone = () => Promise.reject(new Error("they run together"));

test("a run keeps its name from one transaction to the next", async () => {
  const names: RunName[] = [];
  const { environmentId, clock } = await createStage({
    handle: neverAlone,
    handleTogether: async (_tx, _tasks, run) => void names.push(run),
  });
  expect((await clock.advance(environmentId, { days: 3 })).ran).toBe(6);
  expect(names).toHaveLength(2);
  expect(names[1]).toBe(names[0]);
});

test("after a try that was rolled back a run has another name", async () => {
  const names: RunName[] = [];
  const { environmentId, clock } = await createStage({
    handle: neverAlone,
    handleTogether: async (_tx, _tasks, run) => {
      names.push(run);
      if (names.length === 1) throw Object.assign(new Error("two met"), { code: "40001" });
    },
  });
  expect((await clock.advance(environmentId, { days: 3 })).ran).toBe(6);
  expect(names).toHaveLength(3);
  expect(names[1]).not.toBe(names[0]);
  expect(names[2]).toBe(names[1]);
});

test("a task that goes on in its own part draws on where it stopped", async () => {
  const drawn: string[] = [];
  const { environmentId, clock } = await createStage({
    handle: neverAlone,
    handleTogether: async (tx, tasks) => {
      for (const { within } of [...tasks, ...tasks]) {
        await within(async () => void drawn.push(tx.environment.clock.newId()));
      }
    },
  });
  await clock.advance(environmentId, { days: 3 });
  expect(drawn).toHaveLength(12);
  expect(new Set(drawn).size).toBe(12);
});
