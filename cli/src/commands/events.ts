import type { JaraEvent } from "@jara/sdk";
import type { Given } from "../command.ts";
import { moment, status } from "../words.ts";
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

export async function resendEvent({ screen, connect }: Given, _options: object, id = ""): Promise<void> {
  const { jara } = connect();
  const event = await jara.events.get(id);
  const resent = await jara.events.redeliver(event.id);
  screen.record(resent, [
    ["event", event.event],
    ["sent again", "to every endpoint that wants it, and to every jara listen"],
  ]);
}
