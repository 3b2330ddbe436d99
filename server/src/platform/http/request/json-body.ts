/**
 * Reads a JSON body that a stranger wrote. What is wrong with its text is found by `json-scan.ts` in one pass, before
 * the parser makes a value of it, so that a body costs as much as it is long and no more.
 */
import { isUtf8 } from "node:buffer";
import { commonProblem, type FieldError, type Problem } from "../../problem.ts";
import { scanJson } from "./json-scan.ts";

/** Returns undefined for an empty body. Throws `invalid_json`, `body_too_large`, or `validation_failed` by field. */
export function parseJsonBody(raw: Buffer, mostValues: number): unknown {
  if (raw.length === 0) return undefined;
  if (!isUtf8(raw)) throw commonProblem("invalid_json", { message: "The body is not valid UTF-8." });
  const found = scanJson(raw, mostValues);
  const value = parse(raw.toString("utf8"));
  // What the scan found is only true of a text that is JSON, so it is told after the parser agreed.
  if (found.unstorable.length > 0) throw unstorableText([...new Set(found.unstorable)]);
  if (found.rounded.length > 0) throw roundedNumbers([...new Set(found.rounded)]);
  if (found.namesPrototype) dropPrototypes(value);
  return value;
}

function parse(text: string): unknown {
  try {
    // A byte order mark is allowed by some writers and refused by JSON.parse.
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch (cause) {
    throw commonProblem("invalid_json", { cause });
  }
}

function roundedNumbers(fields: readonly string[]): Problem {
  const errors: FieldError[] = fields.map((field) => ({
    field,
    message:
      "has more digits than a JSON number keeps. Send an amount with at most two decimals, anything else as a string",
  }));
  return commonProblem("validation_failed", { errors });
}

/** True for text that PostgreSQL can store and every JSON reader can read. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

export function unstorableText(fields: readonly string[]): Problem {
  const errors: FieldError[] = fields.map((field) => ({
    field,
    message: "must not contain NUL characters or broken Unicode (unpaired surrogates)",
  }));
  return commonProblem("validation_failed", { errors });
}

/** An unknown field is ignored, and no schema of ours knows these. The scan has bounded how deep this goes. */
function dropPrototypes(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) {
    if (Object.hasOwn(value, "__proto__")) Reflect.deleteProperty(value, "__proto__");
    if (namesPrototype(value)) Reflect.deleteProperty(value, "constructor");
  }
  for (const inner of Object.values(value)) dropPrototypes(inner);
}

/** A constructor without a prototype does no harm: a builder's shop may well have one. */
function namesPrototype(value: object): boolean {
  const named: unknown = Object.getOwnPropertyDescriptor(value, "constructor")?.value;
  return typeof named === "object" && named !== null && Object.hasOwn(named, "prototype");
}
