/** The business account that all parts of Paystack's twin share, and the envelope of its replies. */
import { createHmac } from "node:crypto";
import type { TwinRoutes } from "./twin.ts";
import type { TwinReply } from "./twin-wire.ts";

export interface LedgerRow {
  readonly id: number;
  readonly difference: number;
  readonly balance: number;
  readonly model: "Transfer" | "Transaction" | "Refund" | "Topup";
  /** The id of the transfer, transaction or refund. */
  readonly row: number;
  readonly at: Date;
}

/** A transaction as the list of all of them shows it. */
export interface ListedTransaction {
  readonly createdAt: Date;
  readonly wire: Readonly<Record<string, unknown>>;
}

export interface PaystackAccount {
  /** Cards and money that comes in stand on one list: each part that has some says where its own are. */
  readonly transactions: (() => readonly ListedTransaction[])[];
  readonly domain: "live" | "test";
  readonly secretKey: string;
  readonly ledger: readonly LedgerRow[];
  /** Kobo. */
  balance(): number;
  move(difference: number, model: LedgerRow["model"], row: number): void;
  nextId(): number;
}

/** A part of Paystack's API over an account. */
export type PaystackPart = (account: PaystackAccount) => TwinRoutes;

export function signPaystack(secretKey: string, raw: string | Buffer): string {
  return createHmac("sha512", secretKey).update(raw).digest("hex");
}

export function openAccount(secretKey: string, float: number, firstId = 14_938_500_000): PaystackAccount {
  const ledger: LedgerRow[] = [];
  let lastId = firstId;
  const nextId = () => {
    lastId += 1;
    return lastId;
  };
  const balance = () => ledger.at(-1)?.balance ?? 0;
  const move: PaystackAccount["move"] = (difference, model, row) => {
    ledger.push({ id: nextId(), difference, balance: balance() + difference, model, row, at: new Date() });
  };
  move(float, "Topup", 0);
  const domain = secretKey.startsWith("sk_test_") ? "test" : "live";
  return { transactions: [], domain, secretKey, ledger, balance, move, nextId };
}

export function granted(message: string, data: unknown, meta?: unknown): TwinReply {
  return { status: 200, body: { status: true, message, data, ...(meta === undefined ? {} : { meta }) } };
}

/** Older errors have a message only; newer ones a type and a code, too. */
export function refused(status: number, message: string, code?: string, type = "validation_error"): TwinReply {
  const details = code === undefined ? {} : { meta: { nextStep: "Review the request and try again" }, type, code };
  return { status, body: { status: false, message, ...details } };
}
