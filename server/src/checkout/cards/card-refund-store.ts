/** Rows of refunds to cards. */
import type { Selectable } from "kysely";
import { kobo } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import type { CardRefunds } from "../../platform/database/database-types.gen.ts";
import type { CardRefund, CardRefundStatus } from "./card-refund.ts";
import type { ChargeFailure } from "./charge.ts";

export type NewCardRefund = Pick<CardRefund, "id" | "loanId" | "chargeId" | "reference" | "amount">;

export async function insertCardRefund(tx: Tx, refund: NewCardRefund): Promise<CardRefund> {
  const now = tx.environment.clock.now();
  const row = await tx
    .insertInto("card_refunds")
    .values({
      environment_id: tx.environment.id,
      id: refund.id,
      loan_id: refund.loanId,
      charge_id: refund.chargeId,
      reference: refund.reference,
      amount: refund.amount,
      status: "processing",
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toCardRefund(row);
}

function selectRefunds(tx: Tx) {
  return tx.selectFrom("card_refunds").selectAll().where("environment_id", "=", tx.environment.id);
}

export async function findCardRefund(tx: Tx, id: string): Promise<CardRefund | undefined> {
  const row = await selectRefunds(tx).where("id", "=", id).executeTakeFirst();
  return row === undefined ? undefined : toCardRefund(row);
}

/** Locks: the refund's row, so that its end is written once. Undefined when it has ended. */
export async function lockCardRefund(tx: Tx, id: string): Promise<CardRefund | undefined> {
  const find = selectRefunds(tx).where("id", "=", id).where("status", "=", "processing").forUpdate();
  const row = await find.executeTakeFirst();
  return row === undefined ? undefined : toCardRefund(row);
}

/** Takes the order upon itself. False when somebody else has, since the refund was read. */
export async function claimSending(tx: Tx, { id, sentAt }: Pick<CardRefund, "id" | "sentAt">): Promise<boolean> {
  const claimed = await tx
    .updateTable("card_refunds")
    .set({ sent_at: tx.environment.clock.now() })
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .where("status", "=", "processing")
    .where("sent_at", sentAt === null ? "is" : "=", sentAt)
    .executeTakeFirst();
  return claimed.numUpdatedRows === 1n;
}

/** As many as a loan can have of credit that was given back. */
const mostRefunds = 5_000;

/** Those of a loan that have given money back or may still do so. */
export async function listStandingRefunds(tx: Tx, loanId: string): Promise<CardRefund[]> {
  const find = selectRefunds(tx).where("loan_id", "=", loanId).where("status", "!=", "failed");
  return (await find.orderBy("id").limit(mostRefunds).execute()).map(toCardRefund);
}

export type CardRefundEnd =
  | { readonly to: "successful"; readonly at: Date }
  | { readonly to: "failed"; readonly at: Date; readonly failure: ChargeFailure };

/** Ends a refund whose lock the caller holds. */
export async function endCardRefund(tx: Tx, id: string, end: CardRefundEnd): Promise<void> {
  const failure = end.to === "failed" ? end.failure : null;
  const ended = await tx
    .updateTable("card_refunds")
    .set({ status: end.to, updated_at: end.at, completed_at: end.at })
    .set({ failure_code: failure?.code ?? null, failure_message: failure?.message ?? null })
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .where("status", "=", "processing")
    .executeTakeFirst();
  if (ended.numUpdatedRows !== 1n) throw new Error(`card refund ${id} was not locked`);
}

function toCardRefund(row: Selectable<CardRefunds>): CardRefund {
  const { failure_code: code, failure_message: message } = row;
  return {
    id: row.id,
    loanId: row.loan_id,
    chargeId: row.charge_id,
    reference: row.reference,
    amount: kobo(row.amount),
    status: row.status as CardRefundStatus,
    failure: code === null ? null : { code, message: message ?? "" },
    createdAt: row.created_at,
    sentAt: row.sent_at,
    completedAt: row.completed_at,
  };
}
