/** What tests of webhooks share: an endpoint through the API, events of a made-up resource, a worker's rounds. */
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll } from "vitest";
import { inEnvironment, type Tx } from "../../src/platform/database/database.ts";
import { gatherEvents, type NewEvent, recordEvents } from "../../src/platform/records/outbox.ts";
import { sequenceEvents } from "../../src/platform/records/sequencer.ts";
import { type CircuitLimits, standardLimits } from "../../src/webhooks/circuit.ts";
import { type DeliveryDesk, deliverAtOnce } from "../../src/webhooks/deliver-at-once.ts";
import { createWebhookSender, type WebhookSender } from "../../src/webhooks/send-webhooks.job.ts";
import type { WebhookSlots } from "../../src/webhooks/under-way.ts";
import { createWebhookClient } from "../../src/webhooks/webhook-client.ts";
import type { TestApp } from "../app.ts";
import { silentLog } from "../work.ts";

export interface MadeEndpoint {
  readonly id: string;
  readonly secret: string;
}

export async function addEndpoint(
  app: TestApp,
  url: string,
  more: Readonly<Record<string, unknown>> = {},
  key = app.merchant.secretKey,
): Promise<MadeEndpoint> {
  const reply = await app.call("POST", "/webhooks/endpoints", { body: { url, ...more }, key });
  if (reply.statusCode !== 201) throw new Error(`no endpoint was made: ${reply.body}`);
  return reply.json().data;
}

/** A sender whose pauses are short enough for a test. It is driven by hand, or by `keepSending`. */
export function createTestSender(
  app: TestApp,
  options: {
    readonly totalMs?: number;
    readonly limits?: Partial<CircuitLimits>;
    readonly leaseSeconds?: number;
    readonly slots?: WebhookSlots;
    readonly deliveryDesk?: DeliveryDesk;
  } = {},
): WebhookSender {
  const { totalMs = 2_000, limits, leaseSeconds, slots, deliveryDesk } = options;
  const client = createWebhookClient({ reach: { blocks: [], sandboxLoopback: true }, totalMs });
  const sender = createWebhookSender({
    db: app.db,
    log: silentLog,
    sealer: app.dependencies.sealer,
    client,
    deliveryDesk,
    limits: { ...standardLimits, shortestPauseMs: 1, longestPauseMs: 5, ...limits },
    ...(leaseSeconds === undefined ? {} : { leaseSeconds }),
    ...(slots === undefined ? {} : { slots }),
  });
  afterAll(() => sender.close());
  return sender;
}

/** Sequences and sends until nothing is left that is due now. */
export async function sendDue(app: Pick<TestApp, "db">, sender: WebhookSender): Promise<void> {
  for (let quiet = 0; quiet < 2; ) {
    const sequenced = await sequenceEvents(app.db);
    const rest = await sender.round();
    await sender.drain();
    quiet = sequenced === 0 && rest > 0 ? quiet + 1 : 0;
    // An open circuit pauses for a few milliseconds here.
    if (quiet > 0) await pause(10);
  }
}

/** Writes one event for each version of the resource and returns their ids. */
export function announce(
  app: TestApp,
  versions: readonly number[] = [1],
  resourceId: string = randomUUID(),
  environmentId = app.merchant.environment.id,
): Promise<string[]> {
  return inEnvironment(app.db, environmentId, (tx) =>
    recordEvents(
      tx,
      versions.map((version) => completion(resourceId, version)),
    ),
  );
}

function completion(resourceId: string, version: number): NewEvent {
  const data = { id: resourceId, version };
  return { event: "transfer.completed", resourceType: "transfer", resourceId, resourceVersion: version, data };
}

/** As a batch of money commands writes its events: together, numbered, and by way of the desk. */
export function announceAtOnce(
  app: TestApp,
  desk: DeliveryDesk,
  environmentId: string,
  events: readonly { readonly resourceId: string; readonly version?: number }[],
): Promise<string[]> {
  return inEnvironment(app.db, environmentId, (tx) => writeAtOnce(tx, desk, events));
}

export function writeAtOnce(
  tx: Tx,
  desk: DeliveryDesk,
  events: readonly { readonly resourceId: string; readonly version?: number }[],
): Promise<string[]> {
  const completions = events.map(({ resourceId, version = 1 }) => completion(resourceId, version));
  return gatherEvents(tx, () => recordEvents(tx, completions), deliverAtOnce(desk));
}
