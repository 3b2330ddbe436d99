import type { JaraEvent } from "@jara/sdk";
import { requireYes } from "../ask.ts";
import { CliError } from "../cli-error.ts";
import type { Given } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { moment, status } from "../words.ts";
import { secondsIn } from "./clock.ts";
import { readSome } from "./read-list.ts";

interface ListOptions {
  readonly event?: string;
  readonly limit: number;
}

export async function listEvents({ screen, connect }: Given, { event, limit }: ListOptions): Promise<void> {
  const { jara } = connect();
  const query = event === undefined ? {} : { event: event as JaraEvent["event"] };
  const found = await readSome(jara.events.list(query), limit);
  const rows = found.map((one) => [moment(one.createdAt), one.event, one.id, referenceOf(one)]);
  screen.records(
    found,
    { head: ["TIME", "EVENT", "ID", "REFERENCE"], rows },
    "No events yet. Play one: jara trigger transfer.completed",
  );
}

/** What a person knows the record by, in the casing of the SDK or of the wire. */
export function referenceOf({ data }: { readonly data: unknown }): string {
  const record = data as Readonly<Record<string, unknown>>;
  const inner = record["loanRequest"] ?? record["loan_request"];
  if (typeof inner === "object" && inner !== null) return referenceOf({ data: inner });
  const known = ["reference", "batchReference", "accountId", "id"].map((name) => record[name]);
  return String(known.find((one) => typeof one === "string") ?? "");
}

export async function showEvent({ screen, connect }: Given, _options: object, id = ""): Promise<void> {
  const { jara } = connect();
  const event = await jara.events.get(id);
  const deliveries = await readSome(jara.events.listDeliveries(id), 50);
  if (screen.isJson) return screen.line(JSON.stringify({ ...event, deliveries }, null, 2));
  screen.record(event, [
    ["event", event.event],
    ["id", event.id],
    ["time", moment(event.createdAt)],
    ["version", String(event.resourceVersion)],
  ]);
  screen.line(JSON.stringify(event.data, null, 2));
  const rows = deliveries.map((one) => [status(screen, one.status), one.endpointId, String(one.attempts.length)]);
  screen.records(deliveries, { head: ["DELIVERY", "ENDPOINT", "TRIES"], rows }, "It went to no endpoint.");
}

interface ResendOptions {
  readonly since?: string;
  readonly event?: string;
  readonly yes?: boolean;
}

export async function resendEvent(given: Given, options: ResendOptions, id?: string): Promise<void> {
  const { since, event: name } = options;
  if ((id === undefined) === (since === undefined)) {
    throw new CliError(exitCodes.usage, "Give the id of one event, or --since 5m for all of the last five minutes.");
  }
  if (since !== undefined) return resendSince(given, { ...options, since });
  if (name !== undefined) throw new CliError(exitCodes.usage, "--event goes with --since. An id is one event already.");
  await resendOne(given, id ?? "");
}

/** Of the environment's own time: a sandbox's clock may be anywhere. */
async function resendSince(given: Given, { since, event: name, yes }: ResendOptions & { readonly since: string }) {
  const seconds = secondsIn(since);
  const { screen } = given;
  const { jara, isLive } = given.connect();
  const now = isLive ? Date.now() : Date.parse((await jara.sandbox.clock.get()).now);
  // `to` is not included, and what happens this second is.
  const span = { from: new Date(now - seconds * 1_000), to: new Date(now + 1_000) };
  const event = name as JaraEvent["event"] | undefined;
  const { totalItems } = await jara.events
    .list({ ...span, ...(event === undefined ? {} : { event }), limit: 1 })
    .page();
  const count = totalItems ?? 0;
  const what = `${count} ${count === 1 ? "event" : "events"} of the last ${since}`;
  if (count === 0) {
    const nothing = { events: 0, deliveries: 0 };
    return screen.isJson
      ? screen.line(JSON.stringify(nothing, null, 2))
      : screen.line(`No events in the last ${since}.`);
  }
  if (yes !== true) await requireYes(given, `Send ${what} again?`);
  const resent = await jara.events.redeliverSpan({ ...span, ...(event === undefined ? {} : { events: [event] }) });
  screen.record(resent, [
    ["sent again", what],
    ["deliveries", `${resent.deliveries} to your endpoints`],
  ]);
}

async function resendOne({ screen, connect }: Given, id: string): Promise<void> {
  const { jara } = connect();
  const event = await jara.events.get(id);
  const resent = await jara.events.redeliver(event.id);
  screen.record(resent, [
    ["event", event.event],
    ["sent again", "to every endpoint that wants it, and to every jara listen"],
  ]);
}
