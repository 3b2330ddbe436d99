/** Merchants with webhook endpoints at the sink, and events for them. */
import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { exampleOf } from "../server/src/platform/http/openapi/example.ts";
import { transferEvents } from "../server/src/transfers/slice.ts";
import { type Api, createPayer } from "./payers.ts";
import type { Stage } from "./stage.ts";
import type { SinkProgress, SinkReport } from "./webhook-sink.ts";

export interface Sink {
  readonly port: number;
  readonly processId: number;
  report(word: "reset" | "report"): Promise<SinkReport>;
  /** How many have arrived since the last reset, a few milliseconds ago. */
  arrived(): number;
  close(): void;
}

export async function openSink(): Promise<Sink> {
  const child: ChildProcess = fork(join(import.meta.dirname, "webhook-sink.ts"));
  let arrived = 0;
  const waiting: ((report: SinkReport) => void)[] = [];
  child.on("message", (message: SinkReport | SinkProgress) => {
    if ("progress" in message) arrived = message.progress;
    else {
      arrived = message.arrived;
      waiting.shift()?.(message);
    }
  });
  const next = (): Promise<SinkReport> => new Promise((resolve) => waiting.push(resolve));
  const { port } = await next();
  return {
    port,
    processId: child.pid ?? 0,
    arrived: () => arrived,
    report: (word) => {
      const answer = next();
      child.send(word);
      return answer;
    },
    close: () => child.disconnect(),
  };
}

/** So many merchants are made at a time: more would only wait for one another at the list of merchants. */
const madeAtOnce = 4;

export interface Receiver {
  readonly environmentId: string;
  readonly key: string;
  readonly endpointIds: readonly string[];
}

/** `kinds` says for each environment what its one endpoint does. */
export async function createReceivers(
  api: Api,
  operatorToken: string,
  sinkPort: number,
  kinds: readonly ("ok" | "hang")[],
): Promise<Receiver[]> {
  const create = async (kind: "ok" | "hang", index: number): Promise<Receiver> => {
    const { environmentId, key } = await createPayer(api, operatorToken, 0);
    const url = `http://localhost:${sinkPort}/${kind}/${index}`;
    const made = await api.post<{ id: string }>("/webhooks/endpoints", key, { url, events: ["transfer.completed"] });
    return { environmentId, key, endpointIds: [made.id] };
  };
  const made: Receiver[] = [];
  while (made.length < kinds.length) {
    const next = kinds.slice(made.length, made.length + madeAtOnce);
    made.push(...(await Promise.all(next.map((kind, place) => create(kind, made.length + place)))));
  }
  return made;
}

const example = exampleOf(transferEvents["transfer.completed"].data) as Record<string, unknown>;

/** A record of the size of a payout; `sentAt` lets the sink tell how long it took. */
export function payoutData(sentAt?: number): Record<string, unknown> {
  return { ...example, metadata: sentAt === undefined ? { orderId: "1042" } : { orderId: "1042", sentAt } };
}

/** Commits `count` events of each environment in one transaction, each about a record of its own. */
export async function commitEvents(
  stage: Stage,
  receivers: readonly Receiver[],
  count: number,
  sentAt?: number,
): Promise<void> {
  await stage.admin.query(
    `insert into events (environment_id, id, event, resource_type, resource_id, resource_version, data, created_at)
     select r.id, uuidv7(), 'transfer.completed', 'transfer', uuidv7(), 1, $2::json, clock_timestamp()
     from generate_series(1, $3::integer), unnest($1::uuid[]) as r (id)`,
    [receivers.map(({ environmentId }) => environmentId), JSON.stringify(payoutData(sentAt)), count],
  );
}

/**
 * The same, numbered as they are written: what a batch of payouts or bills does with its events. Without a sender in
 * the process that writes them their deliveries wait in the queue, from the commit on.
 */
export async function commitNumberedEvents(
  { admin }: Stage,
  receivers: readonly Receiver[],
  count: number,
): Promise<void> {
  await admin.query("begin");
  for (const { environmentId } of receivers) {
    await admin.query("select set_config('jara.environment_id', $1, true)", [environmentId]);
    await admin.query(
      `select record_batch_events(clock_timestamp(), array_agg(uuidv7() order by n),
         array_agg('transfer.completed'::text), array_agg('transfer'::text), array_agg(uuidv7() order by n),
         array_agg(1), array_agg($1::text))
       from generate_series(1, $2::integer) as n`,
      [JSON.stringify(payoutData()), count],
    );
  }
  await admin.query("commit");
}

/** Asks an index of what is open, which costs next to nothing. */
export async function isAllSettled(stage: Stage, receivers: readonly Receiver[]): Promise<boolean> {
  const found = await stage.admin.query(
    `select from unnest($1::uuid[]) as r (id) cross join lateral (
       select from webhook_deliveries d where d.environment_id = r.id and d.status = 'pending' limit 1) as open
     limit 1`,
    [receivers.map(({ environmentId }) => environmentId)],
  );
  return found.rowCount === 0;
}

export async function countDelivered(stage: Stage, receivers: readonly Receiver[]): Promise<number> {
  const found = await stage.admin.query<{ delivered: string }>(
    "select count(*) as delivered from webhook_deliveries where environment_id = any($1) and status = 'delivered'",
    [receivers.map(({ environmentId }) => environmentId)],
  );
  return Number(found.rows[0]?.delivered);
}
