/**
 * How a refunded order shrinks a plan, once what was prepaid of it is set free (`freePrepaid`). The merchant's money
 * takes principal away:
 *
 * 1. of instalments that have not fallen due, in proportion to what is open of each: rounded down, the last takes the
 *    rest. Their open interest and fees are waived in the same proportion, rounded half up. When no principal is left
 *    to come, nothing to come costs anything;
 * 2. then of instalments that have fallen due, the earliest first. What they cost has been earned and stays owed;
 * 3. what is beyond all principal pays that: late fees, fees and interest of the earliest instalment first;
 * 4. and what is beyond the whole loan is the borrower's credit.
 *
 * What is paid of an instalment then is not touched.
 */
import { add, multiplyRatio, smaller, splitInProportion, subtract, sum } from "../../money/arithmetic.ts";
import { type Kobo, zeroKobo } from "../../money/kobo.ts";
import { isAfter } from "../../platform/time/lagos-date.ts";
import {
  addParts,
  dueParts,
  type InstalmentPosition,
  noParts,
  type Part,
  type Parts,
  subtractParts,
} from "./instalment.ts";

/** An instalment with what of it was open, and how that falls. */
interface Shrinking {
  readonly instalment: InstalmentPosition;
  readonly open: Parts;
}

export interface ShrunkPlan {
  readonly instalments: readonly InstalmentPosition[];
  /** Beyond the whole loan. */
  readonly left: Kobo;
}

/** `open` is what was unpaid of each instalment then; a late fee that was charged later is not among it. */
export function shrinkPlan(
  instalments: readonly InstalmentPosition[],
  open: readonly Parts[],
  { amount, on }: { readonly amount: Kobo; readonly on: Temporal.PlainDate },
): ShrunkPlan {
  const started = instalments.map((instalment, place) => ({ instalment, open: open[place] ?? noParts }));
  const toCome = reduceToCome(started, amount, on);
  const due = reducePrincipal(toCome.plan, toCome.left);
  const costs = payCosts(due.plan, due.left);
  return { instalments: costs.plan.map(({ instalment }) => instalment), left: costs.left };
}

interface Step {
  readonly plan: readonly Shrinking[];
  readonly left: Kobo;
}

function reduceToCome(plan: readonly Shrinking[], amount: Kobo, on: Temporal.PlainDate): Step {
  const isToCome = ({ instalment }: Shrinking): boolean => isAfter(instalment.dueDate, on);
  const weights = plan.map((item) => (isToCome(item) ? item.open.principal : zeroKobo));
  const whole = sum(weights);
  if (whole === 0n) return { plan, left: amount };
  const taken = smaller(amount, whole);
  const shares = splitInProportion(taken, weights);
  const shrunk = plan.map((item, place) => {
    if (!isToCome(item)) return item;
    const waive = (part: Kobo): Kobo => multiplyRatio(part, taken, whole, "half_up");
    return takeOff(item, {
      principal: shares[place] ?? zeroKobo,
      interest: waive(item.open.interest),
      fees: waive(item.open.fees),
    });
  });
  return { plan: shrunk, left: subtract(amount, taken) };
}

/** Whatever principal the first step has left open is of instalments that have fallen due. */
function reducePrincipal(plan: readonly Shrinking[], amount: Kobo): Step {
  let left = amount;
  const shrunk = plan.map((item) => {
    const principal = smaller(item.open.principal, left);
    left = subtract(left, principal);
    return takeOff(item, { principal, interest: zeroKobo, fees: zeroKobo });
  });
  return { plan: shrunk, left };
}

function takeOff({ instalment, open }: Shrinking, off: Pick<Parts, "principal" | "interest" | "fees">): Shrinking {
  return {
    instalment: {
      ...instalment,
      reducedPrincipal: add(instalment.reducedPrincipal, off.principal),
      waivedInterest: add(instalment.waivedInterest, off.interest),
      waivedFees: add(instalment.waivedFees, off.fees),
    },
    open: subtractParts(open, { ...noParts, ...off }),
  };
}

const costs = ["lateFee", "fees", "interest"] as const satisfies readonly Part[];

function payCosts(plan: readonly Shrinking[], amount: Kobo): Step {
  let left = amount;
  const paid = plan.map(({ instalment, open }) => {
    const taken = { ...noParts };
    for (const part of costs) {
      taken[part] = smaller(open[part], left);
      left = subtract(left, taken[part]);
    }
    return {
      instalment: { ...instalment, paid: addParts(instalment.paid, taken) },
      open: subtractParts(open, taken),
    };
  });
  return { plan: paid, left };
}

/** What is open of an instalment. */
export function openParts(instalment: InstalmentPosition): Parts {
  return subtractParts(dueParts(instalment), instalment.paid);
}
