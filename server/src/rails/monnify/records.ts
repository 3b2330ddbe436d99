/** Monnify's own list of disbursements, for reconciliation. */
import type { ProviderRecord, RecordPeriod } from "../provider.ts";
import { listAt, nairaOf, recordAt, textOf, type WireRecord } from "../wire-json.ts";
import { disbursementEndings } from "./classify.ts";
import { type MonnifyClient, searchDisbursements } from "./client.ts";
import { bodyIn } from "./reply.ts";
import { readMonnifyTime } from "./time.ts";

const mostPages = 10_000;

export async function* listDisbursements(client: MonnifyClient, period: RecordPeriod): AsyncGenerator<ProviderRecord> {
  const seen = new Set<string>();
  for (let page = 0; page < mostPages; page += 1) {
    const body = bodyIn(await searchDisbursements(client, { ...period, page }));
    if (body === undefined || !Array.isArray(body.content)) {
      throw new Error("Monnify's list of disbursements could not be read");
    }
    for (const row of listAt(body, "content")) {
      const record = recordOf(recordAt(row));
      const isWanted = record.createdAt >= period.from && record.createdAt < period.to;
      if (seen.has(record.providerReference) || !isWanted) continue;
      seen.add(record.providerReference);
      yield record;
    }
    const isLast = typeof body.totalPages === "number" && page + 1 >= body.totalPages;
    if (body.content.length === 0 || isLast) return;
  }
  throw new Error("Monnify's list of disbursements does not end");
}

/** A row that cannot be read ends the run: a list with a hole in it would explain nothing. */
function recordOf(row: WireRecord): ProviderRecord {
  const providerReference = textOf(row.transactionReference) ?? textOf(row.reference);
  const amount = nairaOf(row.amount);
  const word = textOf(row.status);
  const createdAt = readMonnifyTime(row.createdOn ?? row.dateCreated);
  if (providerReference === undefined || amount === undefined || word === undefined || createdAt === undefined) {
    throw new Error("Monnify's list of disbursements has a row that cannot be read");
  }
  return {
    kind: "payout",
    providerReference,
    ourId: textOf(row.reference) ?? null,
    amount,
    fee: nairaOf(row.fee ?? row.totalFee) ?? null,
    status: disbursementEndings.get(word) ?? "open",
    word,
    createdAt,
  };
}
