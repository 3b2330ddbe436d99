/**
 * Writing to the ledger. A posting is one transaction: legs on different accounts that sum to zero. Postings of a
 * batch are taken in order; one that would push an account below its floor is refused and leaves no trace, its
 * neighbours go on.
 */
import { sql } from "kysely";
import type { Kobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import { ledgerProblem } from "./errors.ts";
import { insufficientFunds } from "./insufficient-funds.ts";

export interface Leg {
  readonly accountId: string;
  /** Positive: money arrives on the account. Negative: money leaves it. */
  readonly amount: Kobo;
}

export interface Posting {
  /** The first transaction of a record carries the record's own id; later ones take a new id. */
  readonly id: string;
  /** What happened, such as transfer.accepted; shown as the type of a statement line. */
  readonly kind: string;
  readonly resource: { readonly type: string; readonly id: string; readonly reference: string | null };
  readonly narration: string | null;
  readonly legs: readonly Leg[];
}

/** Posts all that can be paid and returns the places (from 0) of those that were refused. */
export async function postBatch(tx: Tx, postings: readonly Posting[]): Promise<ReadonlySet<number>> {
  if (postings.length === 0) return new Set();
  const legs = postings.flatMap((posting, place) => posting.legs.map((leg) => ({ item: place + 1, ...leg })));
  const result = await callLedgerPost(tx, postings, legs);
  return new Set(result.map((item) => item - 1));
}

interface NumberedLeg extends Leg {
  readonly item: number;
}

async function callLedgerPost(tx: Tx, postings: readonly Posting[], legs: readonly NumberedLeg[]): Promise<number[]> {
  const call = sql<{ refused: number[] }>`select ledger_post(
    ${tx.environment.clock.now()}::timestamptz,
    ${postings.map((posting) => posting.id)}::uuid[],
    ${postings.map((posting) => posting.kind)}::text[],
    ${postings.map((posting) => posting.resource.type)}::text[],
    ${postings.map((posting) => posting.resource.id)}::uuid[],
    ${postings.map((posting) => posting.resource.reference)}::text[],
    ${postings.map((posting) => posting.narration)}::text[],
    ${legs.map((leg) => leg.item)}::integer[],
    ${legs.map((leg) => leg.accountId)}::uuid[],
    ${legs.map((leg) => String(leg.amount))}::bigint[]) as refused`;
  try {
    return (await call.execute(tx)).rows[0]?.refused ?? [];
  } catch (error) {
    throw isUnknownAccount(error) ? ledgerProblem("account_gone", { cause: error }) : error;
  }
}

function isUnknownAccount(error: unknown): boolean {
  return error instanceof Error && "constraint" in error && error.constraint === "ledger_known_account";
}

/** Posts one transaction or throws insufficient_funds. */
export async function post(tx: Tx, posting: Posting): Promise<void> {
  const refused = await postBatch(tx, [posting]);
  if (refused.size === 0) return;
  const [problem] = await insufficientFunds(tx, [{ wanted: [posting] }]);
  throw problem ?? new Error("a refused posting has no refusal");
}
