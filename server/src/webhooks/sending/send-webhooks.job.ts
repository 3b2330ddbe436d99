/**
 * The worker's round over deliveries that are due, of all environments. A claim is a lease: what a killed worker held
 * is sent again after it, under the same webhook-id. A round does not wait for receivers: what it claimed is under way
 * beside the next rounds, and how much of that goes to one endpoint is limited (see circuit.ts).
 */
import { setTimeout as pause } from "node:timers/promises";
import { type Database, type EnvironmentKind, operatorScope } from "../../platform/database/database.ts";
import { isGateClosed } from "../../platform/database/retry-transient.ts";
import type { Logger } from "../../platform/logger.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import { type OpenSpan, tracing } from "../../platform/tracing.ts";
import { createRounds, type Rounds } from "../../platform/work/rounds.ts";
import { createTurns, eventLoopTurns, type Turns } from "../../platform/work/turns.ts";
import { attemptTime } from "../deliveries/delivery.ts";
import type { Line } from "../deliveries/delivery-store.ts";
import { type EndpointKey, keyOf } from "../endpoints/endpoint.ts";
import { createSigner, type Sign, secondsOf } from "../endpoints/webhook-secret.ts";
import { type ArrivalWriter, createArrivalWriter } from "./arrival-writer.ts";
import {
  type CircuitLimits,
  createCircuits,
  freeSlots,
  type Rooms,
  standardLimits,
  standardSlots,
  type WebhookSlots,
} from "./circuit.ts";
import { type Claim, type Claimed, claimDeliveries } from "./claim-store.ts";
import { settleFailure } from "./settle-failure.ts";
import type { Answer, WebhookClient } from "./webhook-client.ts";

export interface WebhookSenderDependencies {
  readonly db: Database;
  readonly log: Logger;
  readonly sealer: Sealer;
  readonly client: WebhookClient;
  readonly limits?: CircuitLimits;
  readonly leaseSeconds?: number;
  readonly slots?: WebhookSlots;
}

export interface WebhookSender extends Rounds {
  /** Cuts off what is still under way. Its outcome is unknown, so nothing is written down and it will be sent again. */
  close(): Promise<void>;
}

/** Longer than a message may take and its outcome may need to be written down. */
const standardLeaseSeconds = 45;
/** Of each kind. */
const failureTurns = { places: 2 };
const gateTries = 150;
const gateEveryMs = 200;
const idleMs = 50;
const busyMs = 10;
/** A round begins when half of what is being sent was answered, or so many. */
const wakesAfter = 250;
const kinds = ["LIVE", "SANDBOX"] as const satisfies readonly EnvironmentKind[];
const beginning: EndpointKey = { environmentId: operatorScope, endpointId: operatorScope };

export function createWebhookSender(deps: WebhookSenderDependencies): WebhookSender {
  const { db, limits = standardLimits, leaseSeconds = standardLeaseSeconds, slots = standardSlots } = deps;
  const circuits = createCircuits(limits, () => performance.now());
  // Many failures at once must not take the connections that others need.
  const failures = { LIVE: createTurns(failureTurns), SANDBOX: createTurns(failureTurns) };
  const delivery: Delivery = {
    ...deps,
    sign: createSigner(deps.sealer),
    arrivals: createArrivalWriter(db, deps.log),
    turns: createTurns(eventLoopTurns),
    isClosed: () => closed,
    settle: (claimed, answer) =>
      outsideTheTurn(() =>
        failures[claimed.environment].take(claimed.environmentId, () => settleFailure(db, claimed, answer)),
      ),
    ended: circuits.end,
  };
  let closed = false;
  const claims = createClaims(db, { perEndpoint: limits.first, leaseSeconds });
  const rounds = createRounds<Claimed>({
    wakesAfter,
    async claim(underWay) {
      const most = freeSlots(
        slots,
        underWay.map(({ row }) => row.environment),
      );
      const { claimed, goesOn } = most.LIVE > 0 ? await claims.next(most, circuits.rooms()) : noClaim;
      const restMs = claimed.length > 0 ? busyMs : idleMs;
      return { rows: claimed, restMs: goesOn ? 0 : restMs };
    },
    advance(claimed, makeRoom) {
      circuits.begin(claimed);
      return deliver(delivery, claimed, makeRoom);
    },
  });
  return {
    round: rounds.round,
    drain: rounds.drain,
    async close() {
      closed = true;
      await deps.client.close();
    },
  };
}

/** A sandbox that is being emptied is waited for without a turn, which everybody else's failures need. */
async function outsideTheTurn<T>(settle: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await settle();
    } catch (error) {
      if (!isGateClosed(error) || tries >= gateTries) throw error;
      await pause(gateEveryMs);
    }
  }
}

const noClaim = { claimed: [], goesOn: false };

/** One claim after another, so that every endpoint has its turn. */
function createClaims(db: Database, each: Pick<Claim, "perEndpoint" | "leaseSeconds">) {
  let after = { LIVE: beginning, SANDBOX: beginning };
  return {
    /** `goesOn`: not all that is due could be taken. */
    async next(most: Claim["most"], rooms: Rooms): Promise<{ claimed: readonly Claimed[]; goesOn: boolean }> {
      const claimed = await claimDeliveries(db, { ...each, most, rooms, after });
      const ends = kinds.map((kind) => endOf(claimed, kind, most[kind]));
      after = { LIVE: ends[0] ?? beginning, SANDBOX: ends[1] ?? beginning };
      return { claimed, goesOn: ends.some((end) => end !== undefined) };
    },
  };
}

/** Where the next round begins, when this one could not take all that was due. */
function endOf(claimed: readonly Claimed[], kind: EnvironmentKind, most: number): EndpointKey | undefined {
  const own = claimed.filter(({ environment }) => environment === kind);
  if (own.length < most) return undefined;
  return own.reduce<EndpointKey | undefined>(
    (last, one) => (last === undefined || keyOf(one) > keyOf(last) ? one : last),
    undefined,
  );
}

interface Delivery extends WebhookSenderDependencies {
  readonly sign: Sign;
  readonly arrivals: ArrivalWriter;
  readonly turns: Turns;
  isClosed(): boolean;
  settle(claimed: Claimed, answer: Answer): Promise<readonly Line[]>;
  ended(endpoint: EndpointKey, succeeded: boolean): void;
}

/** Never rejects: what could not be sent or written down comes back with its lease. */
async function deliver(delivery: Delivery, claimed: Claimed, makeRoom: () => void): Promise<void> {
  try {
    await delivery.turns.take(claimed.environmentId, () => undefined);
    const answer = await sendInTurn(delivery, claimed);
    makeRoom();
    if (answer === undefined || delivery.isClosed()) return;
    if (isArrival(answer)) await delivery.arrivals.write(arrivalOf(claimed, answer));
    else await delivery.arrivals.release(await delivery.settle(claimed, answer));
  } catch (error) {
    const { environmentId, eventId, endpointId } = claimed;
    delivery.log.error({ err: error, environmentId, eventId, endpointId }, "a webhook could not be taken further");
  }
}

/** The endpoint has room for another message once it has answered, while this one is still being written down. */
async function sendInTurn(delivery: Delivery, claimed: Claimed): Promise<Answer | undefined> {
  let answer: Answer | undefined;
  const span = beginSpan(claimed);
  try {
    answer = await send(delivery, claimed);
  } finally {
    if (span !== undefined) endSpan(span, answer);
    delivery.ended(claimed, answer !== undefined && isArrival(answer));
  }
  return answer;
}

/** Not to which address: it may carry a secret of the merchant's. */
function beginSpan({ environmentId, eventId, endpointId, resourceId, event, attempts }: Claimed): OpenSpan | undefined {
  return tracing()?.begin({
    name: `webhook ${event}`,
    kind: "client",
    recordId: resourceId,
    environmentId,
    facts: { "jara.event_id": eventId, "jara.endpoint_id": endpointId, "jara.attempt": attempts + 1 },
  });
}

function endSpan(span: OpenSpan, answer: Answer | undefined): void {
  const status = answer?.status ?? undefined;
  const isDelivered = answer !== undefined && isArrival(answer);
  span.end({ "http.response.status_code": status }, isDelivered ? undefined : "not_delivered");
}

function isArrival({ status }: Answer): boolean {
  return status !== null && status >= 200 && status < 300;
}

async function send(delivery: Delivery, claimed: Claimed): Promise<Answer | undefined> {
  const { sealedSecret, eventId, environment, url, claimedAt: sentAt } = claimed;
  if (sealedSecret === null) return undefined;
  const body = messageBody(claimed);
  const secrets = {
    current: sealedSecret,
    previous: claimed.sealedPreviousSecret,
    previousUntil: claimed.previousSecretUntil,
  };
  const signature = delivery.sign(claimed, secrets, { id: eventId, sentAt, body });
  return delivery.client.send({ environment, url, sentAt, body, headers: messageHeaders(eventId, sentAt, signature) });
}

interface MessageEvent {
  readonly eventId: string;
  readonly event: string;
  readonly createdAt: Date;
  readonly environment: EnvironmentKind;
  readonly resourceVersion: number;
  /** The JSON text as it was written with the event. */
  readonly data: string;
}

/** Equal to the event in the log and the feed. The data is not parsed: what was written once is sent for ever. */
export function messageBody(event: MessageEvent): string {
  const head = JSON.stringify({
    id: event.eventId,
    event: event.event,
    created_at: event.createdAt.toISOString(),
    environment: event.environment,
    resource_version: event.resourceVersion,
  });
  return `${head.slice(0, -1)},"data":${event.data}}`;
}

export function messageHeaders(eventId: string, sentAt: Date, signature: string): Record<string, string> {
  return {
    "content-type": "application/json",
    "user-agent": "Jara-Webhooks/1.0",
    accept: "*/*",
    "accept-encoding": "identity",
    "webhook-id": eventId,
    "webhook-timestamp": String(secondsOf(sentAt)),
    "webhook-signature": signature,
  };
}

function arrivalOf(claimed: Claimed, answer: Answer) {
  const { environmentId, eventId, endpointId, resourceId } = claimed;
  const at = attemptTime(claimed.environment, { sentAt: answer.sentAt, dueAt: claimed.dueAt });
  return { environmentId, eventId, endpointId, resourceId, at, ...answer };
}
