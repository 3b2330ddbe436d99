/**
 * A caller who does not know whether a request arrived sends it again with the same Idempotency-Key and gets the first
 * reply instead of a second effect. The key's row is written first and commits together with the effect: there is no
 * moment at which one exists without the other, and work that is refused takes its claim back with it. A twin that
 * arrives meanwhile waits on the unique index; when the first one commits, the twin replays it, and when the first one
 * fails, the twin does the work.
 *
 * Replies are kept sealed, because they may carry what the caller was shown only once.
 */

import { sql } from "kysely";
import type { Database, Tx } from "../database/database.ts";
import { retryRepeatable } from "../database/retry-transient.ts";
import type { Row } from "../database/row.ts";
import { unawaited } from "../database/unawaited.ts";
import { commonProblem } from "../problem.ts";
import type { Sealer } from "../secrets/crypto.ts";

/** Promised are 24 hours; the rest is grace for a client whose clock is off. */
const retentionHours = 48;
const purgeBatch = 5_000;

export interface KeptReply {
  readonly status: number;
  readonly body: string;
}

export interface IdempotentRequest {
  readonly key: string;
  /** SHA-256 over method, path and body: what must be equal for a replay. */
  readonly requestHash: Buffer;
}

export type Claim =
  /** The work is ours to do. */
  | { readonly kind: "new" }
  | { readonly kind: "kept"; readonly reply: KeptReply }
  /** The key stands for another request. */
  | { readonly kind: "conflict" }
  /** The same request stands earlier in this batch, at this index: it shares that one's outcome. */
  | { readonly kind: "twin"; readonly of: number };

/** Runs `work` once for a key. Only a reply of the 2xx family is kept. */
export async function withIdempotency(
  tx: Tx,
  sealer: Sealer,
  request: IdempotentRequest,
  work: () => Promise<KeptReply>,
): Promise<{ reply: KeptReply; replayed: boolean }> {
  const [claim] = await claimIdempotencyKeys(tx, sealer, [request]);
  if (claim?.kind === "conflict") throw commonProblem("idempotency_key_conflict");
  if (claim?.kind === "kept") return { reply: claim.reply, replayed: true };
  const reply = await work();
  if (reply.status >= 200 && reply.status < 300) await keepReplies(tx, sealer, [{ key: request.key, reply }]);
  else await releaseIdempotencyKeys(tx, [request.key]);
  return { reply, replayed: false };
}

/** The reply that is kept under the key, for a caller who must not begin the work to find out. */
export async function findKeptReply(
  tx: Tx,
  sealer: Sealer,
  { key, requestHash }: IdempotentRequest,
): Promise<KeptReply | undefined> {
  const row = await tx
    .selectFrom("idempotency_keys")
    .select(["key", "request_hash", "status", "sealed_body"])
    .where("environment_id", "=", tx.environment.id)
    .where("key", "=", key)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  if (!row.request_hash.equals(requestHash)) throw commonProblem("idempotency_key_conflict");
  return openReply(tx, sealer, row);
}

type ClaimRow = Row<"idempotency_keys", "key" | "request_hash" | "status" | "sealed_body"> & {
  readonly claimed: boolean;
};

/** Claims many keys at once, for work that is committed in groups. One answer a request, in their order. */
export async function claimIdempotencyKeys(
  tx: Tx,
  sealer: Sealer,
  requests: readonly IdempotentRequest[],
): Promise<Claim[]> {
  const rows = await claimRows(tx, requests);
  const found = new Map(rows.map((row) => [row.key, row]));
  const firstWith = new Map<string, number>();
  return requests.map((request, index) => {
    const row = found.get(request.key);
    // The twin's row was purged between our insert and our look: the caller may simply try again.
    if (row === undefined) throw commonProblem("idempotency_key_in_use");
    if (!row.request_hash.equals(request.requestHash)) return { kind: "conflict" };
    if (!row.claimed) return { kind: "kept", reply: openReply(tx, sealer, row) };
    const earlier = firstWith.get(request.key);
    if (earlier !== undefined) return { kind: "twin", of: earlier };
    firstWith.set(request.key, index);
    return { kind: "new" };
  });
}

async function claimRows(tx: Tx, requests: readonly IdempotentRequest[]): Promise<ClaimRow[]> {
  const keys = requests.map((request) => request.key);
  const hashes = requests.map((request) => request.requestHash);
  try {
    const claimed = await sql<ClaimRow>`
      select key, claimed, request_hash, status, sealed_body
      from claim_idempotency_keys(${keys}::text[], ${hashes}::bytea[])`.execute(tx);
    return claimed.rows;
  } catch (error) {
    const lockTimedOut = error instanceof Error && "code" in error && error.code === "55P03";
    throw lockTimedOut
      ? commonProblem("idempotency_key_in_use", { headers: { "Retry-After": "1" }, cause: error })
      : error;
  }
}

/** Keeps the replies of claimed keys, in the transaction that claimed them. */
export async function keepReplies(
  tx: Tx,
  sealer: Sealer,
  kept: readonly { readonly key: string; readonly reply: KeptReply }[],
): Promise<void> {
  const keys = kept.map(({ key }) => key);
  const statuses = kept.map(({ reply }) => reply.status);
  const bodies = kept.map(({ key, reply }) => sealer.seal(reply.body, contextOf(tx, key)));
  const update = sql`
    update idempotency_keys k set status = r.status, sealed_body = r.body
    from unnest(${keys}::text[], ${statuses}::smallint[], ${bodies}::bytea[]) as r (key, status, body)
    where k.environment_id = ${tx.environment.id} and k.key = r.key`;
  await unawaited(() => update.execute(tx));
}

/** Gives claimed keys back, so that the caller can use them for another try. */
export async function releaseIdempotencyKeys(tx: Tx, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await tx
    .deleteFrom("idempotency_keys")
    .where("environment_id", "=", tx.environment.id)
    .where("key", "in", keys)
    .where("status", "is", null)
    .execute();
}

/** Forgets keys that were kept long enough, of all environments, and returns their number. */
export async function purgeIdempotencyKeys(db: Database, now = new Date()): Promise<number> {
  const olderThan = new Date(now.getTime() - retentionHours * 3_600_000);
  for (let purged = 0; ; ) {
    const batch = await retryRepeatable(() =>
      sql<{ count: number }>`select purge_idempotency_keys(${olderThan}, ${purgeBatch}) as count`.execute(db),
    );
    const count = batch.rows[0]?.count ?? 0;
    purged += count;
    if (count < purgeBatch) return purged;
  }
}

function openReply(tx: Tx, sealer: Sealer, row: Omit<ClaimRow, "claimed">): KeptReply {
  if (row.status === null || row.sealed_body === null) throw new Error("a claimed key was committed without its reply");
  return { status: row.status, body: sealer.open(row.sealed_body, contextOf(tx, row.key)).toString("utf8") };
}

/** A sealed reply opens in its own environment and under its own key only. */
function contextOf(tx: Tx, key: string): string {
  return `idempotency_keys.sealed_body/${tx.environment.id}/${key}`;
}
