import { type Static, Type } from "typebox";
import { inBackground } from "../platform/database/cause.ts";
import type { Database } from "../platform/database/database.ts";
import { keepReply } from "../platform/http/keep-reply.ts";
import { named } from "../platform/http/named-schema.ts";
import { describeRoute, type Route } from "../platform/http/route.ts";
import { ExactlyOneOf, IdParams, Nullable, OneOf, Uuid } from "../platform/http/wire.ts";
import type { Logger } from "../platform/logger.ts";
import { commonProblem } from "../platform/problem.ts";
import { askForAdvance, type PendingAdvance, readAdvance } from "../platform/time/clock-advances.ts";
import type { Advance, ClockControl } from "../platform/time/clock-control.ts";
import { type AdvanceBy, type ClockReading, readClock, setClock } from "../platform/time/clock-setting.ts";
import type { RailUser } from "../rails/desk.ts";

const moment = Type.String({ format: "date-time", examples: ["2026-11-01T08:00:00.000Z"] });
const mode = Type.Union([Type.Literal("running"), Type.Literal("frozen")]);

const clockData = named(
  "Clock",
  Type.Object({
    now: moment,
    mode,
    seed: Type.Union([Type.String(), Type.Null()]),
    nextDueAt: Type.Union([moment, Type.Null()]),
  }),
);

const clockBody = named(
  "NewClock",
  Type.Object({
    mode,
    now: Type.Optional(moment),
    seed: Type.Optional(Type.String({ minLength: 1, maxLength: 100, examples: ["lesson-1"] })),
  }),
);

const tenYearsInDays = 3_660;
const advanceWays = Type.Object({
  seconds: Type.Optional(Type.Number({ minimum: 0, maximum: tenYearsInDays * 86_400, examples: [90] })),
  days: Type.Optional(Type.Integer({ minimum: 0, maximum: tenYearsInDays, examples: [30] })),
  to: Type.Optional(moment),
  until: Type.Optional(Type.Literal("next_due")),
});
const advanceBody = named("NewClockAdvance", ExactlyOneOf(advanceWays, ["seconds", "days", "to", "until"]));

const advanceData = named(
  "ClockAdvance",
  Type.Object({
    from: moment,
    to: moment,
    ran: Type.Integer(),
    nextDueAt: Type.Union([moment, Type.Null()]),
  }),
);

const pendingData = named(
  "PendingClockAdvance",
  Type.Object({
    id: Uuid,
    state: OneOf(["waiting", "running", "done", "stopped"], {
      description: "stopped: error says why; the clock stands at now, and another advance goes on from there.",
    }),
    from: moment,
    to: moment,
    now: { ...moment, description: "How far it has come." },
    ran: Type.Integer({ description: "How many tasks have run." }),
    error: Nullable(Type.Object({ code: Type.String(), message: Type.String() })),
  }),
);

type PendingData = Static<typeof pendingData>;
type ClockData = Static<typeof clockData>;
type AdvanceData = Static<typeof advanceData>;

const common = { tag: "Sandbox", sandboxOnly: true } as const;

export interface ClockRouteDependencies {
  /** Whether a provider serves the sandbox; providers keep real time. */
  isRouted(user: RailUser): Promise<boolean>;
  readonly db: Database;
  readonly clock: ClockControl;
  readonly log: Logger;
}

export function clockRoutes(deps: ClockRouteDependencies): Route[] {
  const { clock } = deps;
  return [readRoute(clock), putRoute(deps), advanceRoute(deps), pendingRoute()];
}

function readRoute(clock: ClockControl): Route {
  return describeRoute("key", {
    ...common,
    method: "GET",
    path: "/sandbox/clock",
    operationId: "getClock",
    scope: "sandbox:read",
    summary: "Read the sandbox's clock",
    description: "The sandbox's own time, whether it runs or stands still, and when the next thing falls due.",
    reply: { status: 200, message: "Clock retrieved", data: clockData },
    handle: async ({ caller }) => ({ data: presentClock(await clock.read(caller.environmentId)) }),
  });
}

function putRoute({ clock, isRouted }: ClockRouteDependencies): Route {
  return describeRoute("key", {
    ...common,
    method: "PUT",
    path: "/sandbox/clock",
    operationId: "setClock",
    scope: "sandbox:write",
    summary: "Set, stop or start the sandbox's clock",
    description:
      "A frozen clock stands still until it is advanced, and ids come from its seed: from a fresh sandbox, equal requests give an equal event log. Without now the clock goes on from where it is. Setting now backwards is meant for a fresh sandbox.",
    body: clockBody,
    reply: { status: 200, message: "Clock set", data: clockData },
    problems: ["clock_moving", "clock_out_of_range", "invalid_state"],
    handle: async ({ caller, body, write }) => {
      const { environmentId } = caller;
      const { mode: wanted, seed } = body;
      if (wanted === "frozen" && (await isRouted(caller))) {
        const message =
          "This sandbox is connected to a provider's test mode, which keeps real time. Its clock cannot stop.";
        throw commonProblem("invalid_state", { message, data: { status: "running" } });
      }
      const change = { mode: wanted, ...timeOf(body.now), ...(seed === undefined ? {} : { seed }) };
      await clock.exclusively(environmentId, async () => {
        if (wanted === "frozen") await clock.waitForJobs(environmentId);
        await write(async (tx) => {
          const now = await setClock(tx, environmentId, change);
          return { data: presentClock({ ...(await readClock(tx)), now }) };
        });
      });
      // A clock that was stopped ahead of its time may have passed what was due.
      if (wanted === "frozen") await clock.settleFrozen(environmentId);
      return { data: presentClock(await clock.read(environmentId)) };
    },
  });
}

function advanceRoute({ clock, log }: ClockRouteDependencies): Route {
  return describeRoute("key", {
    ...common,
    method: "POST",
    path: "/sandbox/clock/advance",
    operationId: "advanceClock",
    scope: "sandbox:write",
    summary: "Move the sandbox's clock forward",
    description:
      "Give exactly one of seconds, days, to and until. Everything that falls due on the way happens in order, each at its own time, before the reply is sent; webhook deliveries are not waited for. A running clock continues to run afterwards. With the header Prefer: respond-async the reply is 202 at once, and its Location, GET /sandbox/clock/advances/{id}, shows the progress.",
    body: advanceBody,
    reply: {
      status: 200,
      message: "Clock advanced",
      data: Type.Union([advanceData, pendingData]),
      also: { 202: "The clock is being advanced" },
      headers: {
        Location: "With 202: where to read how far the advance has come.",
        "Preference-Applied": "With 202: respond-async.",
      },
    },
    problems: ["clock_moving", "clock_goes_back", "clock_out_of_range", "clock_task_failed", "clock_too_much_due"],
    handle: async (request) => {
      const by = advanceOf(request.body);
      const { environmentId } = request.caller;
      if (prefersAsync(request.headers["prefer"])) {
        let id: string | undefined;
        const written = await request.write<AdvanceData | PendingData>(async (tx) => {
          const pending = presentPending(await askForAdvance(tx, by));
          id = pending.id;
          const headers = { location: `/sandbox/clock/advances/${id}`, "preference-applied": "respond-async" };
          return { status: 202, data: pending, headers };
        });
        if (id !== undefined) follow(clock, log, environmentId, id);
        return written;
      }
      return clock.exclusively(environmentId, () =>
        keepReply<AdvanceData | PendingData>(request, async () =>
          presentAdvance(await clock.advance(environmentId, by)),
        ),
      );
    },
  });
}

/** Should this process die, clock repair finds the advance silent and goes on with it. */
function follow(clock: ClockControl, log: Logger, environmentId: string, advanceId: string): void {
  void inBackground(() => clock.pursue(environmentId, advanceId)).catch((error: unknown) =>
    log.error({ err: error, environmentId, advanceId }, "an advance was cut off and will be taken up again"),
  );
}

function prefersAsync(prefer: string | string[] | undefined): boolean {
  return [prefer ?? []].flat().some((line) => /(^|,)\s*respond-async\s*(;|,|$)/i.test(line));
}

function pendingRoute(): Route {
  return describeRoute("key", {
    ...common,
    method: "GET",
    path: "/sandbox/clock/advances/{id}",
    operationId: "getClockAdvance",
    scope: "sandbox:read",
    summary: "Read how far an advance has come",
    description:
      "An advance that was asked for with Prefer: respond-async. If the process that runs it dies, another one continues it within half a minute.",
    params: IdParams,
    reply: { status: 200, message: "Advance retrieved", data: pendingData },
    handle: async ({ params, read }) => ({
      data: presentPending(await read((tx) => readAdvance(tx, params.id))),
    }),
  });
}

function presentPending({ from, to, now, ...advance }: PendingAdvance): PendingData {
  return { ...advance, from: from.toISOString(), to: to.toISOString(), now: now.toISOString() };
}

function timeOf(now: string | undefined): { now?: Date } {
  return now === undefined ? {} : { now: parseMoment("now", now) };
}

function parseMoment(field: string, text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) {
    throw commonProblem("validation_failed", {
      errors: [{ field, message: "must be a time such as 2026-11-01T08:00:00Z" }],
    });
  }
  return time;
}

function advanceOf(body: Static<typeof advanceBody>): AdvanceBy {
  if (body.seconds !== undefined) return { seconds: body.seconds };
  if (body.days !== undefined) return { days: body.days };
  if (body.to !== undefined) return { to: parseMoment("to", body.to) };
  if (body.until !== undefined) return { until: body.until };
  throw new Error("the schema let an advance without a goal pass");
}

function presentClock(reading: ClockReading): ClockData {
  const { mode: current, seed } = reading;
  return { now: reading.now.toISOString(), mode: current, seed, nextDueAt: reading.nextDueAt?.toISOString() ?? null };
}

function presentAdvance(done: Advance): AdvanceData {
  return {
    from: done.from.toISOString(),
    to: done.to.toISOString(),
    ran: done.ran,
    nextDueAt: done.nextDueAt?.toISOString() ?? null,
  };
}
