/**
 * Money that was paid before its instalment fell due is not earned yet. When a refunded order shrinks the plan, what
 * the borrower has prepaid for instalments to come is set free: those instalments shrink by what they are, paid or not,
 * and the free money pays again what is left of the loan, in the usual order. What finds no place is the borrower's
 * credit.
 */
import { add, smaller, subtract, sum } from "../money/arithmetic.ts";
import { type Kobo, zeroKobo } from "../money/kobo.ts";
import { isAfter } from "../platform/time/lagos-date.ts";
import { type InstalmentPosition, noParts, parts, sumParts, unpaid } from "./instalment.ts";

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
export interface BorneRefund {
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
