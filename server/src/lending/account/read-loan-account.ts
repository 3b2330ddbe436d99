/** What a loan account shows: all figures of the moment, each instalment with what was paid, and how late it is. */
import { derivedAccountId } from "../../ledger/account.ts";
import { subtract, sum } from "../../money/arithmetic.ts";
import { type Kobo, zeroKobo } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import { type PageRequest, pageRange } from "../../platform/records/pagination.ts";
import { lagosDate } from "../../platform/time/lagos-date.ts";
import { earlySettlement } from "../position/early-settlement.ts";
import { type Ageing, ageing, figuresOf, type LoanFigures, withoutDebt } from "../position/figures.ts";
import {
  dueParts,
  type InstalmentPosition,
  isOverdue,
  scheduled,
  sumParts,
  unpaid,
  untouched,
} from "../position/instalment.ts";
import type { Allocation, ReductionEffect } from "../position/position.ts";
import type { Reduction, Repayment } from "../position/repayment.ts";
import { type LoanProduct, type Rate, rateOf } from "../pricing/product.ts";
import { amountDue } from "../pricing/quote.ts";
import { findLoan, type Loan } from "./loan.ts";
import { isAbandoned, type LoanAccount } from "./loan-account.ts";

export type InstalmentStatus = "pending" | "partially_paid" | "paid" | "overdue";

export interface InstalmentView extends InstalmentPosition {
  readonly id: string;
  /** Principal, interest and fees, less what was waived or refunded; late fees come on top. */
  readonly amountDue: Kobo;
  readonly amountPaid: Kobo;
  /** What is unpaid of it, its late fee included. */
  readonly balance: Kobo;
  readonly status: InstalmentStatus;
}

export interface LoanView {
  readonly account: LoanAccount;
  readonly product: LoanProduct;
  /** Per period. */
  readonly rate: Rate;
  readonly figures: LoanFigures;
  /** What each instalment but the last comes to; after a refund, each that it has shrunk. */
  readonly instalmentAmount: Kobo;
  /** Empty until approval; dates are projected until disbursement. */
  readonly instalments: readonly InstalmentView[];
  /** The same from the first moment on: before approval, those of a loan that would start today. */
  readonly projected: readonly InstalmentView[];
  readonly endDate: Temporal.PlainDate | null;
  readonly ageing: Ageing;
  /** Paid too much, can be refunded. */
  readonly credit: Kobo;
  /** What merchants refunded of the order, in its order, and what can still be refunded. */
  readonly reductions: readonly ReductionView[];
  readonly refundable: Kobo;
  /** What closes the loan today, and the interest that this would waive. */
  readonly settlement: { readonly amount: Kobo; readonly waivedInterest: Kobo };
}

export async function readLoanAccount(tx: Tx, accountId: string): Promise<LoanView | undefined> {
  const loan = await findLoan(tx, accountId);
  return loan === undefined ? undefined : viewOf(loan, lagosDate(tx.environment.clock.now()));
}

export function viewOf(loan: Loan, today: Temporal.PlainDate): LoanView {
  const { account, product, position } = loan;
  const instalments = planOrProjection(loan, today);
  const figures = figuresOf(instalments, product.graceDays, today);
  const abandoned = isAbandoned(account.status);
  const first = instalments.find(({ reducedPrincipal }) => reducedPrincipal > 0n) ?? instalments[0];
  const projected = instalments.map((instalment) => viewInstalment(account, product, instalment, today));
  const settlement = earlySettlement(instalments, product.interestMethod, today);
  return {
    account,
    product,
    rate: rateOf(product, account.tenorType),
    figures: abandoned ? withoutDebt(figures) : figures,
    instalmentAmount: first === undefined ? zeroKobo : amountDue(dueParts(first)),
    instalments: position.instalments.length === 0 ? [] : projected,
    projected,
    endDate: position.instalments.at(-1)?.dueDate ?? null,
    ageing: ageing(account.disbursedAt === null ? [] : instalments, product.graceDays, today),
    credit: position.credit,
    reductions: viewReductions(loan),
    refundable: refundableOf(loan),
    settlement: abandoned ? { amount: zeroKobo, waivedInterest: zeroKobo } : settlement,
  };
}

/** Before approval there is no plan; figures are those of a loan that would start today. */
export function planOrProjection({ account, product, position }: Loan, today: Temporal.PlainDate) {
  if (position.instalments.length > 0) return position.instalments;
  return scheduled(product, account, today).map(untouched);
}

function viewInstalment(
  account: LoanAccount,
  product: LoanProduct,
  instalment: InstalmentPosition,
  today: Temporal.PlainDate,
): InstalmentView {
  return {
    ...instalment,
    id: derivedAccountId(account.id, `instalment ${instalment.number}`),
    amountDue: amountDue(dueParts(instalment)),
    amountPaid: sumParts(instalment.paid),
    balance: unpaid(instalment),
    status: statusOf(account, product, instalment, today),
  };
}

function statusOf(
  { disbursedAt }: LoanAccount,
  { graceDays }: LoanProduct,
  instalment: InstalmentPosition,
  today: Temporal.PlainDate,
): InstalmentStatus {
  if (unpaid(instalment) === 0n) return "paid";
  if (disbursedAt !== null && isOverdue(instalment, graceDays, today)) return "overdue";
  return sumParts(instalment.paid) > 0n ? "partially_paid" : "pending";
}

export interface ReductionView extends Reduction {
  readonly effect: ReductionEffect;
}

function viewReductions({ history, position }: Loan): ReductionView[] {
  return history.reductions.map((reduction) => {
    const effect = position.effects.get(reduction.id);
    if (effect === undefined) throw new Error(`reduction ${reduction.id} had no effect`);
    return { ...reduction, effect };
  });
}

/** What can still be refunded: the amount lent, less what was refunded. */
export function refundableOf({ account, history }: Loan): Kobo {
  return subtract(account.amount, sum(history.reductions.map(({ amount }) => amount)));
}

export interface RepaymentView extends Repayment {
  /** Null for a reversed repayment, which paid nothing. */
  readonly allocation: Allocation | null;
}

/** A page of the account's repayments, newest first. */
export async function readRepayments(
  tx: Tx,
  accountId: string,
  { page, limit }: PageRequest,
): Promise<{ repayments: RepaymentView[]; total: bigint }> {
  const loan = await findLoan(tx, accountId);
  const all = loan?.history.repayments ?? [];
  const total = BigInt(all.length);
  const { first, last } = pageRange(total, page, limit);
  const repayments = all
    .slice(Number(first) - 1, Number(last))
    .reverse()
    .map((repayment) => ({ ...repayment, allocation: loan?.position.allocations.get(repayment.id) ?? null }));
  return { repayments, total };
}

/** One repayment with what it paid. */
export async function readRepayment(
  tx: Tx,
  accountId: string,
  repaymentId: string,
): Promise<RepaymentView | undefined> {
  const loan = await findLoan(tx, accountId);
  const repayment = loan?.history.repayments.find(({ id }) => id === repaymentId);
  if (repayment === undefined) return undefined;
  return { ...repayment, allocation: loan?.position.allocations.get(repaymentId) ?? null };
}
