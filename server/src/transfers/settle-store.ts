/** State moves of transfers, many at a time, by compare-and-set. */
import { sql } from "kysely";
import type { Tx } from "../platform/database.ts";
import type { SettleCommand } from "./settlement.ts";
import type { Transfer } from "./transfer.ts";
import { type TransferRow, toTransfer, transferColumns } from "./transfer-store.ts";

/** Moves what is still in the expected state and answers with the records as they are now, by id. */
export async function moveTransfers(tx: Tx, commands: readonly SettleCommand[]): Promise<Map<string, Transfer>> {
  const now = tx.environment.clock.now();
  // The first of two moves of one transfer counts. Locks: the rows, in id order.
  const distinct = [...new Map([...commands].reverse().map((command) => [command.id, command])).values()];
  const moved = await sql<TransferRow>`
    with wanted as (
      select * from unnest(
        ${distinct.map(({ id }) => id)}::uuid[], ${distinct.map(({ from }) => from)}::text[],
        ${distinct.map(({ to }) => to)}::text[], ${distinct.map(({ failure }) => failure?.code ?? null)}::text[],
        ${distinct.map(({ failure }) => failure?.message ?? null)}::text[])
        as w (id, from_status, to_status, failure_code, failure_message)
    ), locked as (
      select t.id, w.to_status, w.failure_code, w.failure_message
      from transfers t join wanted w on w.id = t.id and w.from_status = t.status
      where t.environment_id = ${tx.environment.id}
      order by t.id
      for update of t
    )
    update transfers t set status = l.to_status, version = t.version + 1, updated_at = ${now},
      completed_at = coalesce(t.completed_at, ${now}), failure_code = l.failure_code,
      failure_message = l.failure_message, claim_at = null
    from locked l
    where t.environment_id = ${tx.environment.id} and t.id = l.id
    returning t.id, t.purpose, t.reference, t.external_reference, t.batch_id, t.source_account_id, t.account_number,
      t.account_name, t.expected_name, t.bank_code, t.amount, t.fee, t.vat, t.stamp_duty, t.narration, t.metadata,
      t.status, t.version, t.session_id, t.failure_code, t.failure_message, t.created_at, t.updated_at,
      t.completed_at`.execute(tx);
  return new Map(moved.rows.map((row) => [row.id, toTransfer(row)]));
}

/** A waiting transfer whose holder the bank has named goes to the rail: name, session id and state in one step. */
export async function startSending(
  tx: Tx,
  id: string,
  details: { readonly accountName: string; readonly sessionId: string },
): Promise<boolean> {
  const now = tx.environment.clock.now();
  const moved = await tx
    .updateTable("transfers")
    .set((set) => ({
      status: "processing",
      version: set("version", "+", 1),
      account_name: details.accountName,
      session_id: details.sessionId,
      sent_at: now,
      updated_at: now,
    }))
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .where("status", "=", "pending")
    .executeTakeFirst();
  return moved.numUpdatedRows === 1n;
}

/** The rail has not settled it: no worker holds it any more, the agenda will ask again. */
export async function countQuery(tx: Tx, id: string): Promise<number> {
  const row = await tx
    .updateTable("transfers")
    .set((set) => ({ queries: set("queries", "+", 1), claim_at: null }))
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .where("status", "=", "processing")
    .returning("queries")
    .executeTakeFirst();
  return row?.queries ?? 0;
}

/** Nothing was sent yet and the bank could not be asked: a worker takes it up again after a while. */
export async function releaseClaim(tx: Tx, id: string, afterMs: number): Promise<void> {
  await sql`
    update transfers set claim_at = clock_timestamp() + make_interval(secs => ${afterMs / 1000})
    where environment_id = ${tx.environment.id} and id = ${id} and status = 'pending'`.execute(tx);
}

/** A transfer with the time since it was first sent, in the environment's time. */
export async function findForSending(
  tx: Tx,
  id: string,
): Promise<{ transfer: Transfer; sentForMs: number } | undefined> {
  const row = await tx
    .selectFrom("transfers")
    .select([...transferColumns, "sent_at"])
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const sentForMs = row.sent_at === null ? 0 : tx.environment.clock.now().getTime() - row.sent_at.getTime();
  return { transfer: toTransfer(row), sentForMs };
}

/** The transfer that the rail knows by this session. */
export async function findBySession(tx: Tx, sessionId: string): Promise<Transfer | undefined> {
  const row = await tx
    .selectFrom("transfers")
    .select(transferColumns)
    .where("environment_id", "=", tx.environment.id)
    .where("session_id", "=", sessionId)
    .executeTakeFirst();
  return row === undefined ? undefined : toTransfer(row);
}
