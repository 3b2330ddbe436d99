/**
 * Reads a JSON body that a stranger wrote. PostgreSQL stores neither NUL characters nor unpaired surrogates, and a
 * `__proto__` key, or a `constructor` with a `prototype`, can change an object's prototype when somebody later copies
 * it: all are dealt with here, once, so that no domain has to think of them. In JSON text that is valid UTF-8 the first
 * two can only be written as escapes, and so may any letter of the names, so a search over the raw text tells almost
 * every body apart from the few that need a walk.
 */
import { isUtf8 } from "node:buffer";
import { commonProblem, type FieldError, type Problem } from "./problem.ts";

const suspicious = /\\u(?:00[0-7]|[dD][89a-fA-F])|__proto__|"constructor"/;
const mostReported = 100;

/** Answers undefined for an empty body. Throws `invalid_json`, or `validation_failed` naming the unusable strings. */
export function parseJsonBody(raw: Buffer): unknown {
  if (raw.length === 0) return undefined;
  if (!isUtf8(raw)) throw commonProblem("invalid_json", { message: "The body is not valid UTF-8." });
  const text = raw.toString("utf8");
  const value = parse(text);
  if (suspicious.test(text)) cleanse(value);
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

interface Place {
  readonly value: unknown;
  readonly key: string | number;
  readonly parent: Place | undefined;
}

/** Walks with its own stack, because the nesting is as deep as the sender likes. */
function cleanse(root: unknown): void {
  const bad: string[] = [];
  const open: Place[] = [{ value: root, key: "", parent: undefined }];
  for (let place = open.pop(); place !== undefined && bad.length < mostReported; place = open.pop()) {
    if (typeof place.value === "string" && !isStorableText(place.value)) bad.push(pathOf(place));
    if (typeof place.value === "object" && place.value !== null) openChildren(place, place.value, open, bad);
  }
  if (bad.length > 0) throw unstorableText(bad);
}

function openChildren(parent: Place, value: object, open: Place[], bad: string[]): void {
  if (Array.isArray(value)) {
    for (let index = value.length - 1; index >= 0; index -= 1) open.push({ value: value[index], key: index, parent });
    return;
  }
  // An unknown field is ignored, and no schema of ours knows these.
  if (Object.hasOwn(value, "__proto__")) Reflect.deleteProperty(value, "__proto__");
  if (namesPrototype(value)) Reflect.deleteProperty(value, "constructor");
  for (const [key, child] of Object.entries(value).reverse()) {
    const place = { value: child, key, parent };
    if (!isStorableText(key)) bad.push(pathOf(place));
    open.push(place);
  }
}

/** A constructor without a prototype does no harm: a builder's shop may well have one. */
function namesPrototype(value: object): boolean {
  const named: unknown = Object.getOwnPropertyDescriptor(value, "constructor")?.value;
  return typeof named === "object" && named !== null && Object.hasOwn(named, "prototype");
}

const deepestNamed = 20;

/** Spells a place as `transfers[3].amount`. Of an absurdly deep one only the outermost steps are told. */
function pathOf(place: Place): string {
  const steps: string[] = [];
  for (let at: Place | undefined = place; at?.parent !== undefined; at = at.parent) {
    steps.push(typeof at.key === "number" ? `[${at.key}]` : `.${at.key.toWellFormed().replaceAll("\0", "\ufffd")}`);
  }
  const path = steps.reverse().slice(0, deepestNamed).join("") + (steps.length > deepestNamed ? "…" : "");
  return path.startsWith(".") ? path.slice(1) : path || "body";
}
