/** How a handler writes: one transaction, the kept reply inside it, and a frozen sandbox settled after it. */
import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { type Database, inEnvironment, isFrozen, readEnvironment, type Tx } from "../../database/database.ts";
import { readFromReplica } from "../../database/replicas.ts";
import { commonProblem } from "../../problem.ts";
import { findKeptReply, type IdempotentRequest, withIdempotency } from "../../records/idempotency.ts";
import type { Sealer } from "../../secrets/crypto.ts";
import type { PresentedReply, Reply, Written } from "../route.ts";

export interface WriteDependencies {
  readonly db: Database;
  readonly sealer: Sealer;
  /** Runs what is due in a frozen sandbox, and never rejects: the write itself is committed. */
  settleFrozen(environmentId: string): Promise<void>;
}

export interface WriteRequest {
  readonly environmentId: string;
  readonly idempotency: IdempotentRequest | null;
  present(reply: Reply<unknown>): PresentedReply;
}

const noHeaders: Readonly<Record<string, string>> = {};

export async function runWrite<Data>(
  deps: WriteDependencies,
  request: WriteRequest,
  work: (tx: Tx) => Promise<Reply<Data>>,
): Promise<Written<Data>> {
  const written = await inEnvironment(deps.db, request.environmentId, async (tx): Promise<Written<Data>> => {
    let headers = noHeaders;
    const present = async (): Promise<PresentedReply> => {
      const reply = await work(tx);
      headers = reply.headers ?? noHeaders;
      return request.present(reply);
    };
    if (request.idempotency === null) return { presented: await present(), replayed: false, headers };
    const { reply, replayed } = await withIdempotency(tx, deps.sealer, request.idempotency, present);
    return { presented: reply, replayed, headers };
  });
  await afterWrite(deps, request.environmentId);
  return written;
}

/**
 * In a frozen sandbox nothing happens by itself. So what a write made due runs before the reply is sent, and equal
 * inputs give an equal log. The reply shows the record as it was written. What fails stays booked for the next write.
 */
export async function afterWrite(
  { db, settleFrozen }: Pick<WriteDependencies, "db" | "settleFrozen">,
  environmentId: string,
): Promise<void> {
  if (isFrozen(db, environmentId)) await settleFrozen(environmentId);
}

/** From the primary, or from whichever replica has everything as well. */
export function runRead<T>(
  { db }: Pick<WriteDependencies, "db">,
  { environmentId, mayBeReplica }: { readonly environmentId: string; readonly mayBeReplica: boolean },
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return mayBeReplica ? readFromReplica(db, environmentId, work) : readEnvironment(db, environmentId, work);
}

/** A reply that was kept under the request's key before. */
export async function findKept<Data>(
  deps: WriteDependencies,
  { environmentId, idempotency }: WriteRequest,
): Promise<Written<Data> | undefined> {
  if (idempotency === null) return undefined;
  const reply = await readEnvironment(deps.db, environmentId, (tx) => findKeptReply(tx, deps.sealer, idempotency));
  return reply && { presented: reply, replayed: true, headers: noHeaders };
}

const visible = /^[\x21-\x7e]{1,255}$/;

/** The Idempotency-Key of a POST with the hash of what was asked, or null when none was sent. */
export function idempotencyOf(request: FastifyRequest): IdempotentRequest | null {
  const key = request.headers["idempotency-key"];
  if (key === undefined || request.method !== "POST") return null;
  if (typeof key !== "string" || !visible.test(key)) {
    throw commonProblem("validation_failed", {
      errors: [{ field: "Idempotency-Key", message: "must have 1 to 255 visible ASCII characters" }],
    });
  }
  return { key, requestHash: hashOf(request) };
}

/**
 * A page's keys are apart from those of other pages and of the merchant, all of which share the environment: the same
 * key and body from two customers must not show one of them the other's reply. People, who share the operator's scope,
 * are kept apart in the same way.
 */
export function ofHolder(
  request: IdempotentRequest | null,
  kind: "page" | "person",
  id: string,
): IdempotentRequest | null {
  if (request === null) return null;
  const key = createHash("sha256").update(`${id}\n${request.key}`).digest("base64url");
  return { ...request, key: `${kind} ${key}` };
}

export function hashOf(request: FastifyRequest): Buffer {
  const hash = createHash("sha256").update(`${request.method} ${request.url}\n`);
  return hash.update(request.rawBody ?? "").digest();
}
