/**
 * Reads a loan request from its body. The schema finds what has the wrong form, this file what has the right form and
 * still cannot be: a bank that nobody knows, an amount outside the product. Whatever is wrong is told at once, so that
 * nobody has to send the form ten times.
 */

import type { TenorType } from "../lending/pricing/product.ts";
import { type Kobo, parseNaira } from "../money/kobo.ts";
import type { EnvironmentKind } from "../platform/database/database.ts";
import { compileFind } from "../platform/http/request/validation.ts";
import { parseMobileNumber } from "../platform/phone-number.ts";
import { commonProblem, type FieldError } from "../platform/problem.ts";
import { findBank } from "../rails/bank-directory.ts";
import { type CreateBody, createBody } from "./application-fields.ts";
import type { ReadTerms } from "./check-terms.ts";

export interface Application {
  readonly firstName: string;
  readonly lastName: string;
  /** E.164. */
  readonly phone: string;
  readonly email: string;
  readonly nin: string;
  readonly bvn: string;
  readonly amount: Kobo;
  readonly tenor: number;
  readonly tenorType: TenorType;
  readonly bankCode: string;
  readonly accountNumber: string;
  readonly latitude: string;
  readonly longitude: string;
}

/** What the product says against the terms that could be read. */
export type CheckTerms = (terms: ReadTerms) => readonly FieldError[];

const findMistakes = compileFind(createBody, "body");

/** Throws validation_failed with every bad field, in the order of the specification. */
export function readApplication(body: unknown, kind: EnvironmentKind, checkTerms: CheckTerms): Application {
  const found = new Map(findMistakes(body).map((error) => [error.field, error]));
  const fields = (typeof body === "object" && body !== null ? body : {}) as Partial<CreateBody>;
  for (const error of [...bankErrors(fields, kind, found), ...termErrors(fields, found, checkTerms)]) {
    if (!found.has(error.field)) found.set(error.field, error);
  }
  if (found.size > 0) throw commonProblem("validation_failed", { errors: inOrder([...found.values()]) });
  return applicationOf(fields as CreateBody);
}

function bankErrors(
  { bank_code: code }: Partial<CreateBody>,
  kind: EnvironmentKind,
  bad: ReadonlyMap<string, unknown>,
): FieldError[] {
  if (code === undefined || bad.has("bank_code") || findBank(code, kind) !== undefined) return [];
  return [{ field: "bank_code", message: "is not a bank's code; GET /loans/banks lists them all" }];
}

function termErrors(
  fields: Partial<CreateBody>,
  bad: ReadonlyMap<string, unknown>,
  checkTerms: CheckTerms,
): readonly FieldError[] {
  const good = <F extends keyof CreateBody>(field: F): CreateBody[F] | undefined =>
    bad.has(field) ? undefined : fields[field];
  const tenure = good("tenure");
  return checkTerms({
    amount: parseNaira(good("amount") ?? "") ?? null,
    tenor: tenure === undefined ? null : Number(tenure),
    tenorType: good("tenure_type") ?? null,
  });
}

function applicationOf(fields: CreateBody): Application {
  const phone = parseMobileNumber(fields.phone);
  const amount = parseNaira(fields.amount);
  if (phone === undefined || amount === undefined) throw new Error("a checked application cannot be read");
  return {
    firstName: fields.first_name.trim(),
    lastName: fields.last_name.trim(),
    phone,
    email: fields.email,
    nin: fields.nin,
    bvn: fields.bvn,
    amount,
    tenor: Number(fields.tenure),
    tenorType: fields.tenure_type,
    bankCode: fields.bank_code,
    accountNumber: fields.account_number,
    latitude: fields.latitude,
    longitude: fields.longitude,
  };
}

function inOrder(errors: readonly FieldError[]): FieldError[] {
  const order = Object.keys(createBody.properties);
  return [...errors].sort((left, right) => order.indexOf(left.field) - order.indexOf(right.field));
}
