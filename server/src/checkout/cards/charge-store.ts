/** Rows of charges. */

import { sql } from "kysely";
import { kobo } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import type { Row } from "../../platform/database/row.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import { sealedContext } from "../../platform/secrets/reseal.ts";
import type { CardBrand } from "../../rails/card.ts";
import type { Charge, ChargeFailure, ChargeStatus } from "./charge.ts";
import { sealedConfirmUrl } from "./sealed-columns.ts";

const columns = [
  "id",
  "loan_id",
  "customer_id",
  "card_id",
  "connection_id",
  "kind",
  "reference",
  "amount",
  "attempt",
  "due_date",
  "status",
  "version",
  "failure_code",
  "failure_message",
  "repayment_id",
  "created_at",
  "completed_at",
] as const;

type ChargeRow = Row<"card_charges", (typeof columns)[number]>;

const columnList = sql.join(columns.map((column) => sql.ref(column)));

function toCharge(row: ChargeRow): Charge {
  const { failure_code: code, failure_message: message } = row;
  return {
    id: row.id,
    loanId: row.loan_id,
    customerId: row.customer_id,
    cardId: row.card_id,
    connectionId: row.connection_id,
    kind: row.kind as Charge["kind"],
    reference: row.reference,
    amount: kobo(row.amount),
    attempt: row.attempt,
    dueDate: row.due_date === null ? null : Temporal.PlainDate.from(row.due_date),
    status: row.status as ChargeStatus,
    version: row.version,
    failure: code === null ? null : { code, message: message ?? "" },
    repaymentId: row.repayment_id,
    createdAt: row.created_at,
    completedAt: row.completed_at,
  };
}

export type NewCharge = Pick<
  Charge,
  "loanId" | "customerId" | "cardId" | "connectionId" | "kind" | "reference" | "amount" | "attempt" | "dueDate"
>;

/** Writes a charge that is about to be made or, with a failure, one that could not even be tried. */
export async function insertCharge(tx: Tx, charge: NewCharge, failure: ChargeFailure | null = null): Promise<Charge> {
  const { clock, id: environmentId } = tx.environment;
  const now = clock.now();
  const inserted = await sql<ChargeRow>`
    insert into card_charges (environment_id, id, loan_id, customer_id, card_id, connection_id, kind, reference, amount,
      attempt, due_date, status, failure_code, failure_message, created_at, updated_at, completed_at)
    values (${environmentId}, ${clock.newId()}, ${charge.loanId}, ${charge.customerId}, ${charge.cardId},
      ${charge.connectionId}, ${charge.kind}, ${charge.reference}, ${charge.amount}, ${charge.attempt},
      ${charge.dueDate?.toString() ?? null}::date,
      ${failure === null ? "processing" : "failed"}, ${failure?.code ?? null}, ${failure?.message ?? null}, ${now},
      ${now}, ${failure === null ? null : now})
    returning ${columnList}`.execute(tx);
  const [row] = inserted.rows;
  if (row === undefined) throw new Error("a charge was not written");
  return toCharge(row);
}

export function findCharge(tx: Tx, id: string): Promise<Charge | undefined> {
  return findOne(tx, sql`id = ${id}`);
}

/** Locks: the charge's row, so that its end is written once. Undefined when it has ended. */
export function lockCharge(tx: Tx, id: string): Promise<Charge | undefined> {
  return findOne(tx, sql`id = ${id} and status = 'processing'`, sql`for update`);
}

/** By the repayment that it made, or by its own id. */
export function findChargeOrItsRepayment(tx: Tx, id: string): Promise<Charge | undefined> {
  return findOne(tx, sql`(id = ${id} or repayment_id = ${id})`);
}

export function findChargeUnderWay(tx: Tx, loanId: string): Promise<Charge | undefined> {
  return findOne(tx, sql`loan_id = ${loanId} and status = 'processing'`);
}

/** More than a loan is ever charged. */
const mostCharges = 5_000;

/** Whatever became of it. */
export async function findNewestCharge(tx: Tx, loanId: string): Promise<Charge | undefined> {
  return findOne(tx, sql`loan_id = ${loanId}`, sql`order by created_at desc, id desc limit 1`);
}

export interface PayingCard {
  readonly brand: CardBrand;
  readonly last4: string;
}

/** With which card each repayment of a loan was made; also cards that were removed since. */
export async function readPayingCards(tx: Tx, loanId: string): Promise<ReadonlyMap<string, PayingCard>> {
  const found = await sql<PayingCard & { repayment_id: string }>`
    select h.repayment_id, k.brand, k.last4 from card_charges h
    join customer_cards k on k.environment_id = h.environment_id and k.id = h.card_id
    where h.environment_id = ${tx.environment.id} and h.loan_id = ${loanId} and h.repayment_id is not null
    limit ${mostCharges}`.execute(tx);
  return new Map(found.rows.map(({ repayment_id: id, brand, last4 }) => [id, { brand, last4 }]));
}

/** Locks: the merchant's reference, so that of twins the later one finds the earlier one's charge. */
export async function lockChargeReference(tx: Tx, reference: string): Promise<void> {
  const place = `card_charges/${tx.environment.id}/${reference}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${place}, 0))`.execute(tx);
}

export function findChargeByReference(tx: Tx, reference: string): Promise<Charge | undefined> {
  return findOne(tx, sql`reference = ${reference}`);
}

/**
 * Declines in a row, of the person's cards or of the same card under whatever person, at all merchants of the lender,
 * since one of these charges was paid; and when the last one was.
 */
export async function readDeclines(
  tx: Tx,
  { customerId, cardId }: { readonly customerId: string; readonly cardId: string },
): Promise<{ readonly count: number; readonly lastAt: Date | null }> {
  const found = await sql<{ declines: number; last_at: Date | null }>`
    select declines, last_at from read_card_declines(${customerId}, ${cardId})`.execute(tx);
  const [row] = found.rows;
  return { count: row?.declines ?? 0, lastAt: row?.last_at ?? null };
}

/** Those of a loan that have paid. */
export async function listPaidCharges(tx: Tx, loanId: string): Promise<Charge[]> {
  const found = await sql<ChargeRow>`
    select ${columnList} from card_charges
    where environment_id = ${tx.environment.id} and loan_id = ${loanId} and status = 'successful'
    order by id limit ${mostCharges}`.execute(tx);
  return found.rows.map(toCharge);
}

async function findOne(tx: Tx, condition: ReturnType<typeof sql>, ending = sql``): Promise<Charge | undefined> {
  const found = await sql<ChargeRow>`
    select ${columnList} from card_charges where environment_id = ${tx.environment.id} and ${condition}
    ${ending}`.execute(tx);
  return found.rows.map(toCharge)[0];
}

export type ChargeEnd =
  | { readonly to: "successful"; readonly repaymentId: string }
  | { readonly to: "failed"; readonly failure: ChargeFailure };

/** Ends a charge whose lock the caller holds. */
export async function endCharge(tx: Tx, id: string, end: ChargeEnd): Promise<Charge> {
  const now = tx.environment.clock.now();
  const failure = end.to === "failed" ? end.failure : null;
  const ended = await sql<ChargeRow>`
    update card_charges set status = ${end.to}, version = version + 1, updated_at = ${now}, completed_at = ${now},
      failure_code = ${failure?.code ?? null}, failure_message = ${failure?.message ?? null},
      repayment_id = ${end.to === "successful" ? end.repaymentId : null}, sealed_confirm_url = null
    where environment_id = ${tx.environment.id} and id = ${id} and status = 'processing'
    returning ${columnList}`.execute(tx);
  const [row] = ended.rows;
  if (row === undefined) throw new Error(`charge ${id} was not locked`);
  return toCharge(row);
}

/** Keeps where the holder confirms the charge, while it is under way. */
export async function keepConfirmUrl(tx: Tx, sealer: Sealer, id: string, url: string): Promise<void> {
  await tx
    .updateTable("card_charges")
    .set({ sealed_confirm_url: sealer.seal(url, sealedContext(sealedConfirmUrl, tx.environment.id, id)) })
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .where("status", "=", "processing")
    .execute();
}

/** Null when nobody has to confirm anything. */
export async function openConfirmUrl(tx: Tx, sealer: Sealer, id: string): Promise<string | null> {
  const row = await tx
    .selectFrom("card_charges")
    .select("sealed_confirm_url")
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .executeTakeFirst();
  if (row === undefined || row.sealed_confirm_url === null) return null;
  return sealer.open(row.sealed_confirm_url, sealedContext(sealedConfirmUrl, tx.environment.id, id)).toString("utf8");
}
