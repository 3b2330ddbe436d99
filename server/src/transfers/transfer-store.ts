/** Reading and writing transfers. */

import { type RawBuilder, sql } from "kysely";
import { kobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import type { Row } from "../platform/database/row.ts";
import { unawaited } from "../platform/database/unawaited.ts";
import type { OrderQueue } from "../rails/order-queue.ts";
import type { Transfer, TransferPurpose, TransferStatus } from "./transfer.ts";

export const transferColumns = [
  "id",
  "purpose",
  "reference",
  "external_reference",
  "batch_id",
  "source_account_id",
  "account_number",
  "account_name",
  "expected_name",
  "bank_code",
  "amount",
  "fee",
  "vat",
  "stamp_duty",
  "narration",
  "metadata",
  "status",
  "version",
  "session_id",
  "failure_code",
  "failure_message",
  "created_at",
  "updated_at",
  "completed_at",
  "connection_id",
] as const;

export type TransferRow = Row<"transfers", (typeof transferColumns)[number]>;

/** The columns for a statement that calls the table `t`. */
export const transferColumnList = sql.join(transferColumns.map((column) => sql.ref(`t.${column}`)));

export function toTransfer(row: TransferRow): Transfer {
  return {
    id: row.id,
    purpose: row.purpose as TransferPurpose,
    reference: row.reference,
    externalReference: row.external_reference,
    batchId: row.batch_id,
    sourceAccountId: row.source_account_id,
    accountNumber: row.account_number,
    accountName: row.account_name,
    expectedName: row.expected_name,
    bankCode: row.bank_code,
    amount: kobo(row.amount),
    fee: kobo(row.fee),
    vat: kobo(row.vat),
    stampDuty: kobo(row.stamp_duty),
    narration: row.narration,
    metadata: row.metadata as Transfer["metadata"],
    status: row.status as TransferStatus,
    version: row.version,
    sessionId: row.session_id,
    failureReason:
      row.failure_code === null ? null : { code: row.failure_code, message: row.failure_message ?? row.failure_code },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    completedAt: row.completed_at,
    connectionId: row.connection_id,
  };
}

export const transferQueue: OrderQueue<Transfer, TransferRow> = {
  noun: "transfer",
  table: "transfers",
  columns: transferColumns,
  toOrder: toTransfer,
  laneColumn: "bank_code",
  laneOf: ({ bankCode }) => bankCode,
  leaseSeconds: 60,
};

interface NewTransfers {
  readonly records: readonly Transfer[];
  /** The list position of the first; null for transfers that are not listed. */
  readonly firstPosition: RawBuilder<bigint> | null;
  /** Whether a worker may take them up at once; otherwise the agenda brings them. */
  readonly claimable: boolean;
}

/** For one that starts with its acceptance: a process that is killed would leave all of its last second behind. */
const startedLeaseSeconds = 20;

/**
 * Writes accepted transfers in one statement, a column at a time: PostgreSQL reads arrays in less than half the time
 * that it needs for the same rows as JSON. What is the same for all of a batch is sent once. One that has a session is
 * claimed by its writer.
 */
export async function insertTransfers(
  tx: Tx,
  { records: transfers, firstPosition, claimable }: NewTransfers,
): Promise<void> {
  const column = <T>(read: (transfer: Transfer) => T): T[] => transfers.map(read);
  const [first] = transfers;
  if (first === undefined) return;
  const insert = sql`
    insert into transfers (environment_id, id, purpose, reference, external_reference, batch_id, source_account_id,
      account_number, account_name, expected_name, bank_code, amount, fee, vat, stamp_duty, narration, metadata,
      status, version, session_id, sent_at, list_position, created_at, updated_at, claim_at)
    select ${tx.environment.id}::uuid, t.id, ${first.purpose}, t.reference, t.external_reference, t.batch_id,
      t.source_account_id, t.account_number, t.account_name, t.expected_name, t.bank_code, t.amount, t.fee, t.vat,
      t.stamp_duty, t.narration, t.metadata::json, t.status, t.version, t.session_id,
      case when t.session_id is not null then ${first.createdAt}::timestamptz end,
      ${firstPosition}::bigint + t.place - 1, ${first.createdAt}, ${first.createdAt},
      case when ${claimable}::boolean then clock_timestamp()
        + case when t.session_id is null then interval '0' else make_interval(secs => ${startedLeaseSeconds}) end end
    from unnest(${column(({ id }) => id)}::uuid[], ${column(({ reference }) => reference)}::text[],
      ${column((t) => t.externalReference)}::text[], ${column(({ batchId }) => batchId)}::uuid[],
      ${column((t) => t.sourceAccountId)}::uuid[], ${column((t) => t.accountNumber)}::text[],
      ${column((t) => t.accountName)}::text[], ${column((t) => t.expectedName)}::text[],
      ${column(({ bankCode }) => bankCode)}::text[], ${column(({ amount }) => String(amount))}::bigint[],
      ${column(({ fee }) => String(fee))}::bigint[], ${column(({ vat }) => String(vat))}::bigint[],
      ${column(({ stampDuty }) => String(stampDuty))}::bigint[], ${column(({ narration }) => narration)}::text[],
      ${column(({ metadata }) => (metadata === null ? null : JSON.stringify(metadata)))}::text[],
      ${column(({ status }) => status)}::text[], ${column(({ version }) => version)}::integer[],
      ${column(({ sessionId }) => sessionId)}::text[]) with ordinality
      as t (id, reference, external_reference, batch_id, source_account_id, account_number, account_name,
        expected_name, bank_code, amount, fee, vat, stamp_duty, narration, metadata, status, version, session_id,
        place)`;
  await unawaited(() => insert.execute(tx));
}

export async function findTransfer(tx: Tx, id: string): Promise<Transfer | undefined> {
  const row = await tx
    .selectFrom("transfers")
    .select(transferColumns)
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .executeTakeFirst();
  return row === undefined ? undefined : toTransfer(row);
}

/** By id; each is looked up in the index for itself, also by a plan that was made while the table was empty. */
export async function findTransfers(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, Transfer>> {
  const found = await sql<TransferRow>`
    select ${transferColumnList} from unnest(${ids}::uuid[]) as wanted (id)
    cross join lateral (
      select * from transfers where environment_id = ${tx.environment.id} and id = wanted.id limit 1) t`.execute(tx);
  return new Map(found.rows.map((row) => [row.id, toTransfer(row)]));
}

/** The merchant's own transfer; a disbursement is the lender's. */
export async function findPayout(tx: Tx, id: string): Promise<Transfer | undefined> {
  const found = await findTransfer(tx, id);
  return found?.purpose === "payout" ? found : undefined;
}
