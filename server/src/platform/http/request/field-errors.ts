/** Says in plain words what a schema found wrong, one sentence a field. */
import type { ErrorObject } from "ajv";
import type { FieldError } from "../../problem.ts";
import { shownName } from "./json-scan.ts";

const mostReported = 100;

export function fieldErrorsOf(found: readonly ErrorObject[]): FieldError[] {
  const told = new Map<string, FieldError>();
  for (const error of withoutNoise(found)) {
    if (told.size >= mostReported) break;
    // A condition that failed has told what it asks for already.
    if (error.keyword === "if") continue;
    for (const fault of choiceFaults(error) ?? [{ field: fieldOf(error), message: sentenceOf(error) }]) {
      if (!told.has(fault.field)) told.set(fault.field, fault);
    }
  }
  return [...told.values()];
}

/**
 * Of a union either the error of the one branch that is of the value's type, or the error of the union itself: the
 * others only add noise. Ajv tells the errors of the branches first and the union's right behind them, so each union
 * looks back at its own and at no others.
 */
function withoutNoise(found: readonly ErrorObject[]): readonly ErrorObject[] {
  const noise = new Set<ErrorObject>();
  for (const [place, error] of found.entries()) {
    if (error.keyword !== "anyOf" && error.keyword !== "oneOf") continue;
    for (const one of noiseOf(error, inBranches(error, found, place))) noise.add(one);
  }
  return noise.size === 0 ? found : found.filter((error) => !noise.has(error));
}

function inBranches(union: ErrorObject, found: readonly ErrorObject[], place: number): readonly ErrorObject[] {
  const start = `${union.schemaPath}/`;
  let first = place;
  while (first > 0) {
    const { schemaPath, instancePath } = found[first - 1] ?? union;
    if (!schemaPath.startsWith(start) || !isWithin(instancePath, union.instancePath)) break;
    first -= 1;
  }
  return found.slice(first, place);
}

const isWithin = (path: string, outer: string): boolean => path === outer || path.startsWith(`${outer}/`);

function noiseOf(union: ErrorObject, inside: readonly ErrorObject[]): readonly ErrorObject[] {
  const branchOf = ({ schemaPath }: ErrorObject) => schemaPath.slice(union.schemaPath.length + 1).split("/", 1)[0];
  const ofAnotherType = inside.filter(
    ({ keyword, instancePath }) => keyword === "type" && instancePath === union.instancePath,
  );
  const others = new Set(ofAnotherType.map(branchOf));
  const near = new Set(inside.map(branchOf).filter((branch) => !others.has(branch)));
  if (near.size !== 1) return inside;
  return [union, ...inside.filter((error) => !near.has(branchOf(error)))];
}

/** A choice between fields: where exactly one is asked for it is told at each, else at the first. */
function choiceFaults(error: ErrorObject): FieldError[] | undefined {
  if (!["oneOf", "anyOf"].includes(error.keyword) || !Array.isArray(error.schema)) return undefined;
  const names = error.schema.map((branch: { readonly required?: readonly string[] }) => branch.required?.[0]);
  if (names.some((name) => name === undefined)) return undefined;
  const prefix = error.instancePath === "" ? "" : `${fieldOf(error)}.`;
  const [first, ...others] = names;
  if (error.keyword === "anyOf")
    return [{ field: `${prefix}${first}`, message: `or ${others.join(" or ")} is required` }];
  const message = `give exactly one of ${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  return names.map((name) => ({ field: `${prefix}${name}`, message }));
}

/** `/transfers/3/amount` becomes `transfers[3].amount`; a missing field is named itself, not its parent. */
function fieldOf(error: ErrorObject): string {
  const steps = error.instancePath.split("/").slice(1).map(unescapePointer);
  if (error.keyword === "required") steps.push(String(error.params["missingProperty"]));
  let path = "";
  for (const step of steps)
    path += /^\d+$/.test(step) ? `[${shownName(step)}]` : `${path === "" ? "" : "."}${shownName(step)}`;
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
  phone: "must be a Nigerian mobile number such as 08031234567",
  latitude: "must be degrees as a decimal number, -90 to 90",
  longitude: "must be degrees as a decimal number, -180 to 180",
  moment: "must be a moment such as 2026-11-01T08:00:00Z or a date such as 2026-11-01",
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
  additionalProperties: ({ additionalProperty }) => `must not have the field ${shownName(String(additionalProperty))}`,
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

/** A union of literals is a choice of words, any other a choice of types. */
function unionWords(error: ErrorObject): string | undefined {
  if (error.keyword !== "anyOf" || !Array.isArray(error.schema)) return undefined;
  const branches = error.schema.map((branch: unknown): Readonly<Record<string, unknown>> => Object(branch));
  if (branches.every((branch) => "const" in branch))
    return `must be one of ${listed(branches.map((one) => one["const"]))}`;
  return `must be ${[...new Set(branches.map(({ type }) => typeNames(type)))].join(" or ")}`;
}

function listed(values: unknown): string {
  return Array.isArray(values) ? values.map(String).join(", ") : String(values);
}
