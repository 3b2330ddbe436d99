/**
 * Paystack's own lists of card transactions and refunds, for reconciliation. Transactions of other channels are not
 * charges: money that people pay into account numbers is on the same list.
 */
import type { ProviderRecord, RecordPeriod } from "../provider.ts";
import { koboOf, recordAt, textOf, type WireRecord } from "../wire-json.ts";
import { listRefundPage, listRefunds, listTransactions } from "./card-calls.ts";
import type { PaystackClient } from "./client.ts";
import { isPage, readRows } from "./page.ts";

const chargeWords: ReadonlyMap<string, ProviderRecord["status"]> = new Map([
  ["success", "success"],
  ["failed", "failure"],
  ["abandoned", "failure"],
  ["reversed", "taken_back"],
]);

const refundWords: ReadonlyMap<string, ProviderRecord["status"]> = new Map([
  ["processed", "success"],
  ["failed", "failure"],
]);

export async function* listChargeRecords(client: PaystackClient, period: RecordPeriod): AsyncGenerator<ProviderRecord> {
  const seen = new Set<string>();
  for await (const row of readRows("transactions", (page) => listTransactions(client, { ...period, page }))) {
    if (row.channel !== "card") continue;
    const record = chargeOf(row);
    if (seen.has(record.providerReference) || !isWithin(record, period)) continue;
    seen.add(record.providerReference);
    yield record.status === "taken_back" ? await withRefunds(client, record) : record;
  }
}

/** A row that cannot be read ends the run: a list with a hole in it would explain nothing. */
function chargeOf(row: WireRecord): ProviderRecord {
  const amount = koboOf(row.requested_amount ?? row.amount);
  const { id, word, createdAt } = common(row, "transactions");
  if (amount === undefined) throw unreadable("transactions");
  return {
    kind: "charge",
    providerReference: id,
    ourId: textOf(row.reference) ?? null,
    amount,
    fee: koboOf(row.fees) ?? null,
    status: chargeWords.get(word) ?? "open",
    word,
    createdAt,
  };
}

/** A charge that was refunded was made all the same: its refund is a record of its own. Only a charge-back undoes it. */
async function withRefunds(client: PaystackClient, record: ProviderRecord): Promise<ProviderRecord> {
  const reply = await listRefunds(client, record.providerReference, 1);
  if (!isPage(reply)) throw new Error("Paystack's list of refunds could not be read");
  const isRefunded = reply.body.data.some((row) => recordAt(row).status !== "failed");
  return isRefunded ? { ...record, status: "success" } : record;
}

export async function* listRefundRecords(client: PaystackClient, period: RecordPeriod): AsyncGenerator<ProviderRecord> {
  const seen = new Set<string>();
  for await (const row of readRows("refunds", (page) => listRefundPage(client, { ...period, page }))) {
    const record = refundOf(row);
    if (seen.has(record.providerReference) || !isWithin(record, period)) continue;
    seen.add(record.providerReference);
    yield record;
  }
}

function refundOf(row: WireRecord): ProviderRecord {
  const amount = koboOf(row.amount);
  const { id, word, createdAt } = common(row, "refunds");
  if (amount === undefined) throw unreadable("refunds");
  return {
    kind: "refund",
    providerReference: id,
    // Refunds have no reference: ours are known by their note.
    ourId: textOf(row.merchant_note) ?? null,
    amount,
    fee: null,
    status: refundWords.get(word) ?? "open",
    word,
    createdAt,
  };
}

function common(row: WireRecord, list: string) {
  const id = textOf(row.id);
  const word = textOf(row.status);
  const createdAt = new Date(textOf(row.createdAt) ?? textOf(row.created_at) ?? "");
  if (id === undefined || word === undefined || Number.isNaN(createdAt.getTime())) throw unreadable(list);
  return { id, word, createdAt };
}

function unreadable(list: string): Error {
  return new Error(`Paystack's list of ${list} has a row that cannot be read`);
}

function isWithin({ createdAt }: ProviderRecord, { from, to }: RecordPeriod): boolean {
  return createdAt >= from && createdAt < to;
}
