/** Reading, writing and moving transfers. Moves are by compare-and-set, many at a time (`rails/order-records.ts`). */

import { sql } from "kysely";
import { type Kobo, kobo } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import type { Row } from "../../platform/database/row.ts";
import { keysOf } from "../../platform/keys-of.ts";
import { type CountedList, type ListQuestion, readList } from "../../platform/records/counted-list.ts";
import type { PageRequest } from "../../platform/records/pagination.ts";
import type { SearchedKind } from "../../platform/records/search.ts";
import { bankName } from "../../rails/bank-directory.ts";
import type { OrderQueue } from "../../rails/order-queue.ts";
import {
  columnsOf,
  endsOf,
  findOrder,
  insertOrders,
  listOf,
  moveOrders,
  type NewOrders,
  type OrderEnd,
  orderColumns,
  toOrderRecord,
  type WrittenOrders,
} from "../../rails/order-records.ts";
import {
  payoutList,
  type Transfer,
  type TransferPurpose,
  type TransferStatus,
  transferTransitions,
} from "./transfer.ts";

const transferColumns = [
  ...orderColumns,
  "purpose",
  "external_reference",
  "batch_id",
  "account_number",
  "account_name",
  "expected_name",
  "bank_code",
  "vat",
  "stamp_duty",
  "narration",
  "metadata",
  "session_id",
] as const;

export type TransferRow = Row<"transfers", (typeof transferColumns)[number]>;

function toTransfer(row: TransferRow): Transfer {
  return {
    ...toOrderRecord(row),
    purpose: row.purpose as TransferPurpose,
    externalReference: row.external_reference,
    batchId: row.batch_id,
    sourceAccountId: row.source_account_id,
    accountNumber: row.account_number,
    accountName: row.account_name,
    expectedName: row.expected_name,
    bankCode: row.bank_code,
    vat: kobo(row.vat),
    stampDuty: kobo(row.stamp_duty),
    narration: row.narration,
    metadata: row.metadata as Transfer["metadata"],
    status: row.status as TransferStatus,
    sessionId: row.session_id,
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

const written: WrittenOrders<Transfer> = {
  table: "transfers",
  railId: "session_id",
  railIdOf: ({ sessionId }) => sessionId,
  own: {
    purpose: ["text", ({ purpose }) => purpose],
    external_reference: ["text", ({ externalReference }) => externalReference],
    batch_id: ["uuid", ({ batchId }) => batchId],
    account_number: ["text", ({ accountNumber }) => accountNumber],
    account_name: ["text", ({ accountName }) => accountName],
    expected_name: ["text", ({ expectedName }) => expectedName],
    bank_code: ["text", ({ bankCode }) => bankCode],
    vat: ["bigint", ({ vat }) => String(vat)],
    stamp_duty: ["bigint", ({ stampDuty }) => String(stampDuty)],
    narration: ["text", ({ narration }) => narration],
    metadata: ["json", ({ metadata }) => (metadata === null ? null : JSON.stringify(metadata))],
  },
};

export function insertTransfers(tx: Tx, transfers: NewOrders<Transfer>): Promise<void> {
  return insertOrders(tx, written, transfers);
}

export function findTransfer(tx: Tx, id: string): Promise<Transfer | undefined> {
  return findOrder(tx, transferQueue, id);
}

/** By id; each is looked up in the index for itself, also by a plan that was made while the table was empty. */
export async function findTransfers(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, Transfer>> {
  const found = await sql<TransferRow>`
    select ${columnsOf(transferQueue)} from unnest(${ids}::uuid[]) as wanted (id)
    cross join lateral (
      select * from transfers where environment_id = ${tx.environment.id} and id = wanted.id limit 1) t`.execute(tx);
  return new Map(found.rows.map((row) => [row.id, toTransfer(row)]));
}

/** The merchant's own transfer; a disbursement is the lender's. */
export async function findPayout(tx: Tx, id: string): Promise<Transfer | undefined> {
  const found = await findTransfer(tx, id);
  return found?.purpose === "payout" ? found : undefined;
}

/** The transfer that the rail knows by this session. */
export async function findBySession(tx: Tx, sessionId: string): Promise<Transfer | undefined> {
  const found = await sql<TransferRow>`
    select ${columnsOf(transferQueue)} from transfers t
    where t.environment_id = ${tx.environment.id} and t.session_id = ${sessionId}`.execute(tx);
  return found.rows.map(toTransfer)[0];
}

/** Ends what is still in the expected state. */
export function moveTransfers(tx: Tx, ends: readonly OrderEnd[]): Promise<Map<string, Transfer>> {
  return moveOrders(tx, transferQueue, { sqlFunction: "move_transfers", moves: ends, lists: endsOf });
}

export interface Start {
  readonly id: string;
  readonly accountName: string;
  readonly sessionId: string;
  readonly connectionId: string | null;
}

/** Waiting transfers whose holders the bank has named go to the rail: name, session id and state in one step. */
export function startSending(tx: Tx, starts: readonly Start[]): Promise<Map<string, Transfer>> {
  return moveOrders(tx, transferQueue, {
    sqlFunction: "start_transfers",
    moves: starts,
    lists: (waiting) => [
      listOf(waiting, "text", ({ accountName }) => accountName),
      listOf(waiting, "text", ({ sessionId }) => sessionId),
      listOf(waiting, "uuid", ({ connectionId }) => connectionId),
    ],
  });
}

/** Lists of payouts (`platform/records/counted-list.ts`). A payout enters the indexes by bank and amount when it ends. */
export interface TransferQuestion extends ListQuestion {
  readonly bankCode: string | null;
  /** Both count in. */
  readonly minAmount: Kobo | null;
  readonly maxAmount: Kobo | null;
}

export const payouts: CountedList<Transfer, TransferRow> = {
  table: "transfers",
  columns: transferColumns,
  toRecord: toTransfer,
  resource: payoutList,
  only: sql`t.purpose = 'payout'`,
  statuses: keysOf(transferTransitions),
  open: ["pending", "processing"],
};

/** One page of the environment's payouts, newest first. */
export function listTransfers(tx: Tx, question: TransferQuestion, page: PageRequest) {
  const { bankCode, minAmount, maxAmount } = question;
  const further = [
    ...(bankCode === null ? [] : [sql`t.bank_code = ${bankCode}`]),
    ...(minAmount === null ? [] : [sql`t.amount >= ${minAmount}`]),
    ...(maxAmount === null ? [] : [sql`t.amount <= ${maxAmount}`]),
  ];
  return readList(tx, payouts, { ...question, further }, page);
}

/** What can be found of payouts. */
export const searchedTransfers: SearchedKind = {
  kind: "transfer",
  table: "transfers",
  scope: "transfers:read",
  path: "/transfers/{id}",
  only: sql`t.purpose = 'payout'`,
  title: sql`t.reference`,
  details: sql`array[t.account_name, t.account_number, t.bank_code]`,
  describe: ([name = null, number = null, code]) => [name, number, code ? bankName(code) : null],
  status: sql`t.status`,
  amountColumn: "amount",
  references: [payoutList],
  indexed: [{ column: "session_id" }],
  newestBy: "list_position",
  exactly: ["account_number"],
  text: sql`concat_ws(' ', t.reference, t.external_reference, t.account_name, t.narration)`,
};
