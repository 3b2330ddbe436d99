/**
 * Where a loan stands, computed from what happened: the plan, late fees, repayments and refunds, in their order. Money
 * pays the earliest instalment that is not paid, and within it late fee, fees, interest, principal; hence at one moment
 * the order of repayments makes no difference. A repayment that reaches what closes the loan today closes it; what is
 * beyond that is the borrower's credit.
 *
 * A reversed repayment is left out, as if it had never been made: what came after it moves up. A refund takes from the
 * newest money.
 */
import { add, smaller, subtract } from "../money/arithmetic.ts";
import { type Kobo, zeroKobo } from "../money/kobo.ts";
import { earlySettlement, type Settlement } from "./early-settlement.ts";
import {
  addParts,
  dueParts,
  type InstalmentPosition,
  mapParts,
  noParts,
  type Parts,
  parts,
  type ScheduledInstalment,
  subtractParts,
  sumParts,
  unpaid,
} from "./instalment.ts";
import { lagosDate } from "./lagos-date.ts";
import type { CreditRefund, Repayment } from "./loan-account.ts";
import type { InterestMethod } from "./product.ts";

export interface LoanHistory {
  readonly interestMethod: InterestMethod;
  readonly instalments: readonly ScheduledInstalment[];
  readonly repayments: readonly Repayment[];
  readonly refunds: readonly CreditRefund[];
  /** The account's version that wrote it off. */
  readonly writtenOffAt: number | null;
}

/** What a repayment paid. Interest is negative where a settlement turned prepaid interest into principal. */
export interface Allocation extends Parts {
  /** Paid too much. */
  readonly credit: Kobo;
  /** Came after the loan was written off. */
  readonly suspense: Kobo;
  /** Was given back. */
  readonly refunded: Kobo;
}

export interface LoanPosition {
  readonly instalments: readonly InstalmentPosition[];
  readonly credit: Kobo;
  readonly suspense: Kobo;
  /** When everything was paid. */
  readonly closedAt: Date | null;
  /** By repayment. */
  readonly allocations: ReadonlyMap<string, Allocation>;
}

/** Money that stayed: a repayment less what was refunded of it. */
interface Money {
  readonly repayment: Repayment;
  readonly amount: Kobo;
}

export function positionOf(history: LoanHistory): LoanPosition {
  const started: LoanPosition = {
    instalments: history.instalments.map((instalment) => ({
      ...instalment,
      waivedInterest: zeroKobo,
      paid: noParts,
      paidAt: null,
    })),
    credit: zeroKobo,
    suspense: zeroKobo,
    closedAt: null,
    allocations: new Map(),
  };
  return moneyOf(history).reduce((position, money) => allocate(history, position, money), started);
}

/** What was refunded and no repayment bears: more than nothing is a history that cannot be. */
export function unborneRefunds(history: LoanHistory): Kobo {
  return bearRefunds(history).unborne;
}

function moneyOf(history: LoanHistory): Money[] {
  return bearRefunds(history).money;
}

/** A refund takes from the latest repayments before it that still stand. */
function bearRefunds({ repayments, refunds }: LoanHistory): { money: Money[]; unborne: Kobo } {
  let unborne = zeroKobo;
  const money = repayments
    .filter(({ reversedAt }) => reversedAt === null)
    .map((repayment) => ({ repayment, amount: repayment.amount }));
  for (const refund of refunds) {
    let left = refund.amount;
    for (const item of money.filter(({ repayment }) => repayment.sequence < refund.sequence).reverse()) {
      const taken = smaller(item.amount, left);
      item.amount = subtract(item.amount, taken);
      left = subtract(left, taken);
    }
    unborne = add(unborne, left);
  }
  return { money, unborne };
}

function allocate(history: LoanHistory, position: LoanPosition, money: Money): LoanPosition {
  const { repayment, amount } = money;
  const { writtenOffAt } = history;
  if (writtenOffAt !== null && repayment.sequence > writtenOffAt) {
    return noted(position, { ...position, suspense: add(position.suspense, amount) }, money);
  }
  if (position.closedAt !== null) return noted(position, { ...position, credit: add(position.credit, amount) }, money);
  const then = position.instalments.map((instalment) => asOf(instalment, repayment.sequence));
  const settlement = earlySettlement(then, history.interestMethod, lagosDate(repayment.recordedAt));
  const after = amount >= settlement.amount ? settle(position, settlement, money) : pay(position, then, money);
  return noted(position, after, money);
}

/** A late fee that was charged later did not exist yet. */
function asOf(instalment: InstalmentPosition, sequence: number): InstalmentPosition {
  const charged = instalment.lateFeeAt !== null && instalment.lateFeeAt < sequence;
  return charged ? instalment : { ...instalment, lateFee: zeroKobo };
}

function settle(position: LoanPosition, settlement: Settlement, { repayment, amount }: Money): LoanPosition {
  const instalments = position.instalments.map((instalment, place) => {
    const settled = { ...instalment, waivedInterest: settlement.waived[place] ?? zeroKobo };
    const paidAt = instalment.paidAt ?? repayment.recordedAt;
    return { ...settled, paid: dueParts(settled), paidAt };
  });
  return {
    ...position,
    instalments,
    credit: subtract(amount, settlement.amount),
    closedAt: repayment.recordedAt,
  };
}

function pay(position: LoanPosition, then: readonly InstalmentPosition[], { repayment, amount }: Money): LoanPosition {
  let left = amount;
  const instalments = position.instalments.map((instalment, place) => {
    const owed = then[place] ?? instalment;
    const open = subtractParts(dueParts(owed), instalment.paid);
    const taken = takeInOrder(open, left);
    if (taken === noParts) return instalment;
    left = subtract(left, sumParts(taken));
    const paid = { ...instalment, paid: addParts(instalment.paid, taken) };
    return unpaid(paid) === 0n ? { ...paid, paidAt: repayment.recordedAt } : paid;
  });
  return { ...position, instalments };
}

/** Pays the parts one after another, as far as the money goes. */
function takeInOrder(open: Parts, money: Kobo): Parts {
  if (money === 0n || sumParts(open) === 0n) return noParts;
  let left = money;
  const taken = { ...noParts };
  for (const part of parts) {
    taken[part] = smaller(open[part], left);
    left = subtract(left, taken[part]);
  }
  return taken;
}

function noted(before: LoanPosition, after: LoanPosition, { repayment, amount }: Money): LoanPosition {
  const allocation: Allocation = {
    ...subtractParts(paidParts(after), paidParts(before)),
    credit: subtract(after.credit, before.credit),
    suspense: subtract(after.suspense, before.suspense),
    refunded: subtract(repayment.amount, amount),
  };
  return { ...after, allocations: new Map([...before.allocations, [repayment.id, allocation]]) };
}

/** What was paid of the loan, by part. */
export function paidParts({ instalments }: Pick<LoanPosition, "instalments">): Parts {
  return mapParts((part) => instalments.reduce((sum, { paid }) => add(sum, paid[part]), zeroKobo));
}
