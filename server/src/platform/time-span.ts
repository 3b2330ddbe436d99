/**
 * The span of time that a list is asked for: `from` and `to` in a query string. A moment is taken as it is; a bare
 * date means the day in Lagos, where the business day is kept. `from` is inside the span, the moment `to` is not; a
 * `to` that is a date includes that day.
 */
import { Type } from "typebox";
import { commonProblem, type FieldError } from "./problem.ts";

const example = "2026-11-01";

export const spanFields = {
  from: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 40,
      description: "From this moment (ISO 8601) or date (Africa/Lagos) on.",
      examples: [example],
    }),
  ),
  to: Type.Optional(
    Type.String({
      minLength: 1,
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

/** Throws validation_failed. */
export function parseSpan(query: { readonly from?: string | undefined; readonly to?: string | undefined }): Span {
  const from = query.from === undefined ? null : parseBound(query.from, 0);
  const to = query.to === undefined ? null : parseBound(query.to, 1);
  const errors: FieldError[] = [];
  const message = "must be a moment such as 2026-11-01T08:00:00Z or a date such as 2026-11-01";
  if (from === undefined) errors.push({ field: "from", message });
  if (to === undefined) errors.push({ field: "to", message });
  if (from && to && to < from) errors.push({ field: "to", message: "must not be before from" });
  if (errors.length > 0 || from === undefined || to === undefined) throw commonProblem("validation_failed", { errors });
  return { from, to };
}

function parseBound(text: string, daysLater: number): Date | undefined {
  try {
    const instant = date.test(text)
      ? Temporal.PlainDate.from(text).add({ days: daysLater }).toZonedDateTime("Africa/Lagos").toInstant()
      : Temporal.Instant.from(text);
    const moment = new Date(instant.epochMilliseconds);
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
