/** Plays the real flow that ends in an event. Nothing is made up: the event comes by the way that it always comes. */
import { setTimeout as pause } from "node:timers/promises";
import { Jara, type JaraEvent } from "@jara/sdk";
import { CliError } from "../cli-error.ts";
import type { Given } from "../command.ts";
import { type Connection, refuseLive } from "../connection.ts";
import { exitCodes } from "../exit-codes.ts";
import { createPlay } from "../flows/playing.ts";
import { moment } from "../words.ts";
import { closeTo } from "./event-names.ts";
import type { Flow } from "./flow.ts";
import { flows, liveOnly } from "./flows.ts";
import { overrideOf, overriding } from "./override.ts";

interface TriggerOptions {
  readonly override?: readonly string[];
}

export async function trigger(given: Given, options: TriggerOptions, name?: string): Promise<void> {
  const { screen, stopped } = given;
  if (name === undefined) {
    const known = Object.entries(flows).map(([event, { what }]) => ({ event, what }));
    const rows = known.map(({ event, what }) => [event, what]);
    return screen.records(known, { head: ["EVENT", "WHAT IS PLAYED"], rows }, "");
  }
  const flow = findFlow(name);
  const overrides = (options.override ?? []).map(overrideOf);
  const changing = overrides.length === 0 ? undefined : overriding(name, overrides);
  const connection = given.connectForGood();
  refuseLive(connection, "jara trigger");
  const { baseUrl, secretKey } = connection;
  const jara = changing === undefined ? connection.jara : new Jara({ secretKey, baseUrl, fetch: changing.fetch });
  const { cursor } = await connection.jara.events.readFeed({ after: "latest" }, { signal: stopped });
  const mark = `trigger-${Date.now().toString(36)}`;
  const { playing, moved, tidy } = await createPlay({ jara, baseUrl }, { mark, stopped });
  try {
    const subject = await flow.play(playing);
    changing?.check();
    await playing.settle();
    const event = await waitFor(connection, stopped, { cursor, name, subject });
    screen.record(event, [
      ["event", event.event],
      ["id", event.id],
      ["time", moment(event.createdAt)],
      ["about", subject],
    ]);
  } finally {
    const time = moved();
    if (time !== undefined) screen.remark(`The sandbox's clock moved from ${moment(time.from)} to ${moment(time.to)}.`);
    await tidy();
  }
}

function findFlow(name: string): Flow {
  const flow = Object.hasOwn(flows, name) ? flows[name] : undefined;
  if (flow !== undefined) return flow;
  const why = Object.hasOwn(liveOnly, name) ? liveOnly[name] : undefined;
  throw new CliError(
    exitCodes.usage,
    why === undefined
      ? `"${name}" is not an event that can be played. ${suggest(name)}jara trigger lists them all.`
      : `${name} happens in live environments only: ${why}.`,
  );
}

function suggest(name: string): string {
  const close = closeTo(name);
  return close.length === 0 ? "" : `Did you mean ${close.join(" or ")}? `;
}

const waitMs = 30_000;

/** The event about this subject, among those that came since. */
async function waitFor(
  { jara }: Connection,
  signal: AbortSignal,
  { cursor, name, subject }: { readonly cursor: string; readonly name: string; readonly subject: string },
): Promise<JaraEvent> {
  const until = performance.now() + waitMs;
  let after = cursor;
  while (performance.now() < until && !signal.aborted) {
    const feed = await jara.events.readFeed({ after, wait: 5 }, { signal });
    const found = feed.events.find((event) => event.event === name && JSON.stringify(event.data).includes(subject));
    if (found !== undefined) return found;
    after = feed.cursor;
    if (feed.events.length === 0) await pause(50);
  }
  throw new CliError(exitCodes.late, `${name} did not come within 30 s. Is the worker running? jara doctor looks.`);
}
