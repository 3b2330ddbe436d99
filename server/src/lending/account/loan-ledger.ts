/**
 * What a loan means to the ledger. Its share of every account follows from its position, and a change posts the
 * difference between before and after: a repayment, its reversal and a settlement need no rules of their own, and the
 * books cannot drift from the figures.
 *
 *   principal out             loan_book −        funds_lent +
 *   principal paid, refunded  lender_funding +   (loan_book and funds_lent shrink)
 *   interest, fees due        …_receivable −     …_income +     when an instalment falls due, or at the loan's end
 *   paid before due           unearned_loan_income +
 *   paid too much             loan_credit +
 *   paid after a write-off    loan_suspense +
 *   written off               loan_losses −      (the receivables are cleared)
 *   where the money was       wallet or card_settlement −
 */
import { systemAccountId } from "../../ledger/account.ts";
import type { Leg } from "../../ledger/post.ts";
import { add, larger, negate, subtract, sum } from "../../money/arithmetic.ts";
import { type Kobo, zeroKobo } from "../../money/kobo.ts";
import { dueParts, type InstalmentPosition, type Part } from "../position/instalment.ts";
import { type LoanHistory, type LoanPosition, paidParts } from "../position/position.ts";
import type { Way } from "../position/ways.ts";
import type { LendingAccount } from "./lending-accounts.ts";
import { type LoanAccount, lenderFundingId } from "./loan-account.ts";

export interface BookedLoan {
  readonly account: Pick<LoanAccount, "disbursedAt" | "accrued" | "writtenOffAt">;
  readonly history: LoanHistory;
  readonly position: LoanPosition;
}

/** The loan's share of each account's balance. */
export type Shares = ReadonlyMap<string, Kobo>;

/** The legs that lead from one state of the books to another. */
export function legsBetween(before: Shares, after: Shares): Leg[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((accountId) => ({
      accountId,
      amount: subtract(after.get(accountId) ?? zeroKobo, before.get(accountId) ?? zeroKobo),
    }))
    .filter((leg) => leg.amount !== 0n);
}

/** A loan as it was read never changes, and what it is after one change is what it was before the next. */
const computed = new WeakMap<BookedLoan, Shares>();

export function sharesOf(environmentId: string, loan: BookedLoan): Shares {
  return computed.getOrInsertComputed(loan, () => computeShares(environmentId, loan));
}

function computeShares(environmentId: string, loan: BookedLoan): Shares {
  if (loan.account.disbursedAt === null) return new Map();
  const system = Object.entries(systemShares(loan)).map(
    ([purpose, amount]) => [systemAccountId(environmentId, purpose), amount] as const,
  );
  const reduced = sum(loan.position.instalments.map(({ reducedPrincipal }) => reducedPrincipal));
  const returned = add(paidParts(loan.position).principal, reduced);
  const funding = [lenderFundingId(environmentId), returned] as const;
  return addUp([...system, funding, ...channelShares(environmentId, loan.history)]);
}

function systemShares({ account, position }: BookedLoan): Partial<Record<LendingAccount, Kobo>> {
  const { instalments } = position;
  const written = account.writtenOffAt !== null;
  const owed = sum(
    instalments.map((instalment) => subtract(dueParts(instalment).principal, instalment.paid.principal)),
  );
  const states = instalments.map((instalment) => incomeOf(instalment, account.accrued, position.closedAt !== null));
  const total = (part: Part, of: keyof PartIncome): Kobo => sum(states.map((state) => state[part]?.[of] ?? zeroKobo));
  const interest = total("interest", "receivable");
  const fees = add(total("fees", "receivable"), total("lateFee", "receivable"));
  return {
    loan_book: written ? zeroKobo : negate(owed),
    funds_lent: owed,
    interest_receivable: written ? zeroKobo : negate(interest),
    loan_fees_receivable: written ? zeroKobo : negate(fees),
    loan_losses: written ? negate(add(owed, interest, fees)) : zeroKobo,
    unearned_loan_income: add(total("interest", "unearned"), total("fees", "unearned")),
    interest_income: total("interest", "earned"),
    loan_fee_income: total("fees", "earned"),
    late_fee_income: total("lateFee", "earned"),
    loan_credit: position.credit,
    loan_suspense: position.suspense,
  };
}

interface PartIncome {
  readonly earned: Kobo;
  readonly receivable: Kobo;
  readonly unearned: Kobo;
}

/** A late fee is earned when it is charged, the rest when the instalment falls due or the loan has come to its end. */
function incomeOf(instalment: InstalmentPosition, accrued: number, closed: boolean): Partial<Record<Part, PartIncome>> {
  const due = dueParts(instalment);
  const hasAccrued = closed || instalment.number <= accrued;
  const income = (part: Part, isEarned: boolean): PartIncome => {
    const earned = isEarned ? due[part] : zeroKobo;
    const paid = instalment.paid[part];
    return {
      earned,
      receivable: larger(subtract(earned, paid), zeroKobo),
      unearned: larger(subtract(paid, earned), zeroKobo),
    };
  };
  return {
    lateFee: income("lateFee", true),
    fees: income("fees", hasAccrued),
    interest: income("interest", hasAccrued),
  };
}

/** Where the money of repayments and reductions came from and refunds of credit went to. */
function channelShares(environmentId: string, history: LoanHistory): (readonly [string, Kobo])[] {
  const { repayments, reductions, refunds } = history;
  const paid = repayments
    .filter(({ reversedAt }) => reversedAt === null)
    .map((repayment) => [channelAccount(environmentId, repayment), negate(repayment.amount)] as const);
  const refunded = refunds.map((refund) => [channelAccount(environmentId, refund), refund.amount] as const);
  const reduced = reductions.map(({ walletId, amount }) => [walletId, negate(amount)] as const);
  return [...paid, ...reduced, ...refunded];
}

/**
 * Where money of a channel comes from and goes back to. `merchant_receivable` is what merchants owe for cash and bank
 * transfers that the first version recorded on their word alone; it takes nothing new and only shrinks, when such a
 * repayment is reversed or its credit goes back.
 */
function channelAccount(environmentId: string, { channel, walletId }: Pick<Way, "channel" | "walletId">): string {
  if (walletId !== null) return walletId;
  return systemAccountId(environmentId, channel === "card" ? "card_settlement" : "merchant_receivable");
}

function addUp(shares: readonly (readonly [string, Kobo])[]): Shares {
  const added = new Map<string, Kobo>();
  for (const [accountId, amount] of shares) added.set(accountId, add(added.get(accountId) ?? zeroKobo, amount));
  return added;
}
