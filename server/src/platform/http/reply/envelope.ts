/**
 * The bodies of the two families. A reply is presented before its transaction commits, so that what is kept under an
 * Idempotency-Key is what was sent, to the byte.
 */
import { type TSchema, Type } from "typebox";
import type { FieldError, Problem } from "../../problem.ts";
import type { Family } from "../family.ts";
import { named } from "../named-schema.ts";
import type { Reply, Route } from "../route.ts";
import { PageMetaObject, PaginationObject } from "../wire.ts";

export const apiVersion = "2026-11-01";

/** The envelope around a route's data, before serialisation. */
export function wrapReply(family: Family, route: Route, reply: Reply<unknown>): Record<string, unknown> {
  const message = reply.message ?? messageOf(route, reply.status);
  if (family === "loans") {
    const body: Record<string, unknown> = { status: "success", title: titleOf(route), message, data: reply.data };
    if (reply.meta !== undefined) body["meta"] = reply.meta;
    return body;
  }
  const body: Record<string, unknown> = { status: true, message, data: reply.data };
  if (reply.pagination !== undefined) body["pagination"] = reply.pagination;
  return body;
}

function messageOf({ reply: { also, message } }: Route, status: number | undefined): string {
  return (status === 200 || status === 202 ? also?.[status] : undefined) ?? message;
}

function titleOf(route: Route): string {
  return route.reply.title ?? route.summary;
}

/** The schema of the whole success body. */
export function envelopeSchema(family: Family, route: Route): TSchema {
  const data = route.reply.data;
  const message = Type.String({ examples: ["Done."] });
  if (family === "loans") {
    const title = Type.String({ examples: ["Done"] });
    const fields = { status: Type.Literal("success"), title, message, data };
    return route.reply.paged === true ? Type.Object({ ...fields, meta: PageMetaObject }) : Type.Object(fields);
  }
  const fields = { status: Type.Literal(true), message, data };
  return route.reply.paged === true ? Type.Object({ ...fields, pagination: PaginationObject }) : Type.Object(fields);
}

export interface ErrorContent {
  readonly code: string;
  readonly message: string;
  readonly errors: readonly FieldError[];
  readonly data: Readonly<Record<string, unknown>> | null;
}

export function errorBody(family: Family, problem: ErrorContent, requestId: string): Record<string, unknown> {
  const { code, message, errors, data } = problem;
  return family === "loans"
    ? { status: "error", title: sentenceOf(code), message, code, errors, data, request_id: requestId }
    : { status: false, message, code, errors, data, requestId };
}

export function errorText(family: Family, problem: Problem, requestId: string): string {
  return JSON.stringify(errorBody(family, problem, requestId));
}

/** "validation_failed" reads "Validation failed", "otp_expired" reads "OTP expired". */
function sentenceOf(code: string): string {
  const words = code.replaceAll("_", " ").replace(/\b(otp|kyc)\b/g, (letters) => letters.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const FieldErrors = Type.Array(
  named(
    "FieldError",
    Type.Object({
      field: Type.String({ description: "Where it is, such as transfers[3].amount." }),
      message: Type.String({ description: "What is wrong with it." }),
    }),
  ),
  { description: "Each bad field; empty when the refusal is about something else." },
);
const Code = Type.String({ description: "A stable code for your program to act on." });
const Message = Type.String({ description: "For people: what happened and what to do." });
const ErrorData = Type.Unsafe<object | null>({
  type: ["object", "null"],
  description: "What you need in order to continue, or null.",
});

export const errorSchemas: Readonly<Record<Family, TSchema>> = {
  loans: Type.Object({
    status: Type.Literal("error"),
    title: Type.String(),
    message: Message,
    code: Code,
    errors: FieldErrors,
    data: ErrorData,
    request_id: Type.String(),
  }),
  general: Type.Object({
    status: Type.Literal(false),
    message: Message,
    code: Code,
    errors: FieldErrors,
    data: ErrorData,
    requestId: Type.String(),
  }),
};
