/**
 * Collection charges what has fallen due of a loan to the customer's default card, at six in the morning in Lagos of
 * each due date. A declined charge is tried again one, three and seven days after the first try; then the debt is left
 * to a person, and the next due date asks for all of it once more. Being late, its fee and its event are lending's.
 */
import { startOfLagosDay } from "../../platform/time/lagos-date.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const collectionHour = 6;

/** Days after the first try. */
const retryAfterDays = [1, 3, 7] as const;

/** While another charge of the loan is under way. */
export const waitForOtherMs = 15 * 60_000;

export interface Collection {
  readonly loanId: string;
  /** The loan account. */
  readonly accountId: string;
  readonly customerId: string;
  /** The due date that is being collected. */
  readonly dueDate: Temporal.PlainDate | null;
  readonly firstTriedAt: Date | null;
  readonly tries: number;
  /** Null while a charge is under way, when nothing more falls due and when the tries are used up. */
  readonly nextAt: Date | null;
}

export function collectionMoment(dueDate: Temporal.PlainDate): Date {
  return new Date(startOfLagosDay(dueDate).getTime() + collectionHour * hourMs);
}

/** When to try again after so many declined tries; undefined when a person has to see to it. */
export function retryMoment({ firstTriedAt, tries }: Pick<Collection, "firstTriedAt" | "tries">): Date | undefined {
  const days = retryAfterDays[tries - 1];
  if (days === undefined || firstTriedAt === null) return undefined;
  return new Date(firstTriedAt.getTime() + days * dayMs);
}
