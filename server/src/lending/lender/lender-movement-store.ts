/** Rows of the lender's movements, and what is promised to borrowers. */
import { sql } from "kysely";
import { type Kobo, kobo } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import type { Row } from "../../platform/database/row.ts";
import { type PositionRange, takePositions } from "../../platform/records/pagination.ts";
import type { LenderDirection, LenderMovement } from "./lender-movement.ts";

export const lenderMovementList = "lender_movements";

const columns = ["id", "direction", "amount", "reference", "reason", "evidence", "funded_after", "created_at"] as const;

/** Returns the movement that the evidence has moved money for already, or null when this one was written. */
export async function insertLenderMovement(tx: Tx, movement: LenderMovement): Promise<LenderMovement | null> {
  const inserted = await sql`
    insert into lender_movements (environment_id, id, list_position, direction, amount, reference, reason, evidence,
      funded_after, created_at)
    values (${tx.environment.id}, ${movement.id}, ${await takePositions(tx, lenderMovementList, 1)},
      ${movement.direction}, ${movement.amount}, ${movement.reference}, ${movement.reason}, ${movement.evidence},
      ${movement.fundedAfter}, ${movement.createdAt})
    on conflict (environment_id, lower(evidence)) do nothing`.execute(tx);
  return inserted.numAffectedRows === 1n ? null : requireByEvidence(tx, movement.evidence);
}

async function requireByEvidence(tx: Tx, evidence: string): Promise<LenderMovement> {
  const row = await movements(tx).where(sql<boolean>`lower(evidence) = lower(${evidence})`).executeTakeFirstOrThrow();
  return toMovement(row);
}

export async function findLenderMovement(tx: Tx, id: string): Promise<LenderMovement | undefined> {
  const row = await movements(tx).where("id", "=", id).executeTakeFirst();
  return row === undefined ? undefined : toMovement(row);
}

export async function readLenderMovements(tx: Tx, { first, last }: PositionRange): Promise<LenderMovement[]> {
  const rows = await movements(tx)
    .where("list_position", ">=", first)
    .where("list_position", "<=", last)
    .orderBy("list_position", "desc")
    .limit(100)
    .execute();
  return rows.map(toMovement);
}

/** What is approved and not paid out, money that is held for it included. */
export async function sumApproved(tx: Tx): Promise<Kobo> {
  const found = await sql<{ total: bigint }>`
    select coalesce(sum(amount), 0)::bigint as total from loan_accounts
    where environment_id = ${tx.environment.id} and status = 'approved'`.execute(tx);
  return kobo(found.rows[0]?.total ?? 0n);
}

function movements(tx: Tx) {
  return tx.selectFrom("lender_movements").select(columns).where("environment_id", "=", tx.environment.id);
}

function toMovement(row: Row<"lender_movements", (typeof columns)[number]>): LenderMovement {
  return {
    id: row.id,
    direction: row.direction as LenderDirection,
    amount: kobo(row.amount),
    reference: row.reference,
    reason: row.reason,
    evidence: row.evidence,
    fundedAfter: kobo(row.funded_after),
    createdAt: row.created_at,
  };
}
