import { sql } from "kysely";
import { kobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import type { Row } from "../platform/database/row.ts";
import {
  type PageRequest,
  type Pagination,
  paginationOf,
  readPage,
  takePositions,
} from "../platform/records/pagination.ts";
import type { Order } from "../transfers/order-desk.ts";
import { type Approval, approvalList, type Decider } from "./approval.ts";

const columns = [
  "id",
  "kind",
  "reference",
  "asked",
  "amount",
  "payouts",
  "note",
  "requested_by",
  "requested_by_email",
  "created_at",
  "expires_at",
  "status",
  "decided_by",
  "decided_by_email",
  "decided_at",
  "reason",
  "transfer_id",
  "batch_id",
] as const;

export async function insertApproval(tx: Tx, approval: Approval): Promise<void> {
  const { order, requestedBy } = approval;
  await tx
    .insertInto("approvals")
    .values({
      environment_id: tx.environment.id,
      id: approval.id,
      kind: order.kind,
      reference: approval.reference,
      asked: JSON.stringify(order.body),
      amount: approval.amount,
      payouts: approval.payouts,
      note: approval.note,
      requested_by: requestedBy.id,
      requested_by_email: requestedBy.email,
      created_at: approval.createdAt,
      expires_at: approval.expiresAt,
      list_position: await takePositions(tx, approvalList, 1),
    })
    .execute();
}

export async function findApproval(tx: Tx, id: string): Promise<Approval | undefined> {
  const row = await approvals(tx).where("id", "=", id).executeTakeFirst();
  return row === undefined ? undefined : toApproval(row);
}

/** Locked until the transaction ends: of two who decide at once the second sees what the first has done. */
export async function lockApproval(tx: Tx, id: string): Promise<Approval | undefined> {
  const row = await approvals(tx).where("id", "=", id).forUpdate().executeTakeFirst();
  return row === undefined ? undefined : toApproval(row);
}

interface Ending {
  readonly status: "approved" | "rejected";
  readonly by: Decider;
  readonly reason: string | null;
  readonly transferId: string | null;
  readonly batchId: string | null;
}

/** By compare-and-set: what is decided stays decided. */
export async function decideApproval(tx: Tx, id: string, ending: Ending): Promise<Approval> {
  const row = await tx
    .updateTable("approvals")
    .set({
      status: ending.status,
      decided_by: ending.by.id,
      decided_by_email: ending.by.email,
      decided_at: tx.environment.clock.now(),
      reason: ending.reason,
      transfer_id: ending.transferId,
      batch_id: ending.batchId,
    })
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .where("status", "=", "waiting")
    .returning(columns)
    .executeTakeFirstOrThrow();
  return toApproval(row);
}

export async function listApprovals(tx: Tx, page: PageRequest): Promise<{ rows: Approval[]; pagination: Pagination }> {
  const { rows, pagination } = await readPage(tx, approvalList, page, ({ first, last }) =>
    approvals(tx)
      .where("list_position", ">=", first)
      .where("list_position", "<=", last)
      .orderBy("list_position", "desc")
      .limit(100)
      .execute(),
  );
  return { rows: rows.map(toApproval), pagination };
}

/** Few: they end within a week. */
export async function listWaiting(
  tx: Tx,
  { page, limit }: PageRequest,
): Promise<{ rows: Approval[]; pagination: Pagination }> {
  const waiting = approvals(tx).where("status", "=", "waiting").where("expires_at", ">", tx.environment.clock.now());
  const rows = await waiting
    .orderBy("list_position", "desc")
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  const counted = await sql<{ total: bigint }>`
    select count(*) as total from approvals
    where environment_id = ${tx.environment.id} and status = 'waiting'
      and expires_at > ${tx.environment.clock.now()}`.execute(tx);
  return { rows: rows.map(toApproval), pagination: paginationOf(counted.rows[0]?.total ?? 0n, page, limit) };
}

function approvals(tx: Tx) {
  return tx.selectFrom("approvals").select(columns).where("environment_id", "=", tx.environment.id);
}

function toApproval(row: Row<"approvals", (typeof columns)[number]>): Approval {
  const { decided_by: id, decided_by_email: email, decided_at: at } = row;
  return {
    id: row.id,
    order: { kind: row.kind, body: row.asked } as unknown as Order,
    reference: row.reference,
    amount: kobo(row.amount),
    payouts: row.payouts,
    note: row.note,
    requestedBy: { id: row.requested_by, email: row.requested_by_email },
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    storedStatus: row.status as Approval["storedStatus"],
    decision: id === null || email === null || at === null ? null : { by: { id, email }, at, reason: row.reason },
    transferId: row.transfer_id,
    batchId: row.batch_id,
  };
}
