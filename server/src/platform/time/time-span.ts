/**
 * The span of time that a list is asked for: `from` and `to` in a query string. A moment is taken as it is; a bare
 * date means the day in Lagos, where the business day is kept. `from` is inside the span, the moment `to` is not; a
 * `to` that is a date includes that day.
 */

import { Type } from "typebox";
import { commonProblem } from "../problem.ts";
import { startOfLagosDay } from "./lagos-date.ts";

const example = "2026-11-01";

export const spanFields = {
  from: Type.Optional(
    Type.String({
      format: "moment",
      maxLength: 40,
      description: "From this moment (ISO 8601) or date (Africa/Lagos) on.",
      examples: [example],
    }),
  ),
  to: Type.Optional(
    Type.String({
      format: "moment",
      maxLength: 40,
      description: "Before this moment (ISO 8601), or up to and including this date (Africa/Lagos).",
      examples: ["2026-11-30"],
    }),
  ),
};

export interface Span {
  readonly from: Date | null;
  readonly to: Date | null;
}

const date = /^\d{4}-\d{2}-\d{2}$/;

/** Reads the bounds of a query that has passed its schema. Throws validation_failed when they contradict each other. */
export function parseSpan(query: { readonly from?: string | undefined; readonly to?: string | undefined }): Span {
  const from = query.from === undefined ? null : readBound(query.from, 0);
  const to = query.to === undefined ? null : readBound(query.to, 1);
  if (from !== null && to !== null && to < from) {
    throw commonProblem("validation_failed", { errors: [{ field: "to", message: "must not be before from" }] });
  }
  return { from, to };
}

function readBound(text: string, daysLater: number): Date {
  const moment = parseMoment(text, daysLater);
  if (moment === undefined) throw new Error("a moment that passed its schema cannot be read");
  return moment;
}

/** A moment, or the beginning of a day in Lagos so many days later; undefined for what is neither. */
export function parseMoment(text: string, daysLater = 0): Date | undefined {
  try {
    const moment = date.test(text)
      ? startOfLagosDay(Temporal.PlainDate.from(text).add({ days: daysLater }))
      : new Date(Temporal.Instant.from(text).epochMilliseconds);
    return isStorable(moment) ? moment : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Years that PostgreSQL and four digits can both hold. */
function isStorable(moment: Date): boolean {
  const year = moment.getUTCFullYear();
  return year >= 1 && year <= 9_998;
}
