/** Writes down a try that failed, and decides what comes next. */

import { createHash } from "node:crypto";
import { becauseOf } from "../../platform/database/cause.ts";
import { besideEnvironment, type Database, inEnvironment, type Tx } from "../../platform/database/database.ts";
import { shareGate } from "../../platform/database/share-gate.ts";
import { schedule } from "../../platform/work/agenda.ts";
import { attemptsInTheWay, attemptTime, failingLimitMs, nextTryAt } from "../deliveries/delivery.ts";
import {
  insertAttempt,
  type Line,
  lockDelivery,
  moveFailed,
  releaseLines,
  retryTask,
  subjectOf,
} from "../deliveries/delivery-store.ts";
import { disableEndpoint } from "../endpoints/disable-endpoint.ts";
import { noteFailure } from "../endpoints/endpoint-store.ts";
import type { Claimed } from "./claim-store.ts";
import type { Answer } from "./webhook-client.ts";

/**
 * Returns the line to be released again, if a fan-out held it. Throws at once while the sandbox is being emptied.
 * What an endpoint returns is not a write of the sandbox, so it takes no place in a frozen sandbox's order of
 * writes; disabling the endpoint, which an event tells, waits for its turn there and draws its ids apart from all
 * others.
 */
export async function settleFailure(db: Database, claimed: Claimed, answer: Answer): Promise<readonly Line[]> {
  const at = attemptTime(claimed.environment, { sentAt: answer.sentAt, dueAt: claimed.dueAt });
  const { left, failingSince } = await besideEnvironment(
    db,
    claimed.environmentId,
    async (tx) => {
      await shareGate(tx);
      // Locks: the endpoint before its delivery, as always.
      const since = await noteFailure(tx, claimed.endpointId, at);
      return { left: await recordTry(tx, claimed, answer, at), failingSince: since };
    },
    { hurried: true },
  );
  const reason = reasonToDisable(answer, at, failingSince);
  if (reason !== undefined) {
    const { environmentId, endpointId, eventId } = claimed;
    await becauseOf(`webhooks/disable/${endpointId}/${eventId}`, () =>
      inEnvironment(db, environmentId, (tx) => disableEndpoint(tx, endpointId, reason)),
    );
  }
  return left;
}

function reasonToDisable(answer: Answer, at: Date, failingSince: Date): "gone" | "failing" | undefined {
  if (answer.status === 410) return "gone";
  return at.getTime() - failingSince.getTime() >= failingLimitMs ? "failing" : undefined;
}

async function recordTry(tx: Tx, claimed: Claimed, answer: Answer, at: Date): Promise<readonly Line[]> {
  const open = await lockDelivery(tx, claimed);
  // A reset took it away.
  if (open === undefined) return [];
  const { sentAt, status, durationMs, body, error } = answer;
  const { eventId, endpointId } = claimed;
  await insertAttempt(tx, { eventId, endpointId, at, sentAt, status, durationMs, body, error });
  // Held, started again or taken up by another worker since: the try is on record, what comes next is not ours to say.
  if (open.status !== "pending" || open.attempts !== claimed.attempts) return [];
  const attempts = open.attempts + 1;
  await planNext(tx, claimed, { attempts, at, retryAfterMs: answer.retryAfterMs });
  return attempts === attemptsInTheWay ? releaseLines(tx, [claimed]) : [];
}

interface PlannedTry {
  readonly attempts: number;
  readonly at: Date;
  readonly retryAfterMs: number | null;
}

/** A try that is due already goes straight to the workers: in a frozen sandbox nobody would look at the agenda. */
async function planNext(tx: Tx, claimed: Claimed, { attempts, at, retryAfterMs }: PlannedTry): Promise<void> {
  const { clock } = tx.environment;
  const chance = clock.mode === "frozen" ? chanceOf(claimed, attempts) : Math.random();
  const nextAt = nextTryAt({ attempts, from: at, retryAfterMs, chance });
  const atOnce = nextAt !== null && nextAt <= clock.now();
  await moveFailed(tx, claimed, { attempts, nextAt, atOnce, at });
  if (nextAt !== null && !atOnce) await schedule(tx, [{ kind: retryTask, subject: subjectOf(claimed), dueAt: nextAt }]);
}

/** In a frozen sandbox a delivery's tries are spread by what is delivered, so that they fall due at the same times again. */
function chanceOf(claimed: Claimed, attempts: number): number {
  const digest = createHash("sha256")
    .update(`${subjectOf(claimed)}/${attempts}`)
    .digest();
  return digest.readUInt32BE(0) / 2 ** 32;
}
