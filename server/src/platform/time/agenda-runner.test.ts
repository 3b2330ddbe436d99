import { setTimeout as pause } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { createMerchant } from "../../../testing/factories.ts";
import { silentLog } from "../../../testing/work.ts";
import { inEnvironment, readEnvironment } from "../database/database.ts";
import { schedule } from "../work/agenda.ts";
import { oneTransaction, type RunName, type TaskKind } from "../work/jobs.ts";
import { type ClockControl, createClockControl } from "./clock-control.ts";
import { setClock } from "./clock-setting.ts";
import { createEnvironmentLocks } from "./environment-lock.ts";

const database = await createTestDatabase();
const { db } = database;
const locks = createEnvironmentLocks({ url: database.appUrl });
afterAll(() => locks.close());

const kind = "test.shared";
const dawn = new Date("2026-11-01T06:00:00.000Z");

interface Stage {
  readonly environmentId: string;
  readonly clock: ClockControl;
}

/** A sandbox with tasks on two days, and the clock that runs them by `definition`. */
async function createStage(definition: TaskKind, names: readonly string[] = ["a", "b", "c"]): Promise<Stage> {
  const { environment } = await createMerchant(db);
  const environmentId = environment.id;
  await inEnvironment(db, environmentId, (tx) => setClock(tx, environmentId, { mode: "frozen", now: dawn, seed: "s" }));
  await inEnvironment(db, environmentId, async (tx) => {
    const dueAt = (days: number) => new Date(dawn.getTime() + days * 86_400_000);
    await schedule(
      tx,
      names.flatMap((name) => [1, 2].map((days) => ({ kind, subject: `${name}${days}`, dueAt: dueAt(days) }))),
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

test("a task of one transaction draws the same ids alone and in a transaction of many", async () => {
  const drawn: string[][] = [];
  for (const shared of [true, false]) {
    const own: string[] = [];
    const { handle, handleTogether } = oneTransaction(db, async (tx, { subject }) => {
      own.push(`${subject} ${tx.environment.clock.newId()}`);
    });
    const together = shared && handleTogether !== undefined ? { handleTogether } : {};
    const { environmentId, clock } = await createStage({ handle, ...together });
    await clock.advance(environmentId, { days: 3 });
    drawn.push(own);
  }
  expect(drawn[0]).toHaveLength(6);
  expect(drawn[0]).toEqual(drawn[1]);
});

test("a task that fails among many leaves its neighbours done, once", async () => {
  const { environmentId, clock } = await createStage(
    oneTransaction(db, async (tx, { subject }) => {
      if (subject === "b1") throw new Error("broken");
      await schedule(tx, [{ kind: "test.trace", subject, dueAt: new Date("2027-01-01T00:00:00Z") }]);
    }),
  );
  await expect(clock.advance(environmentId, { days: 1 })).rejects.toMatchObject({ data: { subject: "b1" } });
  const traces = await inEnvironment(db, environmentId, (tx) =>
    tx.selectFrom("agenda").select(["subject", "booking"]).where("kind", "=", "test.trace").execute(),
  );
  expect(traces).toEqual([{ subject: "a1", booking: 1 }]);
});

test.each([
  { beside: "a neighbour at work", sizes: [50, 50, 10, 10] },
  { beside: "nobody", sizes: [50, 50, 20] },
])("a long advance beside $beside works in pieces of $sizes", async ({ beside, sizes }) => {
  const pieces: number[] = [];
  const names = Array.from({ length: 120 }, (_, place) => `n${place}-`);
  const definition: TaskKind = {
    handle: neverAlone,
    handleTogether: async (_tx, tasks) => {
      // The first piece makes the work a long one.
      if (pieces.length === 0) await pause(600);
      pieces.push(tasks.length);
    },
  };
  const { environmentId, clock } = await createStage(definition, names);
  const { environment: neighbour } = await createMerchant(db);
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const working = readEnvironment(db, beside === "nobody" ? environmentId : neighbour.id, () => over);
  await clock.advance(environmentId, { days: 1 });
  end();
  await working;
  expect(pieces).toEqual(sizes);
});
