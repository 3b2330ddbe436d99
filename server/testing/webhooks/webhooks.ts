/** What tests of webhooks share: an endpoint through the API, events of a made-up resource, a worker's rounds. */
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll } from "vitest";
import { inEnvironment } from "../../src/platform/database/database.ts";
import { gatherEvents, type NewEvent, recordEvents } from "../../src/platform/records/outbox.ts";
import { sequenceEvents } from "../../src/platform/records/sequencer.ts";
import { type CircuitLimits, standardLimits, type WebhookSlots } from "../../src/webhooks/sending/circuit.ts";
import { createWebhookSender, type WebhookSender } from "../../src/webhooks/sending/send-webhooks.job.ts";
import { createWebhookClient } from "../../src/webhooks/sending/webhook-client.ts";
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
  } = {},
): WebhookSender {
  const { totalMs = 2_000, limits, leaseSeconds, slots } = options;
  const client = createWebhookClient({ reach: { blocks: [], sandboxLoopback: true }, totalMs });
  const sender = createWebhookSender({
    db: app.db,
    log: silentLog,
    sealer: app.dependencies.sealer,
    client,
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

/** The same, numbered as they are written: as a batch of money commands writes its events. */
export function announceNumbered(
  app: TestApp,
  versions: readonly number[],
  resourceId: string,
  environmentId: string,
): Promise<string[]> {
  const events = versions.map((version) => completion(resourceId, version));
  return inEnvironment(app.db, environmentId, (tx) => gatherEvents(tx, () => recordEvents(tx, events)));
}

function completion(resourceId: string, version: number): NewEvent {
  const data = { id: resourceId, version };
  return { event: "transfer.completed", resourceType: "transfer", resourceId, resourceVersion: version, data };
}
