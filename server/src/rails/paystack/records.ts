/**
 * Paystack's own lists, for reconciliation. That of transfers is said to show only open ones when no status is asked
 * for, so each status is asked for, too. The end of the period is fixed, so that pages do not move while they are read.
 */
import { keysOf } from "../../platform/keys-of.ts";
import type { ProviderRecord, RecordKind, RecordPeriod } from "../provider.ts";
import { koboOf, textOf, type WireRecord } from "../wire-json.ts";
import { listChargeRecords, listRefundRecords } from "./card-records.ts";
import { transferEndings } from "./classify.ts";
import { listTransfers, type PaystackClient } from "./client.ts";
import { readRows } from "./page.ts";

export const lists = { payout: listTransferRecords, charge: listChargeRecords, refund: listRefundRecords };

export async function* listRecords(
  client: PaystackClient,
  period: RecordPeriod,
  kinds: readonly RecordKind[],
): AsyncGenerator<ProviderRecord> {
  for (const kind of keysOf(lists)) {
    if (kinds.includes(kind)) yield* lists[kind](client, period);
  }
}

const words = ["pending", "received", "otp", "success", "failed", "reversed", "abandoned", "blocked", "rejected"];

async function* listTransferRecords(client: PaystackClient, period: RecordPeriod): AsyncGenerator<ProviderRecord> {
  const seen = new Set<string>();
  for (const status of [undefined, ...words]) {
    const read = (page: number) => listTransfers(client, { ...period, page, status });
    for await (const row of readRows("transfers", read)) {
      const id = textOf(row.id) ?? "";
      const record = recordOf(row);
      if (seen.has(id) || record.createdAt < period.from || record.createdAt >= period.to) continue;
      seen.add(id);
      yield record;
    }
  }
}

/** A row that cannot be read ends the run: a list with a hole in it would explain nothing. */
function recordOf(row: WireRecord): ProviderRecord {
  const providerReference = textOf(row.transfer_code) ?? textOf(row.id);
  const amount = koboOf(row.amount);
  const word = textOf(row.status);
  const createdAt = new Date(textOf(row.createdAt) ?? textOf(row.created_at) ?? "");
  const isWhole = textOf(row.id) !== undefined && !Number.isNaN(createdAt.getTime());
  if (providerReference === undefined || amount === undefined || word === undefined || !isWhole) {
    throw new Error("Paystack's list of transfers has a row that cannot be read");
  }
  return {
    kind: "payout",
    providerReference,
    ourId: textOf(row.reference) ?? null,
    amount,
    fee: koboOf(row.fee_charged) ?? null,
    status: transferEndings.get(word) ?? "open",
    word,
    createdAt,
  };
}
