import { type Static, Type } from "typebox";
import type { Advance, ClockControl } from "../platform/clock-control.ts";
import { type AdvanceBy, type ClockReading, readClock, setClock } from "../platform/clock-setting.ts";
import { keepReply } from "../platform/http/keep-reply.ts";
import { keyRoute, type Route } from "../platform/http/route.ts";
import { commonProblem } from "../platform/problem.ts";

const moment = Type.String({ format: "date-time", examples: ["2026-11-01T08:00:00.000Z"] });
const mode = Type.Union([Type.Literal("running"), Type.Literal("frozen")]);

const clockData = Type.Object({
  now: moment,
  mode,
  seed: Type.Union([Type.String(), Type.Null()]),
  nextDueAt: Type.Union([moment, Type.Null()]),
});

const clockBody = Type.Object({
  mode,
  now: Type.Optional(moment),
  seed: Type.Optional(Type.String({ minLength: 1, maxLength: 100, examples: ["lesson-1"] })),
});

const tenYearsInDays = 3_660;
const advanceBody = Type.Object({
  seconds: Type.Optional(Type.Number({ minimum: 0, maximum: tenYearsInDays * 86_400, examples: [90] })),
  days: Type.Optional(Type.Integer({ minimum: 0, maximum: tenYearsInDays, examples: [30] })),
  to: Type.Optional(moment),
  until: Type.Optional(Type.Literal("next_due")),
});

const advanceData = Type.Object({
  from: moment,
  to: moment,
  ran: Type.Integer(),
  nextDueAt: Type.Union([moment, Type.Null()]),
});

type ClockData = Static<typeof clockData>;
type AdvanceData = Static<typeof advanceData>;

const common = { tag: "Sandbox", sandboxOnly: true } as const;

export function clockRoutes(clock: ClockControl): Route[] {
  return [readRoute(clock), putRoute(clock), advanceRoute(clock)];
}

function readRoute(clock: ClockControl): Route {
  return keyRoute({
    ...common,
    method: "GET",
    path: "/sandbox/clock",
    scope: "sandbox:read",
    summary: "Read the sandbox's clock",
    description: "The sandbox's own time, whether it runs or stands still, and when the next thing falls due.",
    reply: { status: 200, message: "Clock retrieved", data: clockData },
    handle: async ({ caller }) => ({ data: presentClock(await clock.read(caller.environmentId)) }),
  });
}

function putRoute(clock: ClockControl): Route {
  return keyRoute({
    ...common,
    method: "PUT",
    path: "/sandbox/clock",
    scope: "sandbox:write",
    summary: "Set, stop or start the sandbox's clock",
    description:
      "A frozen clock stands still until it is advanced, and ids come from its seed: from a fresh sandbox, equal requests give an equal event log. Without now the clock goes on from where it is. Setting now backwards is meant for a fresh sandbox.",
    body: clockBody,
    reply: { status: 200, message: "Clock set", data: clockData },
    problems: ["clock_moving", "clock_out_of_range"],
    handle: async ({ caller, body, write }) => {
      const { environmentId } = caller;
      const { mode: wanted, seed } = body;
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

function advanceRoute(clock: ClockControl): Route {
  return keyRoute({
    ...common,
    method: "POST",
    path: "/sandbox/clock/advance",
    scope: "sandbox:write",
    summary: "Move the sandbox's clock forward",
    description:
      "Give exactly one of seconds, days, to and until. Everything that falls due on the way happens in its order, at its own time, before the answer comes; webhook deliveries are not waited for. A running clock runs on afterwards.",
    body: advanceBody,
    reply: { status: 200, message: "Clock advanced", data: advanceData },
    problems: ["clock_moving", "clock_goes_back", "clock_out_of_range", "clock_task_failed", "clock_too_much_due"],
    handle: (request) => {
      const by = advanceOf(request.body);
      const { environmentId } = request.caller;
      return clock.exclusively(environmentId, () =>
        keepReply(request, async () => presentAdvance(await clock.advance(environmentId, by))),
      );
    },
  });
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
  const ways: AdvanceBy[] = [];
  if (body.seconds !== undefined) ways.push({ seconds: body.seconds });
  if (body.days !== undefined) ways.push({ days: body.days });
  if (body.to !== undefined) ways.push({ to: parseMoment("to", body.to) });
  if (body.until !== undefined) ways.push({ until: body.until });
  const [way] = ways;
  if (way !== undefined && ways.length === 1) return way;
  const message = "give exactly one of seconds, days, to and until";
  throw commonProblem("validation_failed", {
    errors: ["seconds", "days", "to", "until"].map((field) => ({ field, message })),
  });
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
