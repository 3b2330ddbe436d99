/** Rows of cards that a network refused to link, known by what it told of them. */
import { sql } from "kysely";
import type { Tx } from "../../platform/database/database.ts";
import { lockPlaces } from "../../platform/database/lock-places.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import { fingerprintPurpose } from "./sealed-columns.ts";

export interface Refusals {
  readonly count: number;
  readonly lastAt: Date | null;
}

/**
 * How often the card was refused since a moment, by any customer at any merchant of the lender. Locks: the
 * card, so that of tries at once the later one sees the other's end.
 */
export async function lockRefusals(tx: Tx, sealer: Sealer, fingerprint: string, since: Date): Promise<Refusals> {
  const cards = sealer.blindIndexes(fingerprint, fingerprintPurpose);
  const lender = tx.environment.kind === "LIVE" ? "live" : tx.environment.id;
  await lockPlaces(
    tx,
    cards.map((card) => `refused card/${lender}/${card.toString("hex")}`),
  );
  const found = await sql<{ declines: number; last_at: Date | null }>`
    select declines, last_at from read_refused_card(${cards}::bytea[], ${since})`.execute(tx);
  const [row] = found.rows;
  return { count: row?.declines ?? 0, lastAt: row?.last_at ?? null };
}

export async function insertRefusal(tx: Tx, sealer: Sealer, attemptId: string, fingerprint: string): Promise<void> {
  const { id, clock } = tx.environment;
  await tx
    .insertInto("refused_cards")
    .values({
      environment_id: id,
      id: attemptId,
      fingerprint_index: sealer.blindIndex(fingerprint, fingerprintPurpose),
      refused_at: clock.now(),
    })
    .execute();
}
