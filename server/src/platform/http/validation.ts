/**
 * The edge: nothing gets past a schema that does not fit it. Bodies are taken as they are (a wrong type is refused,
 * never coerced), query strings are text and therefore converted. The common case runs a validator that stops at the
 * first error; only a refused request pays for the one that finds them all.
 */
import { Ajv, type Options, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import type { TSchema } from "typebox";
import { nairaFromNumber } from "../../money/kobo.ts";
import { commonProblem } from "../problem.ts";
import { fieldErrorsOf } from "./field-errors.ts";

const base: Options = { strict: false, useDefaults: true, verbose: true };

function createAjv(options: Options): Ajv {
  const ajv = new Ajv({ ...base, ...options });
  addFormats.default(ajv, ["uuid", "email", "date-time", "date", "uri"]);
  ajv.addFormat("naira", { type: "number", validate: (value: number) => nairaFromNumber(value) !== undefined });
  return ajv;
}

const instances = {
  body: { first: createAjv({}), all: createAjv({ allErrors: true }) },
  query: { first: createAjv({ coerceTypes: true }), all: createAjv({ coerceTypes: true, allErrors: true }) },
};

/** Throws `validation_failed` with every bad field. May fill in defaults and, in a query, convert. */
export type Check = (value: unknown) => void;

/** Compiled by the first request that needs it: all of them at the start would cost every start a fifth of a second. */
export function compileCheck(schema: TSchema, part: "body" | "query"): Check {
  const { first, all } = instances[part];
  let fits: ValidateFunction | undefined;
  let findAll: ValidateFunction | undefined;
  return (value) => {
    fits ??= first.compile(schema);
    if (fits(value)) return;
    findAll ??= all.compile(schema);
    findAll(shorten(value));
    throw commonProblem("validation_failed", { errors: fieldErrorsOf(findAll.errors ?? fits.errors ?? []) });
  };
}

/** For params, where "does not fit" only means "is not here". */
export function compileTest(schema: TSchema): (value: unknown) => boolean {
  let fits: ValidateFunction | undefined;
  return (value) => {
    fits ??= instances.query.first.compile(schema);
    return fits(value);
  };
}

/** Above the longest list that any endpoint takes, so that a list which is too long still is. */
const longest = 5_001;

/** A list of a million wrong items would make a million error objects; what is beyond the longest list is cut off. */
function shorten(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, longest);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, item]) => [key, Array.isArray(item) ? item.slice(0, longest) : item]));
}
