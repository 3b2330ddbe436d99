/**
 * Where a loan stands, computed from what happened: the plan, late fees, repayments, reductions and refunds of credit,
 * in their order. A repayment pays the earliest instalment that is not paid, and within it late fee, fees, interest,
 * principal; hence at one moment the order of repayments makes no difference. One that reaches what closes the loan
 * today closes it; what is beyond that is the borrower's credit. A reduction shrinks the plan (`plan-reduction.ts`).
 *
 * A reversed repayment is left out, as if it had never been made: what came after it moves up. A refund of credit takes
 * from the newest money (see `received-money.ts`).
 */
import { add, smaller, subtract, sum } from "../money/arithmetic.ts";
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
  untouched,
} from "./instalment.ts";
import { lagosDate } from "./lagos-date.ts";
import { openParts, shrinkPlan } from "./plan-reduction.ts";
import type { InterestMethod } from "./product.ts";
import { type MoneyHistory, type ReceivedMoney, receivedMoney } from "./received-money.ts";

export interface LoanHistory extends MoneyHistory {
  readonly interestMethod: InterestMethod;
  readonly instalments: readonly ScheduledInstalment[];
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

/** What a reduction did. Its principal is taken off the plan; with the other parts it paid what had fallen due. */
export interface ReductionEffect extends Allocation {
  readonly waivedInterest: Kobo;
  readonly waivedFees: Kobo;
}

export interface LoanPosition {
  readonly instalments: readonly InstalmentPosition[];
  readonly credit: Kobo;
  readonly suspense: Kobo;
  /** When everything was paid. */
  readonly closedAt: Date | null;
  /** By repayment. */
  readonly allocations: ReadonlyMap<string, Allocation>;
  /** By reduction. */
  readonly effects: ReadonlyMap<string, ReductionEffect>;
}

export function positionOf(history: LoanHistory): LoanPosition {
  const started: LoanPosition = {
    instalments: history.instalments.map(untouched),
    credit: zeroKobo,
    suspense: zeroKobo,
    closedAt: null,
    allocations: new Map(),
    effects: new Map(),
  };
  return receivedMoney(history).money.reduce((position, money) => {
    if (money.from === "repayment") return allocate(history, position, money);
    return noteEffect(position, reduce(position, money), money);
  }, started);
}

/** A refund after a write-off is refused, hence none is met here. */
function reduce(position: LoanPosition, { sequence, amount, at }: ReceivedMoney): LoanPosition {
  if (position.closedAt !== null) return { ...position, credit: add(position.credit, amount) };
  const asOfThen = (instalment: InstalmentPosition) => openParts(asOf(instalment, sequence));
  const shrunk = shrinkPlan(position.instalments, position.instalments.map(asOfThen), { amount, on: lagosDate(at) });
  const instalments = shrunk.instalments.map((instalment) => paidWhenNothingIsOpen(instalment, at));
  const isClosed = instalments.every((instalment) => sumParts(asOfThen(instalment)) === 0n);
  return { ...position, instalments, credit: shrunk.left, closedAt: isClosed ? at : null };
}

function allocate(history: LoanHistory, position: LoanPosition, money: ReceivedMoney): LoanPosition {
  const { sequence, amount, at } = money;
  const { writtenOffAt } = history;
  if (writtenOffAt !== null && sequence > writtenOffAt) {
    return noted(position, { ...position, suspense: add(position.suspense, amount) }, money);
  }
  if (position.closedAt !== null) return noted(position, { ...position, credit: add(position.credit, amount) }, money);
  const then = position.instalments.map((instalment) => asOf(instalment, sequence));
  const settlement = earlySettlement(then, history.interestMethod, lagosDate(at));
  const after = amount >= settlement.amount ? settle(position, settlement, money) : pay(position, then, money);
  return noted(position, after, money);
}

/** A late fee that was charged later did not exist yet. */
function asOf(instalment: InstalmentPosition, sequence: number): InstalmentPosition {
  const charged = instalment.lateFeeAt !== null && instalment.lateFeeAt < sequence;
  return charged ? instalment : { ...instalment, lateFee: zeroKobo };
}

function settle(position: LoanPosition, settlement: Settlement, { amount, at }: ReceivedMoney): LoanPosition {
  const instalments = position.instalments.map((instalment, place) => {
    const settled = { ...instalment, waivedInterest: settlement.waived[place] ?? zeroKobo };
    return { ...settled, paid: dueParts(settled), paidAt: instalment.paidAt ?? at };
  });
  return {
    ...position,
    instalments,
    credit: subtract(amount, settlement.amount),
    closedAt: at,
  };
}

function pay(position: LoanPosition, then: readonly InstalmentPosition[], { amount, at }: ReceivedMoney): LoanPosition {
  let left = amount;
  const instalments = position.instalments.map((instalment, place) => {
    const owed = then[place] ?? instalment;
    const open = subtractParts(dueParts(owed), instalment.paid);
    const taken = takeInOrder(open, left);
    if (taken === noParts) return instalment;
    left = subtract(left, sumParts(taken));
    return paidWhenNothingIsOpen({ ...instalment, paid: addParts(instalment.paid, taken) }, at);
  });
  return { ...position, instalments };
}

function paidWhenNothingIsOpen(instalment: InstalmentPosition, at: Date): InstalmentPosition {
  return unpaid(instalment) === 0n && instalment.paidAt === null ? { ...instalment, paidAt: at } : instalment;
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

function noted(before: LoanPosition, after: LoanPosition, money: ReceivedMoney): LoanPosition {
  return { ...after, allocations: new Map([...before.allocations, [money.id, allocationOf(before, after, money)]]) };
}

function allocationOf(before: LoanPosition, after: LoanPosition, { whole, amount }: ReceivedMoney): Allocation {
  return {
    ...subtractParts(paidParts(after), paidParts(before)),
    credit: subtract(after.credit, before.credit),
    suspense: subtract(after.suspense, before.suspense),
    refunded: subtract(whole, amount),
  };
}

function noteEffect(before: LoanPosition, after: LoanPosition, money: ReceivedMoney): LoanPosition {
  const grown = (field: "reducedPrincipal" | "waivedInterest" | "waivedFees"): Kobo =>
    subtract(sum(after.instalments.map((each) => each[field])), sum(before.instalments.map((each) => each[field])));
  const effect: ReductionEffect = {
    ...allocationOf(before, after, money),
    principal: grown("reducedPrincipal"),
    waivedInterest: grown("waivedInterest"),
    waivedFees: grown("waivedFees"),
  };
  return { ...after, effects: new Map([...before.effects, [money.id, effect]]) };
}

/** What was paid of the loan, by part. */
export function paidParts({ instalments }: Pick<LoanPosition, "instalments">): Parts {
  return mapParts((part) => instalments.reduce((sum, { paid }) => add(sum, paid[part]), zeroKobo));
}
