/** State moves of transfers, many at a time, by compare-and-set. */
import { sql } from "kysely";
import type { Tx } from "../platform/database/database.ts";
import { firstOfEach } from "../platform/records/first-of-each.ts";
import type { SettleCommand } from "./settlement.ts";
import type { Transfer } from "./transfer.ts";
import { type TransferRow, toTransfer, transferColumnList, transferColumns } from "./transfer-store.ts";

/** Moves what is still in the expected state and returns the records as they are now, by id. */
export async function moveTransfers(tx: Tx, commands: readonly SettleCommand[]): Promise<Map<string, Transfer>> {
  const now = tx.environment.clock.now();
  // The first of two moves of one transfer counts. Locks: the rows, in id order.
  const distinct = firstOfEach(commands);
  const moved = await sql<TransferRow>`
    select ${transferColumnList} from move_transfers(${now}, ${distinct.map(({ id }) => id)}::uuid[],
      ${distinct.map(({ from }) => from)}::text[], ${distinct.map(({ to }) => to)}::text[],
      ${distinct.map(({ failure }) => failure?.code ?? null)}::text[],
      ${distinct.map(({ failure }) => failure?.message ?? null)}::text[]) as t`.execute(tx);
  return new Map(moved.rows.map((row) => [row.id, toTransfer(row)]));
}

export interface Start {
  readonly id: string;
  readonly accountName: string;
  readonly sessionId: string;
  readonly connectionId: string | null;
}

/**
 * Waiting transfers whose holders the bank has named go to the rail: name, session id and state in one step. Answers
 * with those that went, by id.
 */
export async function startSending(tx: Tx, starts: readonly Start[]): Promise<Map<string, Transfer>> {
  const now = tx.environment.clock.now();
  // Of two starts of one transfer the first counts. Locks: the rows, in id order.
  const distinct = firstOfEach(starts);
  const moved = await sql<TransferRow>`
    select ${transferColumnList} from start_transfers(${now}, ${distinct.map(({ id }) => id)}::uuid[],
      ${distinct.map((start) => start.accountName)}::text[], ${distinct.map(({ sessionId }) => sessionId)}::text[],
      ${distinct.map(({ connectionId }) => connectionId)}::uuid[]) as t`.execute(tx);
  return new Map(moved.rows.map((row) => [row.id, toTransfer(row)]));
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
