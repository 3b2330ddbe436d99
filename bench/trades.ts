/** What merchants order in the benchmark of whole lives: payouts, bills, or payouts in bulk. */
import { requestBytes } from "./load.ts";
import type { Payer } from "./payers.ts";

export interface Trade {
  readonly table: "transfers" | "bills";
  readonly event: string;
  /** How many orders one request makes. */
  readonly perRequest: number;
  /** How many orders are between request and webhook at most, where the next one waits for an earlier one's end. */
  readonly inFlight: number;
  readonly connections: number;
  /** `at` is when the request is due; its references carry it to the receiver of the webhook. */
  request(payer: Payer, at: number): Buffer;
}

let counter = 0;
const referenceAt = (at: number): string => `at-${Math.round(at)}-${process.pid}-${counter++}`;

const account = { accountNumber: "0123456789", bankCode: "058", amount: 1500, narration: "Salary November" };
const airtime = { network: "MTN", phoneNumber: "08031234567", amount: 100 };
const bulkSize = 1_000;

function post(path: string, { key }: Payer, body: unknown): Buffer {
  return requestBytes("POST", path, key, JSON.stringify(body));
}

const connections = Number(process.env["BENCH_CONNECTIONS"] ?? 64);
const inFlight = Number(process.env["BENCH_IN_FLIGHT"] ?? 512);

export const trades: Readonly<Record<string, Trade>> = {
  payouts: {
    table: "transfers",
    event: "transfer.completed",
    perRequest: 1,
    inFlight,
    connections,
    request: (payer, at) => post("/transfers", payer, { ...account, currency: "NGN", reference: referenceAt(at) }),
  },
  bills: {
    table: "bills",
    event: "bill.successful",
    perRequest: 1,
    inFlight,
    connections,
    request: (payer, at) => post("/bills/airtime/vend", payer, { ...airtime, reference: referenceAt(at) }),
  },
  bulk: {
    table: "transfers",
    event: "transfer.completed",
    perRequest: bulkSize,
    inFlight: 5 * bulkSize,
    connections: 2,
    request: (payer, at) => {
      const transfers = Array.from({ length: bulkSize }, () => ({ ...account, reference: referenceAt(at) }));
      return post("/transfers/bulk", payer, { batchReference: referenceAt(at), currency: "NGN", transfers });
    },
  },
};
