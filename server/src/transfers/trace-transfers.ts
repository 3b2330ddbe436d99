/** What transfers tell in a trace: payouts with what was asked of the bank, batches, and loans being paid out. */

import { sql } from "kysely";
import { nairaNumber } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import type { TracedKind, TraceSource, TraceStep } from "../platform/records/trace.ts";
import { maskDigits } from "../platform/redact.ts";
import { bankName } from "../rails/bank-directory.ts";
import { type AskedOrder, readAsked } from "../rails/order-records.ts";
import { lifeOf, orderSteps, turnsOfOrder } from "../rails/order-steps.ts";
import type { RejectedItem, TransferBatch } from "./batches/batch.ts";
import { findBatch } from "./batches/batch-store.ts";
import { disbursementReferences, type Transfer } from "./payouts/transfer.ts";
import { transferQueue } from "./payouts/transfer-store.ts";
import { totalDebit } from "./tariff/tariff.ts";

/** What traces read of transfers and batches. */
const tracedTransfers: readonly TracedKind[] = [
  {
    kind: "transfer",
    table: "transfers",
    // A disbursement is part of its loan, whose account begins its reference.
    partOf: sql`case when purpose = 'disbursement' then left(reference, 36)::uuid end`,
  },
  { kind: "batch", table: "transfer_batches" },
];

type TracedTransfer = AskedOrder<Transfer>;

/** More tries than a person makes. */
const mostTries = 50;

/** The disbursements of loan accounts: each was claimed under the account's id and the number of the try. */
async function findDisbursementsOf(tx: Tx, accountIds: readonly string[]): Promise<string[]> {
  const found = await sql<{ record_id: string }>`
    select c.record_id from unnest(${accountIds}::text[]) as account (id)
    cross join generate_series(1, ${mostTries}) as try (number)
    join reference_claims c on c.environment_id = ${tx.environment.id} and c.kind = ${disbursementReferences}
      and c.reference = account.id || '-' || try.number`.execute(tx);
  return found.rows.map((row) => row.record_id);
}

const ends = ["completed", "failed"];

export const transferTrace: TraceSource = {
  records: tracedTransfers,
  turns: {
    ...turnsOfOrder("transfer", ends),
    ...turnsOfOrder("disbursement", ends),
    "transfer.batch.completed": 4,
  },
  async tell(tx, { ids, decided }) {
    const transfers = await readAsked(tx, transferQueue, sql`t.id = any (${ids}::uuid[])`, ids.length);
    const steps = transfers.flatMap((traced) => transferSteps(traced, decided.has(traced.order.id)));
    const orders = transfers.flatMap(({ order: { sessionId } }) => sessionId ?? []);
    const also = await findDisbursementsOf(tx, ids);
    return { steps: [...steps, ...(await batchesSteps(tx, ids))], also, orders };
  },
};

function transferSteps(traced: TracedTransfer, decided: boolean): TraceStep[] {
  const { id, batchId, bankCode, accountNumber, amount, sessionId } = traced.order;
  const ids = { transfer: id, ...(batchId === null ? {} : { batch: batchId }) };
  const asked = {
    bank: bankName(bankCode),
    bankCode,
    accountNumber: maskDigits(accountNumber),
    amount: nairaNumber(amount),
    sessionId,
  };
  const life = orderSteps({ ...lifeOf(traced), ids, rail: "the bank", asked, done: "completed", decided });
  return [...checkSteps(traced, ids), ...life];
}

/** What was found out before the money moved: the price, and whose account it is. */
function checkSteps({ order: transfer, sentAt }: TracedTransfer, ids: TraceStep["ids"]): TraceStep[] {
  const { createdAt, accountName, expectedName, batchId, purpose } = transfer;
  const { fee, vat, stampDuty } = transfer;
  const check = (at: Date, title: string, detail: TraceStep["detail"], turn: number): TraceStep => ({
    at,
    kind: "check",
    title,
    detail,
    ids,
    ok: true,
    turn,
  });
  const price = {
    amount: nairaNumber(transfer.amount),
    fee: nairaNumber(fee),
    vat: nairaNumber(vat),
    stampDuty: nairaNumber(stampDuty),
    totalDebit: nairaNumber(totalDebit(transfer)),
  };
  const steps = purpose === "payout" ? [check(createdAt, "Priced by the tariff of the day", price, 0.5)] : [];
  // One payout is named before it is accepted. Of a batch and of a disbursement the worker asks, just before it sends.
  const namedAt = batchId === null && purpose === "payout" ? createdAt : sentAt;
  if (accountName === null || namedAt === null) return steps;
  const turn = namedAt === createdAt ? 0.6 : 1.9;
  return [...steps, check(namedAt, "The bank named the account's holder", { accountName, expectedName }, turn)];
}

/** Items of a batch that a trace lists; each has a trace of its own. */
const mostItems = 100;

async function batchesSteps(tx: Tx, ids: readonly string[]): Promise<TraceStep[]> {
  const steps: TraceStep[] = [];
  for (const id of ids) {
    const batch = await findBatch(tx, id);
    if (batch === undefined) continue;
    // What became of its items, as far as it was not the best.
    const failed = sql`t.batch_id = ${id} and t.status in ('failed', 'reversed')`;
    const items = await readAsked(tx, transferQueue, failed, mostItems);
    steps.push(...batchSteps(batch), ...items.map(itemStep));
  }
  return steps;
}

function batchSteps(batch: TransferBatch): TraceStep[] {
  const { id, createdAt, completedAt, totalCount, acceptedCount, rejectedCount } = batch;
  const counts = { totalCount, acceptedCount, rejectedCount };
  const state = (at: Date, title: string, detail: TraceStep["detail"], turn: number): TraceStep => ({
    at,
    kind: "state",
    title,
    detail,
    ids: { batch: id },
    ok: true,
    turn,
  });
  const amounts = { totalAmount: nairaNumber(batch.totalAmount), totalFee: nairaNumber(batch.totalFee) };
  return [
    state(createdAt, "Batch accepted", { status: "processing", ...counts, ...amounts }, 1),
    ...batch.rejected.slice(0, mostItems).map((item) => refusedStep(batch, item)),
    ...(completedAt === null
      ? []
      : [state(completedAt, "Batch done", { status: "completed", ...batch.countsByStatus }, 3.8)]),
  ];
}

function refusedStep({ id, createdAt }: TransferBatch, { reference, code, message }: RejectedItem): TraceStep {
  const detail = { reference, code, message };
  return {
    at: createdAt,
    kind: "check",
    title: `Item refused: ${reference}`,
    detail,
    ids: { batch: id },
    ok: false,
    turn: 1,
  };
}

function itemStep({ order: transfer }: TracedTransfer): TraceStep {
  const { id, reference, status, failureReason: failure, updatedAt } = transfer;
  const ids = { transfer: id };
  return {
    at: updatedAt,
    kind: "state",
    title: `Item ${status}: ${reference}`,
    detail: { status, failure },
    ids,
    ok: false,
    turn: 3,
  };
}
