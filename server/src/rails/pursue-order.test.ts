/**
 * The drawing in order.ts, followed by the only code that may: step by step, and over random faults against a rail that
 * keeps books of its own. Whatever is lost, late or killed, the rail does an order once, and what we end with is what
 * its books say.
 */
import fc from "fast-check";
import { pino } from "pino";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase } from "../../testing/database.ts";
import { createMerchant } from "../../testing/factories.ts";
import { silentLog } from "../../testing/work.ts";
import { inEnvironment } from "../platform/database/database.ts";
import { createClockControl } from "../platform/time/clock-control.ts";
import { setClock } from "../platform/time/clock-setting.ts";
import { createEnvironmentLocks } from "../platform/time/environment-lock.ts";
import { schedule } from "../platform/work/agenda.ts";
import type { NoRecord, Unknown } from "./answer.ts";
import { askedBySending, type OrderKind } from "./order.ts";
import { pursue, takeUpTask } from "./pursue-order.ts";

const { db, appUrl } = await createTestDatabase();
const locks = createEnvironmentLocks({ url: appUrl });
afterAll(() => locks.close());
const environmentId = (await createMerchant(db)).environment.id;
await inEnvironment(db, environmentId, (tx) => setClock(tx, environmentId, { mode: "frozen", seed: "orders" }));

interface Parcel {
  readonly id: string;
}
interface Delivered {
  readonly outcome: "delivered" | "refused";
}
type Status = "pending" | "processing" | "delivered" | "refused";

const task = "parcels.ask";
const key = { environmentId, kind: "SANDBOX", id: "p-1" } as const;
const name = { environmentId, id: "p-1" };
const unknown: Unknown = { outcome: "unknown" };
const noRecord: NoRecord = { outcome: "no_record" };
const delivered: Delivered = { outcome: "delivered" };

/** Our side's record, and what was said about it. */
let status: Status;
let queries: number;
let sentForMs: number;
let calls: string[];
let warnings: number;

beforeEach(async () => {
  status = "pending";
  queries = 0;
  sentForMs = 0;
  calls = [];
  warnings = 0;
  await inEnvironment(db, environmentId, (tx) => tx.deleteFrom("agenda").execute());
});

const log = pino(
  { level: "warn" },
  {
    write: () => {
      warnings += 1;
    },
  },
);

function kindOf(rail: Partial<OrderKind<Parcel, Delivered>>): OrderKind<Parcel, Delivered> {
  return {
    noun: "parcel",
    rail: "the courier",
    task,
    find: async (_, id) =>
      status === "pending" || status === "processing" ? { order: { id }, status, sentForMs } : undefined,
    start: async (_, parcel) => {
      calls.push("start");
      if (status !== "pending") return null;
      status = "processing";
      return parcel;
    },
    send: async () => unknown,
    query: async () => noRecord,
    resend: async () => ({ recognised: true, afterMs: 60_000 }),
    countQueries: async (_, parcels) => {
      if (status !== "processing") return new Map();
      queries += 1;
      return new Map(parcels.map(({ id }) => [id, queries]));
    },
    end: async (_, __, answer) => {
      status = answer.outcome;
      return true;
    },
    ...rail,
  };
}

/** Answers in turn; the last one for ever. */
function saying<Answer>(word: string, ...answers: readonly Answer[]): () => Promise<Answer> {
  let place = -1;
  return async () => {
    calls.push(word);
    place = Math.min(place + 1, answers.length - 1);
    return answers[place] as Answer;
  };
}

const booked = () =>
  inEnvironment(db, environmentId, async (tx) => {
    const agenda = tx.selectFrom("agenda").select(["subject", "due_at"]).where("kind", "=", task);
    const found = await agenda.orderBy("subject").execute();
    const now = tx.environment.clock.now().getTime();
    return found.map(({ subject, due_at }) => [subject, due_at.getTime() - now]);
  });

describe("a waiting order", () => {
  test("is sent once its step is committed, and ends with a definite answer", async () => {
    const pursuit = pursue({ db, log }, kindOf({ send: saying("send", delivered) }));
    await pursuit.takeUp(name);
    expect([calls, status, await booked()]).toEqual([["start", "send"], "delivered", []]);
    await pursuit.takeUp(name);
    expect(calls).toEqual(["start", "send"]);
  });

  test("that another took first is not sent", async () => {
    const pursuit = pursue({ db, log }, kindOf({ send: saying("send", delivered), start: async () => null }));
    await pursuit.begin(key, { id: key.id });
    expect(calls).toEqual([]);
  });

  test("without an answer is asked about two seconds later, not sent again", async () => {
    const pursuit = pursue({ db, log }, kindOf({ send: saying("send", unknown), query: saying("ask", unknown) }));
    await pursuit.takeUp(name);
    expect([status, queries, await booked()]).toEqual(["processing", 1, [["p-1", 2_000]]]);
    await pursuit.takeUp(name);
    expect([calls, await booked()]).toEqual([["start", "send", "ask"], [["p-1", 4_000]]]);
  });

  test("that is written as processing at once needs no step", async () => {
    status = "processing";
    const { start: _, ...kind } = kindOf({ send: saying("send", delivered) });
    await pursue({ db, log }, kind).sendCommitted(name);
    expect([calls, status]).toEqual([["send"], "delivered"]);
  });
});

describe("an order that may have been sent", () => {
  beforeEach(() => {
    status = "processing";
  });

  const noRecordAt = (ms: number, recognised = true) => {
    sentForMs = ms;
    const rail = { send: saying("send", delivered), query: saying("ask", noRecord) };
    return pursue({ db, log }, kindOf({ ...rail, resend: async () => ({ recognised, afterMs: 60_000 }) })).takeUp(name);
  };

  test("is sent again when the rail knows our ids, has no record, and its window has passed", async () => {
    await noRecordAt(60_000);
    expect([calls, status]).toEqual([["ask", "send"], "delivered"]);
  });

  test.each([
    ["its window has not passed", 59_999, true],
    ["the rail does not know our ids", 86_400_000, false],
  ])("waits while %s", async (_, ms, recognised) => {
    await noRecordAt(ms, recognised);
    expect([calls, status, queries]).toEqual([["ask"], "processing", 1]);
  });

  test("is asked about again when our side cannot take the answer now", async () => {
    const kind = kindOf({ query: saying("ask", delivered), end: async () => false });
    await pursue({ db, log }, kind).takeUp(name);
    expect([status, queries]).toEqual(["processing", 1]);
  });

  test("is said to be remarkable once, after six questions", async () => {
    const pursuit = pursue({ db, log }, kindOf({ query: async () => unknown }));
    for (let asked = 0; asked < 10; asked += 1) await pursuit.takeUp(name);
    expect([queries, warnings]).toEqual([10, 1]);
  });

  test("that ended meanwhile is booked no more", async () => {
    const query = async () => {
      status = "refused";
      return unknown;
    };
    await pursue({ db, log }, kindOf({ query })).takeUp(name);
    expect([queries, await booked()]).toEqual([0, []]);
  });

  test("is asked together with others where the domain does that", async () => {
    const asked: string[] = [];
    const askTogether = async (_: string, { id }: Parcel) => asked.push(id);
    await pursue({ db, log }, kindOf({ query: async () => unknown, askTogether })).takeUp(name);
    expect([asked, queries]).toEqual([["p-1"], 0]);
  });
});

test("the task of a kind takes up the order that it names, slowly", async () => {
  const { pace, handle } = takeUpTask(pursue({ db, log }, kindOf({ send: saying("send", delivered) })));
  await handle({ environmentId, subject: "p-1", payload: {} });
  expect([pace, status]).toEqual(["slow", "delivered"]);
});

test("orders of one moment that stay owed are asked in turn and written down together", async () => {
  const records = new Map<string, { status: Status; queries: number }>(
    ["p-1", "p-2", "p-3", "p-4"].map((id) => [id, { status: "processing", queries: 0 }]),
  );
  const kind = kindOf({
    find: async (_, id) => {
      const found = records.get(id)?.status;
      return found === "processing" ? { order: { id }, status: found, sentForMs: 0 } : undefined;
    },
    query: async (_, { id }) => {
      calls.push(`ask ${id}`);
      return id === "p-2" ? delivered : unknown;
    },
    countQueries: async (_, parcels) => {
      calls.push(`count ${parcels.map(({ id }) => id)}`);
      return new Map(parcels.map(({ id }) => [id, 3]));
    },
    end: async ({ id }) => {
      calls.push(`end ${id}`);
      records.set(id, { status: "delivered", queries: 0 });
      return true;
    },
  });
  await inEnvironment(db, environmentId, async (tx) => {
    const dueAt = tx.environment.clock.after(1_000);
    await schedule(
      tx,
      ["p-1", "p-2", "p-3", "p-4", "p-5"].map((subject) => ({ kind: task, subject, dueAt })),
    );
  });
  const kinds = new Map([[task, takeUpTask(pursue({ db, log }, kind))]]);
  const clock = createClockControl({ db, log: silentLog, locks, kinds });
  await clock.advance(environmentId, { seconds: 1 });
  expect(calls).toEqual(["ask p-1", "ask p-2", "count p-1", "end p-2", "ask p-3", "ask p-4", "count p-3,p-4"]);
  expect(await booked()).toEqual([
    ["p-1", 8_000],
    ["p-3", 8_000],
    ["p-4", 8_000],
  ]);
});

/** What can befall one call to a rail. */
const faults = ["none", "lost before", "lost after", "killed before", "killed after"] as const;

/** A rail with books of its own: it does an order once, whatever number of times it hears of it. */
function faultyRail(strikes: () => (typeof faults)[number], decision: Delivered) {
  let done: Delivered | undefined;
  let times = 0;
  const call = async <Answer>(work: () => Answer): Promise<Answer | Unknown> => {
    const fault = strikes();
    if (fault === "killed before") throw new Error("killed before the call");
    if (fault === "lost before") return unknown;
    const answer = work();
    if (fault === "killed after") throw new Error("killed before the answer was read");
    return fault === "lost after" ? unknown : answer;
  };
  const send = () =>
    call((): Delivered => {
      if (done === undefined) times += 1;
      done ??= decision;
      return done;
    });
  return { send, query: () => call((): Delivered | NoRecord => done ?? noRecord), books: () => ({ done, times }) };
}

test.each([
  ["a rail that is asked", false],
  ["a rail that is asked by sending again", true],
])(
  "whatever befalls %s, it does an order at most once, and we end with what its books say",
  async (_, bySending) => {
    const story = fc.record({
      strikes: fc.array(fc.constantFrom(...faults), { maxLength: 12 }),
      decision: fc.constantFrom<Delivered>(delivered, { outcome: "refused" }),
    });
    await fc.assert(
      fc.asyncProperty(story, async ({ strikes, decision }) => {
        [status, queries, sentForMs] = ["pending", 0, 0];
        const left = [...strikes];
        const rail = faultyRail(() => left.shift() ?? "none", decision);
        const speaking = bySending ? askedBySending<Parcel, Delivered>(rail.send) : rail;
        const { takeUp } = pursue({ db, log }, kindOf(speaking));
        for (let turn = 0; turn <= 3 * strikes.length + 3; turn += 1) {
          // A killed worker throws; the agenda or the sweeper brings the order again, a minute later.
          await takeUp(name).catch(() => undefined);
          sentForMs += 60_000;
        }
        expect(status).toBe(decision.outcome);
        expect(rail.books()).toEqual({ done: decision, times: 1 });
      }),
      { numRuns: 60 },
    );
  },
  60_000,
);
