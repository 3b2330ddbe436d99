import type { Clock, NewClockAdvance } from "@jara/sdk";
import { CliError } from "../cli-error.ts";
import type { Given } from "../command.ts";
import { type Connection, refuseLive } from "../connection.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Screen } from "../screen.ts";
import { moment } from "../words.ts";

function sandboxOf({ connect }: Pick<Given, "connect">): Connection["jara"]["sandbox"] {
  const connection = connect();
  refuseLive(connection, "The clock");
  return connection.jara.sandbox;
}

function showClockData(screen: Screen, clock: Clock): void {
  screen.record(clock, [
    ["now", `${moment(clock.now)} in Lagos (${clock.now})`],
    ["clock", clock.mode === "running" ? "runs" : "stands still"],
    ["next due", clock.nextDueAt === null ? "nothing" : moment(clock.nextDueAt)],
    ["seed", clock.seed ?? ""],
  ]);
}

export async function showClock(given: Given): Promise<void> {
  showClockData(given.screen, await sandboxOf(given).clock.get());
}

interface Freezing {
  readonly at?: string;
  readonly seed?: string;
}

export async function freezeClock(given: Given, { at, seed }: Freezing): Promise<void> {
  const { clock } = sandboxOf(given);
  const now = at ?? (await clock.get()).now;
  showClockData(given.screen, await clock.set({ mode: "frozen", now, ...(seed === undefined ? {} : { seed }) }));
}

export async function runClock(given: Given): Promise<void> {
  showClockData(given.screen, await sandboxOf(given).clock.set({ mode: "running" }));
}

export async function advanceClock(given: Given, _options: object, span = ""): Promise<void> {
  const by = spanOf(span);
  const { clock } = sandboxOf(given);
  const { screen, stopped } = given;
  if (screen.isTerminal && !screen.isJson) screen.remark("Time moves …");
  const moved = await clock.advance(by, { signal: stopped });
  screen.record(moved, [
    ["from", moment(moved.from)],
    ["to", moment(moved.to)],
    ["ran", `${moved.ran} ${moved.ran === 1 ? "thing" : "things"} that fell due`],
    ["next due", moved.nextDueAt === null ? "nothing" : moment(moved.nextDueAt)],
  ]);
}

const secondsOf = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/** `30d`, `12h`, `45m`, `90s`, or `next`. */
export function spanOf(text: string): NewClockAdvance {
  return text === "next" ? { until: "next_due" } : { seconds: secondsIn(text, ", or next") };
}

/** `30d`, `12h`, `45m` or `90s`. */
export function secondsIn(text: string, further = ""): number {
  const [, digits, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (digits === undefined || unit === undefined) {
    const known = further === "" ? "30d, 12h, 45m or 90s" : `30d, 12h, 45m, 90s${further}`;
    throw new CliError(exitCodes.usage, `"${text}" is not a span of time. Write ${known}.`);
  }
  return Number(digits) * secondsOf[unit as keyof typeof secondsOf];
}
