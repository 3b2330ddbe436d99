/** Plays the real flow that ends in an event. Nothing is made up: the event comes by the way that it always comes. */
import { setTimeout as pause } from "node:timers/promises";
import type { JaraEvent } from "@jara/sdk";
import { CliError } from "../cli-error.ts";
import type { Given } from "../command.ts";
import { type Connection, refuseLive } from "../connection.ts";
import { exitCodes } from "../exit-codes.ts";
import { moment } from "../words.ts";
import { flows } from "./flows.ts";

export async function trigger(given: Given, _options: object, name?: string): Promise<void> {
  const { screen } = given;
  if (name === undefined) {
    const known = Object.entries(flows).map(([event, { what }]) => ({ event, what }));
    const rows = known.map(({ event, what }) => [event, what]);
    return screen.records(known, { head: ["EVENT", "WHAT IS PLAYED"], rows }, "");
  }
  const flow = flows[name];
  if (flow === undefined) {
    throw new CliError(exitCodes.usage, `"${name}" cannot be played. jara trigger lists what can.`);
  }
  const connection = given.connect();
  refuseLive(connection, "jara trigger");
  const { cursor } = await connection.jara.events.readFeed({ after: "latest" });
  const subject = await flow.play({ jara: connection.jara, mark: `trigger-${Date.now().toString(36)}` });
  const event = await waitFor(connection, given.stopped, { cursor, name, subject });
  screen.record(event, [
    ["event", event.event],
    ["id", event.id],
    ["time", moment(event.createdAt)],
    ["about", subject],
  ]);
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
