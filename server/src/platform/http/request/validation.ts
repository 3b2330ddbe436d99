/**
 * The edge: nothing gets past a schema that does not fit it. Bodies are taken as they are (a wrong type is refused,
 * never coerced), query strings are text and therefore converted, by a strict grammar. The common case runs a validator
 * that stops at the first error; only a refused request pays for the one that finds them all.
 */
import { _, Ajv, type KeywordCxt, Name, type Options, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import type { TSchema } from "typebox";
import { nairaFromNumber } from "../../../money/kobo.ts";
import { isUuid } from "../../database/ids.ts";
import { parseMobileNumber } from "../../phone-number.ts";
import { commonProblem, type FieldError } from "../../problem.ts";
import { parseMoment } from "../../time/time-span.ts";
import { fieldErrorsOf } from "./field-errors.ts";

const base: Options = { strict: false, useDefaults: true, verbose: true };

/** A zone with its minutes, and seconds that every clock shows: `Date` reads neither `+01` nor a leap second. */
const timestamp = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:[0-5]\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/;

/** What has the right form and still cannot be is told here as well, wherever knowing that takes no question. */
const ownFormats: Readonly<Record<string, (text: string) => boolean>> = {
  "date-time": (text) => timestamp.test(text) && parseMoment(text) !== undefined,
  phone: (text) => parseMobileNumber(text) !== undefined,
  latitude: (text) => isWithin(text, 90),
  longitude: (text) => isWithin(text, 180),
  moment: (text) => parseMoment(text) !== undefined,
};

function isWithin(degrees: string, most: number): boolean {
  return /^-?[0-9]{1,3}(\.[0-9]{1,20})?$/.test(degrees) && Math.abs(Number(degrees)) <= most;
}

function createAjv(options: Options): Ajv {
  const ajv = new Ajv({ ...base, ...options });
  addFormats.default(ajv, ["uuid", "email", "date", "uri"]);
  ajv.addFormat("naira", { type: "number", validate: (value: number) => nairaFromNumber(value) !== undefined });
  for (const [name, validate] of Object.entries(ownFormats)) ajv.addFormat(name, { type: "string", validate });
  // A UUID in capitals is the same UUID. It gets its one form here, so that nobody inside has to compare carefully.
  ajv.addKeyword({
    keyword: "x-id",
    type: "string",
    schema: false,
    modifying: true,
    validate: (
      text: string,
      at?: { parentData: Record<string | number, unknown>; parentDataProperty: string | number },
    ) => {
      if (at !== undefined) at.parentData[at.parentDataProperty] = plainId(text);
      return true;
    },
  });
  ajv.addKeyword({ keyword: enough, code: endWhenEnough });
  return ajv;
}

const enough = "x-enough";
/** Of a reply's hundred places each may have been wrong in several ways, or in every form of a choice. */
const mostErrors = 1_000;

/**
 * Ends the search for all errors when there are more than a reply can name. Without it a list of 5,000 wrong items, or
 * a map of 50,000 wrong fields, makes an object for each error, and a caller pays nothing for that. Ajv has no such
 * option, so this is asked before each item, in the function that Ajv writes.
 */
function endWhenEnough({ gen, it }: KeywordCxt): void {
  if (it.opts.allErrors !== true) return;
  gen.if(_`${new Name("errors")} > ${mostErrors}`, () => {
    gen.assign(_`${it.validateName}.errors`, new Name("vErrors"));
    gen.return(false);
  });
}

/** The schema with that question before each item of a list and each field of a map. */
function askingWhetherEnough(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(askingWhetherEnough);
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([name, inner]): [string, unknown] => {
      const asked = askingWhetherEnough(inner);
      if (name === "patternProperties") return [name, Object.fromEntries(Object.entries(Object(asked)).map(askFirst))];
      return name === "items" || name === "additionalProperties" ? askFirst([name, asked]) : [name, asked];
    }),
  );
}

function askFirst([name, schema]: [string, unknown]): [string, unknown] {
  const isSchema = typeof schema === "object" && schema !== null && !Array.isArray(schema);
  return [name, isSchema ? { [enough]: true, ...schema } : schema];
}

function plainId(text: string): string {
  return isUuid(text) ? text.toLowerCase() : text;
}

const [first, all] = [createAjv({}), createAjv({ allErrors: true })];

/** Every bad field; none for what fits. May fill in defaults and, in a query, convert. */
export type FindErrors = (value: unknown) => readonly FieldError[];

const none: readonly FieldError[] = [];

/** Compiled by the first request that needs it: all of them at the start would cost every start a fifth of a second. */
export function compileFind(schema: TSchema, part: "body" | "query"): FindErrors {
  let fits: ValidateFunction | undefined;
  let findAll: ValidateFunction | undefined;
  const convert = part === "query" ? converterOf(schema) : null;
  return (value) => {
    fits ??= first.compile(schema);
    convert?.(value);
    if (fits(value)) return none;
    findAll ??= all.compile(askingWhetherEnough(schema) as TSchema);
    findAll(value);
    return fieldErrorsOf(findAll.errors ?? fits.errors ?? []);
  };
}

/** Throws `validation_failed` with every bad field. */
export type Check = (value: unknown) => void;

export function compileCheck(schema: TSchema, part: "body" | "query"): Check {
  const find = compileFind(schema, part);
  return (value) => {
    const errors = find(value);
    if (errors.length > 0) throw commonProblem("validation_failed", { errors });
  };
}

/** For params, where "does not fit" only means "is not here". Ids come out in their one form. */
export function compileTest(schema: TSchema): (value: unknown) => boolean {
  let fits: ValidateFunction | undefined;
  return (value) => {
    fits ??= first.compile(schema);
    return fits(value);
  };
}

/** How a number is written in a query string. Numbers with an exponent, a sign or blanks around them are refused. */
const grammars: Readonly<Record<string, RegExp>> = {
  integer: /^-?[0-9]+$/,
  number: /^-?[0-9]+(\.[0-9]+)?$/,
};

/** Turns the text of a query string into what the schema asks for; what is not written like it stays text. */
function converterOf(schema: TSchema): ((query: unknown) => void) | null {
  const properties: Readonly<Record<string, unknown>> = "properties" in schema ? Object(schema.properties) : {};
  const numbers = Object.entries(properties).flatMap(([name, property]) => {
    const grammar = grammars[String(Object(property).type)];
    return grammar === undefined ? [] : [{ name, grammar }];
  });
  const switches = Object.keys(properties).filter((name) => Object(properties[name]).type === "boolean");
  if (numbers.length + switches.length === 0) return null;
  return (query) => {
    const fields = query as Record<string, unknown>;
    for (const { name, grammar } of numbers) {
      const text = fields[name];
      if (typeof text === "string" && grammar.test(text)) fields[name] = Number(text);
    }
    for (const name of switches) {
      if (fields[name] === "true" || fields[name] === "false") fields[name] = fields[name] === "true";
    }
  };
}
