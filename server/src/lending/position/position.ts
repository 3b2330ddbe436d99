/**
 * Where a loan stands, computed from what happened: the plan, late fees, repayments, reductions and refunds of credit,
 * in their order. A repayment pays the earliest instalment that is not paid, and within it late fee, fees, interest,
 * principal; hence at one moment the order of repayments makes no difference. One that reaches what closes the loan
 * today closes it; what is beyond that is the borrower's credit. A reduction sets prepaid money free and
 * shrinks the plan (`freePrepaid`, `plan-reduction.ts`).
 *
 * A reversed repayment is left out, as if it had never been made: what came after it moves up. A refund of credit takes
 * from the newest money (see `received-money.ts`). Where a repayment was reversed since and the credit is gone, the
 * loan is owed what went back.
 */
import { add, smaller, subtract, sum } from "../../money/arithmetic.ts";
import { type Kobo, zeroKobo } from "../../money/kobo.ts";
import { isAfter, lagosDate } from "../../platform/time/lagos-date.ts";
import type { InterestMethod } from "../pricing/product.ts";
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
import { openParts, shrinkPlan } from "./plan-reduction.ts";
import { type MoneyHistory, type ReceivedMoney, receivedMoney } from "./received-money.ts";
import type { CreditRefund } from "./repayment.ts";

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

/**
 * What a reduction did. Its principal is taken off the plan; with the other parts it paid what had fallen due. They are
 * negative where it set more prepaid money free than it paid.
 */
export interface ReductionEffect extends Allocation {
  readonly paidPrincipal: Kobo;
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
  /** By refund of credit that was not there any more: what the loan had taken and is owed again. */
  readonly takenBack: ReadonlyMap<string, Kobo>;
  /** What was refunded and no money bears: more than nothing is a history that cannot be. */
  readonly unborne: Kobo;
}

export function positionOf(history: LoanHistory): LoanPosition {
  const { money, later, unborne } = receivedMoney(history);
  const started: LoanPosition = {
    instalments: history.instalments.map(untouched),
    credit: zeroKobo,
    suspense: zeroKobo,
    closedAt: null,
    allocations: new Map(),
    effects: new Map(),
    takenBack: new Map(),
    unborne,
  };
  const steps = [
    ...money.map((item) => ({ sequence: item.sequence, take: (so: LoanPosition) => receive(history, so, item) })),
    ...later.map((refund) => ({ sequence: refund.sequence, take: (so: LoanPosition) => giveBack(so, money, refund) })),
  ].sort((one, other) => one.sequence - other.sequence);
  return steps.reduce((position, { take }) => take(position), started);
}

function receive(history: LoanHistory, position: LoanPosition, money: ReceivedMoney): LoanPosition {
  if (money.from === "repayment") return noted(position, allocate(history, position, money), money);
  return noteEffect(position, reduce(history, position, money), money);
}

function shrink(position: LoanPosition, { sequence, amount, at }: ReceivedMoney): LoanPosition {
  const asOfThen = (instalment: InstalmentPosition) => openParts(asOf(instalment, sequence));
  const shrunk = shrinkPlan(position.instalments, position.instalments.map(asOfThen), { amount, on: lagosDate(at) });
  const instalments = shrunk.instalments.map((instalment) => paidWhenNothingIsOpen(instalment, at));
  const isClosed = instalments.every((instalment) => sumParts(asOfThen(instalment)) === 0n);
  return { ...position, instalments, credit: add(position.credit, shrunk.left), closedAt: isClosed ? at : null };
}

/**
 * A loan that was closed stays closed: what is left of it is less than what was paid. A refund after a write-off is
 * refused, hence none is met here.
 */
function reduce(history: LoanHistory, position: LoanPosition, money: ReceivedMoney): LoanPosition {
  const freed = freePrepaid(position.instalments, lagosDate(money.at));
  const shrunk = shrink({ ...position, instalments: freed.instalments }, money);
  const after = freed.money === 0n ? shrunk : allocate(history, shrunk, { ...money, amount: freed.money });
  const closedAt = after.closedAt === null ? null : (position.closedAt ?? after.closedAt);
  return { ...after, instalments: after.instalments.map(paidOnlyIfWhole), closedAt };
}

/** The newest money that made the credit bears it. What no credit is there for, the loan is owed again. */
function giveBack(position: LoanPosition, money: readonly ReceivedMoney[], refund: CreditRefund): LoanPosition {
  let left = refund.amount;
  const [allocations, effects] = [new Map(position.allocations), new Map(position.effects)];
  const bearIn = <Note extends Allocation>(notes: Map<string, Note>, id: string): void => {
    const before = notes.get(id);
    if (before === undefined) return;
    const borne = bear(before, left);
    notes.set(id, borne.note);
    left = borne.left;
  };
  for (const { from, id } of money.toReversed()) {
    if (from === "repayment") bearIn(allocations, id);
    else bearIn(effects, id);
  }
  const rest = (of: "credit" | "suspense"): Kobo =>
    sum([...allocations.values(), ...effects.values()].map((each) => each[of]));
  const given = { ...position, allocations, effects, credit: rest("credit"), suspense: rest("suspense") };
  if (left === 0n) return given;
  const back = takeBack(position.instalments, left);
  const takenBack = new Map([...position.takenBack, [refund.id, back.money]]);
  const unborne = add(position.unborne, subtract(left, back.money));
  return { ...given, instalments: back.instalments, closedAt: null, takenBack, unborne };
}

function allocate(history: LoanHistory, position: LoanPosition, money: ReceivedMoney): LoanPosition {
  const { sequence, amount, at } = money;
  const { writtenOffAt } = history;
  if (writtenOffAt !== null && sequence > writtenOffAt) {
    return { ...position, suspense: add(position.suspense, amount) };
  }
  if (position.closedAt !== null) return { ...position, credit: add(position.credit, amount) };
  const then = position.instalments.map((instalment) => asOf(instalment, sequence));
  const settlement = earlySettlement(then, history.interestMethod, lagosDate(at));
  return amount >= settlement.amount ? settle(position, then, settlement, money) : pay(position, then, money);
}

/** A late fee that was charged later did not exist yet. */
function asOf(instalment: InstalmentPosition, sequence: number): InstalmentPosition {
  const charged = instalment.lateFeeAt !== null && instalment.lateFeeAt < sequence;
  return charged ? instalment : { ...instalment, lateFee: zeroKobo };
}

function settle(
  position: LoanPosition,
  then: readonly InstalmentPosition[],
  settlement: Settlement,
  { amount, at }: ReceivedMoney,
): LoanPosition {
  const instalments = position.instalments.map((instalment, place) => {
    const waivedInterest = settlement.waived[place] ?? zeroKobo;
    const paid = dueParts({ ...(then[place] ?? instalment), waivedInterest });
    return paidWhenNothingIsOpen({ ...instalment, waivedInterest, paid }, at);
  });
  const credit = add(position.credit, subtract(amount, settlement.amount));
  return { ...position, instalments, credit, closedAt: at };
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
    paidPrincipal: subtract(paidParts(after).principal, paidParts(before).principal),
    waivedInterest: grown("waivedInterest"),
    waivedFees: grown("waivedFees"),
  };
  return { ...after, effects: new Map([...before.effects, [money.id, effect]]) };
}

/** What a reduction took off the plan and paid of it. */
export function takenBy(effect: ReductionEffect): Kobo {
  return add(sumParts(effect), effect.paidPrincipal);
}

/** What was paid of the loan, by part. */
export function paidParts({ instalments }: Pick<LoanPosition, "instalments">): Parts {
  return mapParts((part) => instalments.reduce((sum, { paid }) => add(sum, paid[part]), zeroKobo));
}

/**
 * Money that was paid before its instalment fell due is not earned yet. When a refunded order shrinks the plan, what
 * the borrower has prepaid for instalments to come is set free: those instalments shrink by what they are, paid or not,
 * and the free money pays again what is left of the loan, in the usual order. What finds no place is the borrower's
 * credit.
 */
interface Freed {
  readonly instalments: readonly InstalmentPosition[];
  readonly money: Kobo;
}

/** Sets the money of instalments free that fall due after a date. */
export function freePrepaid(instalments: readonly InstalmentPosition[], on: Temporal.PlainDate): Freed {
  const isToCome = ({ dueDate }: InstalmentPosition): boolean => isAfter(dueDate, on);
  return {
    instalments: instalments.map((each) => (isToCome(each) ? { ...each, paid: noParts } : each)),
    money: sum(instalments.filter(isToCome).map(({ paid }) => sumParts(paid))),
  };
}

/** Takes money out of a loan again, against the order in which it pays. `money` is what was found. */
export function takeBack(instalments: readonly InstalmentPosition[], amount: Kobo): Freed {
  let left = amount;
  const lessened = instalments.toReversed().map((instalment) => {
    const paid = { ...instalment.paid };
    for (const part of parts.toReversed()) {
      const taken = smaller(paid[part], left);
      paid[part] = subtract(paid[part], taken);
      left = subtract(left, taken);
    }
    return paidOnlyIfWhole({ ...instalment, paid });
  });
  return { instalments: lessened.reverse(), money: subtract(amount, left) };
}

/** An instalment of which something is open again has not been paid. */
export function paidOnlyIfWhole(instalment: InstalmentPosition): InstalmentPosition {
  return unpaid(instalment) > 0n ? { ...instalment, paidAt: null } : instalment;
}

/** Money that went back, and how much of each kind it was. */
interface BorneRefund {
  readonly credit: Kobo;
  readonly suspense: Kobo;
  readonly refunded: Kobo;
}

/** What money that made credit bears of a refund. */
export function bear<Note extends BorneRefund>(note: Note, amount: Kobo): { note: Note; left: Kobo } {
  const credit = smaller(note.credit, amount);
  const suspense = smaller(note.suspense, subtract(amount, credit));
  const borne = add(credit, suspense);
  if (borne === zeroKobo) return { note, left: amount };
  const refunded = add(note.refunded, borne);
  const left = { credit: subtract(note.credit, credit), suspense: subtract(note.suspense, suspense) };
  return { note: { ...note, ...left, refunded }, left: subtract(amount, borne) };
}
