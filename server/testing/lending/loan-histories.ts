/** Histories of loans at the checkout, made without a database. */

import type { Loan } from "../../src/lending/account/loan.ts";
import type { LoanAccount } from "../../src/lending/account/loan-account.ts";
import { scheduled } from "../../src/lending/position/instalment.ts";
import { type LoanHistory, positionOf } from "../../src/lending/position/position.ts";
import type { CreditRefund, Reduction, Repayment } from "../../src/lending/position/repayment.ts";
import type { InterestMethod, LoanProduct } from "../../src/lending/pricing/product.ts";
import { checkoutProduct } from "../../src/lending/pricing/products.ts";
import { type Kobo, zeroKobo } from "../../src/money/kobo.ts";
import { startOfLagosDay } from "../../src/platform/time/lagos-date.ts";
import { naira } from "./lending.ts";

export const date = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);

export interface HistoryTerms {
  readonly method: InterestMethod;
  readonly amount: Kobo;
  readonly tenor: number;
  readonly rate: bigint;
  readonly fee: LoanProduct["fee"];
  readonly start: string;
}

function productOf({ method, rate, fee }: HistoryTerms): LoanProduct {
  const tenors = { monthly: { shortest: 1, longest: 60, rate } };
  return { ...checkoutProduct, id: "p", version: 1, interestMethod: method, tenors, fee };
}

export function historyOf(terms: HistoryTerms): LoanHistory {
  const { method, amount, tenor, start } = terms;
  const instalments = scheduled(productOf(terms), { amount, tenor, tenorType: "monthly" }, date(start));
  return { interestMethod: method, instalments, repayments: [], reductions: [], refunds: [], writtenOffAt: null };
}

/** The loan of these terms to which this happened. */
export function loanOf(terms: HistoryTerms, history: LoanHistory, change: Partial<LoanAccount> = {}): Loan {
  const { amount, tenor, start } = terms;
  const at = startOfLagosDay(date(start));
  const account: LoanAccount = {
    id: "a",
    owner: { kind: "checkout_loan", id: "o" },
    productId: "p",
    productVersion: 1,
    amount,
    tenor,
    tenorType: "monthly",
    status: "active",
    version: 1,
    startDate: date(start),
    accrued: 0,
    writtenOffAt: history.writtenOffAt,
    createdAt: at,
    updatedAt: at,
    approvedAt: at,
    disbursedAt: at,
    closedAt: null,
    ...change,
  };
  return { account, product: productOf(terms), history, position: positionOf(history) };
}

function repayment(sequence: number, amount: Kobo, on: string): Repayment {
  return {
    id: `pay${sequence}`,
    accountId: "a",
    number: sequence,
    sequence,
    reference: `${sequence}`,
    amount,
    channel: "cash",
    walletId: null,
    reversedAt: null,
    reversalReason: null,
    recordedAt: startOfLagosDay(date(on)),
  };
}

export function reduction(sequence: number, amount: Kobo, on: string): Reduction {
  const named = { id: `off${sequence}`, accountId: "a", sequence, reference: `${sequence}`, reason: "returned" };
  return { ...named, walletId: "w", amount, recordedAt: startOfLagosDay(date(on)) };
}

function givenBack(sequence: number, amount: Kobo, on: string): CreditRefund {
  const named = { id: `back${sequence}`, accountId: "a", sequence, reference: `${sequence}`, amount };
  return { ...named, channel: "cash", walletId: null, repaymentId: null, refundedAt: startOfLagosDay(date(on)) };
}

/** Adds what happened under the next sequence, as reference-reductions.py writes it. */
export function happened(history: LoanHistory, step: string, sequence: number): LoanHistory {
  const [what = "", when = "", digits = ""] = step.split(":");
  const amount = naira(digits);
  if (what === "pay") return { ...history, repayments: [...history.repayments, repayment(sequence, amount, when)] };
  if (what === "back") return { ...history, refunds: [...history.refunds, givenBack(sequence, amount, when)] };
  if (what === "refund") return { ...history, reductions: [...history.reductions, reduction(sequence, amount, when)] };
  const instalments = history.instalments.map((instalment) =>
    instalment.number === Number(when) ? { ...instalment, lateFee: amount, lateFeeAt: sequence } : instalment,
  );
  return { ...history, instalments };
}

/** Lends on 31 January 2026 60,000.00 over three months at 2.5 %, thus three times 20,000.00 and 1,500.00. */
export const orderHistory: HistoryTerms = {
  method: "flat",
  amount: naira("60,000.00"),
  tenor: 3,
  rate: 25_000n,
  start: "2026-01-31",
  fee: { rate: 0n, fixed: zeroKobo },
};
