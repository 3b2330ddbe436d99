/** The books of Monnify's twin: a wallet in kobo, and disbursements by our reference. */
import type { WireRecord } from "../../src/rails/wire-json.ts";
import { createPlantedList, type PlantedList } from "./planted-list.ts";

export type DisbursementWord =
  | "PENDING"
  | "IN_PROGRESS"
  | "PENDING_AUTHORIZATION"
  | "SUCCESS"
  | "COMPLETED"
  | "FAILED"
  | "EXPIRED"
  | "REVERSED";

export interface TwinDisbursement {
  readonly reference: string;
  readonly transactionReference: string;
  /** Kobo. */
  readonly amount: number;
  readonly fee: number;
  readonly bankCode: string;
  readonly accountNumber: string;
  readonly narration: string;
  readonly createdAt: Date;
  status: DisbursementWord;
}

export interface MonnifyBooks {
  readonly disbursements: ReadonlyMap<string, TwinDisbursement>;
  /** What becomes of the next orders at once. */
  outcome: DisbursementWord;
  /** Refuses a second order of the same amount to the same account within two minutes, as D07. */
  refusesSameAmount: boolean;
  readonly missingBanks: Set<string>;
  /** What the list shows instead of the books, by reference. */
  readonly listed: PlantedList<TwinDisbursement>;
  /** Kobo. */
  balance(): number;
  /** Kobo that left for accounts and stayed there. */
  paidOut(): number;
  /** Kobo that we were charged for them. */
  fees(): number;
  take(order: Omit<TwinDisbursement, "transactionReference" | "fee" | "createdAt" | "status">): TwinDisbursement;
  /** Ends an open order, or takes one back. The money follows. */
  settle(reference: string, status: DisbursementWord): TwinDisbursement;
  /** Whether an order of the amount went to the account within the last two minutes. */
  hasSameAmount(accountNumber: string, amount: number): boolean;
}

const endings: ReadonlySet<DisbursementWord> = new Set(["FAILED", "EXPIRED", "REVERSED"]);
const sameAmountMs = 120_000;

export function createMonnifyBooks(float: number): MonnifyBooks {
  const disbursements = new Map<string, TwinDisbursement>();
  let left = float;
  const all = () => [...disbursements.values()];
  const paid = () => all().filter(({ status }) => status === "SUCCESS" || status === "COMPLETED");
  return {
    disbursements,
    outcome: "SUCCESS",
    refusesSameAmount: false,
    missingBanks: new Set(),
    listed: createPlantedList(({ reference }) => reference),
    balance: () => left,
    paidOut: () => paid().reduce((sum, { amount }) => sum + amount, 0),
    fees: () => paid().reduce((sum, { fee }) => sum + fee, 0),
    take(order) {
      const transactionReference = `MFDS${String(disbursements.size + 1).padStart(20, "0")}`;
      const made = {
        ...order,
        transactionReference,
        fee: feeOf(order.amount),
        createdAt: new Date(),
        status: this.outcome,
      };
      disbursements.set(order.reference, made);
      if (!endings.has(made.status)) left -= made.amount + made.fee;
      return made;
    },
    settle(reference, status) {
      const found = disbursements.get(reference);
      if (found === undefined) throw new Error(`no disbursement ${reference}`);
      if (endings.has(found.status)) throw new Error(`disbursement ${reference} is ${found.status}`);
      found.status = status;
      if (endings.has(status)) left += found.amount + found.fee;
      return found;
    },
    hasSameAmount: (accountNumber, amount) =>
      all().some(
        (one) =>
          one.accountNumber === accountNumber &&
          one.amount === amount &&
          Date.now() - one.createdAt.getTime() < sameAmountMs,
      ),
  };
}

/** Naira 10, 20 and 40, by the amount. */
export function feeOf(amount: number): number {
  if (amount <= 5_000_00) return 10_00;
  return amount <= 50_000_00 ? 20_00 : 40_00;
}

export function naira(kobo: number): number {
  return kobo / 100;
}

/** As the reply to an order has it: neither a currency nor the network's session id. */
export function plainDisbursement(one: TwinDisbursement): WireRecord {
  return {
    amount: naira(one.amount),
    reference: one.reference,
    status: one.status,
    dateCreated: one.createdAt.toISOString().replace("Z", "+0000"),
    totalFee: naira(one.fee),
    destinationAccountNumber: one.accountNumber,
    destinationBankCode: one.bankCode,
  };
}

export function wholeDisbursement(one: TwinDisbursement): WireRecord {
  const wasPaid = !["PENDING", "IN_PROGRESS", "PENDING_AUTHORIZATION"].includes(one.status);
  return {
    amount: naira(one.amount),
    reference: one.reference,
    narration: one.narration,
    currency: "NGN",
    fee: naira(one.fee),
    status: one.status,
    transactionReference: one.transactionReference,
    createdOn: one.createdAt.toISOString().replace("Z", "+0000"),
    destinationAccountNumber: one.accountNumber,
    destinationBankCode: one.bankCode,
    sessionId: wasPaid ? one.transactionReference.slice(4).padStart(30, "0") : null,
  };
}
