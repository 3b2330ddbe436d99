/** Says in plain words what a schema found wrong, one sentence a field. */
import type { ErrorObject } from "ajv";
import type { FieldError } from "../problem.ts";

const mostReported = 100;

/** Branches of a union and the like only add noise to the error that the union itself reports. */
const composite = new Set(["anyOf", "oneOf", "allOf", "not"]);

export function fieldErrorsOf(found: readonly ErrorObject[]): FieldError[] {
  const unions = found.filter((error) => composite.has(error.keyword)).map((error) => error.schemaPath);
  const told = new Map<string, FieldError>();
  for (const error of found) {
    if (told.size >= mostReported) break;
    // A condition that failed has told what it asks for already.
    if (error.keyword === "if") continue;
    if (unions.some((path) => error.schemaPath !== path && error.schemaPath.startsWith(`${path}/`))) continue;
    const field = fieldOf(error);
    if (!told.has(field)) told.set(field, { field, message: sentenceOf(error) });
  }
  return [...told.values()];
}

/** `/transfers/3/amount` becomes `transfers[3].amount`; a missing field is named itself, not its parent. */
function fieldOf(error: ErrorObject): string {
  const steps = error.instancePath.split("/").slice(1).map(unescapePointer);
  if (error.keyword === "required") steps.push(String(error.params["missingProperty"]));
  let path = "";
  for (const step of steps) path += /^\d+$/.test(step) ? `[${step}]` : `${path === "" ? "" : "."}${step}`;
  return path === "" ? "body" : path;
}

function unescapePointer(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}

const formats: Readonly<Record<string, string>> = {
  naira: "must be an amount in naira with at most two decimals",
  uuid: "must be a UUID",
  email: "must be an e-mail address",
  "date-time": "must be an ISO 8601 timestamp such as 2026-11-01T08:30:00.000Z",
  date: "must be a date such as 2026-11-01",
  uri: "must be a web address",
};

const article = (type: string): string => (/^[aeio]/.test(type) ? `an ${type}` : `a ${type}`);

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;

const sentences: Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => string>> = {
  required: () => "is required",
  type: ({ type }) => `must be ${typeNames(type)}`,
  format: ({ format }) => formats[String(format)] ?? `must be a valid ${String(format)}`,
  enum: ({ allowedValues }) => `must be one of ${listed(allowedValues)}`,
  const: ({ allowedValue }) => `must be ${JSON.stringify(allowedValue)}`,
  minLength: ({ limit }) => `must have at least ${plural(Number(limit), "character")}`,
  maxLength: ({ limit }) => `must have at most ${plural(Number(limit), "character")}`,
  minItems: ({ limit }) => `must have at least ${plural(Number(limit), "item")}`,
  maxItems: ({ limit }) => `must have at most ${plural(Number(limit), "item")}`,
  minProperties: ({ limit }) => `must have at least ${plural(Number(limit), "field")}`,
  maxProperties: ({ limit }) => `must have at most ${plural(Number(limit), "field")}`,
  minimum: ({ limit }) => `must be at least ${String(limit)}`,
  maximum: ({ limit }) => `must be at most ${String(limit)}`,
  exclusiveMinimum: ({ limit }) => `must be more than ${String(limit)}`,
  exclusiveMaximum: ({ limit }) => `must be less than ${String(limit)}`,
  multipleOf: ({ multipleOf }) => `must be a multiple of ${String(multipleOf)}`,
  pattern: () => "does not have the expected form",
  uniqueItems: () => "must not repeat an item",
  additionalProperties: ({ additionalProperty }) => `must not have the field ${String(additionalProperty)}`,
};

function sentenceOf(error: ErrorObject): string {
  const union = unionWords(error);
  if (union !== undefined) return union;
  // A schema knows best how to explain its own pattern.
  const described = error.keyword === "pattern" ? patternHint(error.parentSchema) : undefined;
  return described ?? sentences[error.keyword]?.(error.params) ?? error.message ?? "is not valid";
}

function patternHint(schema: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const description = schema?.["description"];
  return typeof description === "string" ? `does not have the expected form: ${description}` : undefined;
}

function typeNames(type: unknown): string {
  const types = Array.isArray(type) ? type.map(String) : String(type).split(",");
  return types
    .map((name) => (name === "null" ? "null" : name === "integer" ? "a whole number" : article(name)))
    .join(" or ");
}

/** A union of literals is a choice of words. */
function unionWords(error: ErrorObject): string | undefined {
  if (error.keyword !== "anyOf" || !Array.isArray(error.schema)) return undefined;
  const words = error.schema.map((branch: unknown) =>
    typeof branch === "object" && branch !== null && "const" in branch ? branch.const : undefined,
  );
  return words.includes(undefined) ? "has none of the allowed forms" : `must be one of ${listed(words)}`;
}

function listed(values: unknown): string {
  return Array.isArray(values) ? values.map(String).join(", ") : String(values);
}
