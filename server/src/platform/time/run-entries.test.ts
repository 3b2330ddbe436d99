import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { createMerchant } from "../../../testing/factories.ts";
import { silentLog } from "../../../testing/work.ts";
import { inEnvironment, type Tx } from "../database/database.ts";
import { schedule } from "../work/agenda.ts";
import { type LookedUp, oneTransaction, type TaskKind } from "../work/jobs.ts";
import { createClockControl } from "./clock-control.ts";
import { setClock } from "./clock-setting.ts";
import { createEnvironmentLocks } from "./environment-lock.ts";

const database = await createTestDatabase();
const { db } = database;
const locks = createEnvironmentLocks({ url: database.appUrl });
afterAll(() => locks.close());

const dawn = new Date("2026-11-01T06:00:00.000Z");
const noon = new Date("2026-11-01T12:00:00.000Z");

/** Runs tasks that are due at noon, each named kind and subject, in this order. */
async function runAtNoon(kinds: Readonly<Record<string, TaskKind>>, names: readonly (readonly [string, string])[]) {
  const { environment } = await createMerchant(db);
  const { id } = environment;
  await inEnvironment(db, id, (tx) => setClock(tx, id, { mode: "frozen", now: dawn, seed: "s" }));
  await inEnvironment(db, id, (tx) =>
    schedule(
      tx,
      names.map(([kind, subject]) => ({ kind, subject, dueAt: noon })),
    ),
  );
  const clock = createClockControl({ db, log: silentLog, locks, kinds: new Map(Object.entries(kinds)) });
  return clock.advance(id, { days: 1 });
}

const neverAlone = () => Promise.reject(new Error("it is not handled alone"));
const of = (kind: string, ...subjects: readonly string[]) => subjects.map((subject) => [kind, subject] as const);

/** A kind that asks: what it does is told to `trace`, and subjects in `heard` hear something new. */
function askingKind(trace: string[], heard: readonly string[], changes: Partial<LookedUp> = {}): TaskKind {
  return {
    handle: async ({ subject }) => void trace.push(`alone ${subject}`),
    lookUp: async (_, tasks) => {
      trace.push(`look ${tasks.map(({ subject }) => subject)}`);
      return {
        ask: async ({ subject }) => {
          trace.push(`ask ${subject}`);
          return heard.includes(subject) ? async () => void trace.push(`rest ${subject}`) : undefined;
        },
        handleTogether: async (_tx, shared) => void trace.push(`write ${shared.map(({ subject }) => subject)}`),
        ...changes,
      };
    },
  };
}

test("tasks that ask do it in their order, and those that heard nothing share a transaction", async () => {
  const trace: string[] = [];
  const { ran } = await runAtNoon({ asks: askingKind(trace, ["c"]) }, of("asks", "a", "b", "c", "d", "e"));
  expect(ran).toBe(5);
  expect(trace).toEqual([
    "look a,b,c,d,e",
    "ask a",
    "ask b",
    "ask c",
    "write a,b",
    "rest c",
    "ask d",
    "ask e",
    "write d,e",
  ]);
});

test("a question that fails is handled again alone, and its neighbours are not", async () => {
  const trace: string[] = [];
  const ask: LookedUp["ask"] = async ({ subject }) => {
    if (subject === "b") throw new Error("the stranger broke");
    return undefined;
  };
  const { ran } = await runAtNoon({ asks: askingKind(trace, [], { ask }) }, of("asks", "a", "b", "c"));
  expect([ran, trace]).toEqual([3, ["look a,b,c", "write a", "alone b", "write c"]]);
});

test("what cannot be looked up or written together is handled one by one", async () => {
  const trace: string[] = [];
  await runAtNoon({ asks: askingKind(trace, [], { handleTogether: neverAlone }) }, of("asks", "a", "b"));
  expect(trace).toEqual(["look a,b", "ask a", "ask b", "alone a", "alone b"]);
  trace.length = 0;
  await runAtNoon({ asks: { ...askingKind(trace, []), lookUp: neverAlone } }, of("asks", "a", "b"));
  expect(trace).toEqual(["alone a", "alone b"]);
});

test("a task that stays broken stops the advance at its place", async () => {
  const trace: string[] = [];
  const ask: LookedUp["ask"] = async ({ subject }) => (subject === "b" ? neverAlone : undefined);
  const asks = { ...askingKind(trace, [], { ask }), handle: neverAlone };
  const advance = runAtNoon({ asks }, of("asks", "a", "b", "c"));
  await expect(advance).rejects.toMatchObject({ code: "clock_task_failed", data: { subject: "b" } });
  expect(trace).toEqual(["look a,b,c", "write a"]);
});

test("kinds of one moment share a transaction, each in its order", async () => {
  const written: (readonly [string, string])[] = [];
  const write = async (tx: Tx, words: string): Promise<void> => {
    const { rows } = await sql<{ number: string }>`select pg_current_xact_id()::text as number`.execute(tx);
    written.push([words, rows[0]?.number ?? ""]);
  };
  const plain = oneTransaction(db, (tx, { subject }) => write(tx, subject));
  const asks = askingKind([], [], {
    handleTogether: (tx, shared) => write(tx, shared.map(({ subject }) => subject).join()),
  });
  const names = [...of("plain", "a"), ...of("asks", "b", "c"), ...of("plain", "d")];
  const { ran } = await runAtNoon({ plain, asks }, names);
  expect([ran, written.map(([words]) => words)]).toEqual([4, ["a", "b,c", "d"]]);
  expect(new Set(written.map(([, transaction]) => transaction)).size).toBe(1);
});

test("kinds of one moment that stand in different orders of writes do not", async () => {
  const trace: string[] = [];
  const together = (name: string): TaskKind => ({
    handle: neverAlone,
    handleTogether: async (tx, shared) => void trace.push(`${name} ${shared.length} ${canDraw(tx)}`),
  });
  const kinds = { plain: together("plain"), beside: { ...together("beside"), takesNoPlace: true } };
  await runAtNoon(kinds, [...of("plain", "a", "b"), ...of("beside", "c"), ...of("plain", "d")]);
  expect(trace).toEqual(["plain 2 true", "beside 1 false", "plain 1 true"]);
});

/** What stands beside the order of writes may make up no ids. */
function canDraw(tx: Tx): boolean {
  try {
    return tx.environment.clock.newId() !== "";
  } catch {
    return false;
  }
}

test("a task draws the same ids alone and in a transaction of many, also after one of its own", async () => {
  const drawnBy = async (definition: (own: string[]) => TaskKind): Promise<string[]> => {
    const own: string[] = [];
    await runAtNoon({ asks: definition(own) }, of("asks", "a", "b", "c"));
    return own;
  };
  const draw = (own: string[], tx: Tx, subject: string) => void own.push(`${subject} ${tx.environment.clock.newId()}`);
  let environmentId = "";
  const ask = (own: string[], subject: string) =>
    inEnvironment(db, environmentId, async (tx) => draw(own, tx, `${subject} asks`));
  const alone = await drawnBy((own) => ({
    handle: async (task) => {
      environmentId = task.environmentId;
      await ask(own, task.subject);
      await inEnvironment(db, environmentId, async (tx) => draw(own, tx, task.subject));
    },
  }));
  const shared = await drawnBy((own) => ({
    handle: neverAlone,
    lookUp: async (tx) => {
      environmentId = tx.environment.id;
      return {
        ask: async ({ subject }) => ask(own, subject).then(() => undefined),
        handleTogether: async (writing, tasks) => {
          for (const { subject, within } of tasks) await within(async () => draw(own, writing, subject));
        },
      };
    },
  }));
  expect(alone).toHaveLength(6);
  expect(shared.toSorted()).toEqual(alone.toSorted());
});
