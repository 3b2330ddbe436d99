/**
 * Reads a JSON body that a stranger wrote. PostgreSQL stores neither NUL characters nor unpaired surrogates, and a
 * `__proto__` key, or a `constructor` with a `prototype`, can change an object's prototype when somebody later copies
 * it: all are dealt with here, once, so that no domain has to think of them. In JSON text that is valid UTF-8 the first
 * two can only be written as escapes, and so may any letter of the names, so a search over the raw text tells almost
 * every body apart from the few that need a walk.
 *
 * A number with more digits than a double keeps would be rounded by the parser before anybody could see it: 99.999…
 * would be an amount of 100. It is refused in whatever field it stands, metadata and unknown fields included. Only the
 * few bodies with so many digits in a row, be it in a string, are read number by number.
 */
import { isUtf8 } from "node:buffer";
import { commonProblem, type FieldError, type Problem } from "../problem.ts";

const suspicious = /\\u(?:00[0-7]|[dD][89a-fA-F])|__proto__|"constructor"/;
const mostReported = 100;

/** Returns undefined for an empty body. Throws `invalid_json`, or `validation_failed` naming the unusable strings. */
export function parseJsonBody(raw: Buffer): unknown {
  if (raw.length === 0) return undefined;
  if (!isUtf8(raw)) throw commonProblem("invalid_json", { message: "The body is not valid UTF-8." });
  const text = raw.toString("utf8");
  const value = hasLongRun(raw) ? parseExactly(text) : parse(text);
  if (suspicious.test(text)) cleanse(value);
  return value;
}

/** Fifteen digits always fit a double: what does not takes sixteen characters, its point included. */
const longRun = 16;

/** True when so many digits and points stand in a row. Each such run covers one of the places that are looked at. */
function hasLongRun(raw: Buffer): boolean {
  for (let at = longRun - 1; at < raw.length; at += longRun) {
    if (!isDigitOrPoint(raw[at])) continue;
    let first = at;
    while (isDigitOrPoint(raw[first - 1])) first -= 1;
    let last = at;
    while (last - first < longRun - 1 && isDigitOrPoint(raw[last + 1])) last += 1;
    if (last - first >= longRun - 1) return true;
  }
  return false;
}

function isDigitOrPoint(byte: number | undefined): boolean {
  return byte !== undefined && ((byte >= 0x30 && byte <= 0x39) || byte === 0x2e);
}

type Reviver = (key: string, value: unknown, ...context: { readonly source?: string }[]) => unknown;

function parse(text: string, reviver?: Reviver): unknown {
  try {
    // A byte order mark is allowed by some writers and refused by JSON.parse.
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text, reviver);
  } catch (cause) {
    throw commonProblem("invalid_json", { cause });
  }
}

/** Stands for a number that would be rounded until the whole body is read and its place can be told. */
const rounded = Symbol("rounded");

function parseExactly(text: string): unknown {
  let found = false;
  const value = parse(text, (_key, read, context) => {
    if (typeof read !== "number" || context?.source === undefined || isKept(context.source, read)) return read;
    found = true;
    return rounded;
  });
  if (found) throw roundedNumbers(findPlaces(value, (place) => place.value === rounded));
  return value;
}

/** Nobody writes a number longer than this but to keep us busy. */
const longestNumber = 100;

/** True when the double, written again, is the number that was sent. */
function isKept(source: string, read: number): boolean {
  return source.length <= longestNumber && Number.isFinite(read) && plainly(source) === plainly(String(read));
}

/** One notation for each number: its digits without zeros at either end, and the power of ten of the last. */
function plainly(text: string): string {
  const [, whole = "", part = "", power = "0"] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${part}`.replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return "0";
  return `${significant}e${BigInt(power) - BigInt(part.length) + BigInt(digits.length - significant.length)}`;
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

interface Place {
  readonly value: unknown;
  readonly key: string | number;
  readonly parent: Place | undefined;
}

function cleanse(root: unknown): void {
  const bad = findPlaces(root, ({ value, key }) => !isStorable(value) || !isStorable(key));
  if (bad.length > 0) throw unstorableText(bad);
}

function isStorable(value: unknown): boolean {
  return typeof value !== "string" || isStorableText(value);
}

/** Walks with its own stack, because the nesting is as deep as the sender likes. */
function findPlaces(root: unknown, isSought: (place: Place) => boolean): string[] {
  const found: string[] = [];
  const open: Place[] = [{ value: root, key: "", parent: undefined }];
  for (let place = open.pop(); place !== undefined && found.length < mostReported; place = open.pop()) {
    if (isSought(place)) found.push(pathOf(place));
    if (typeof place.value === "object" && place.value !== null) openChildren(place, place.value, open);
  }
  return found;
}

function openChildren(parent: Place, value: object, open: Place[]): void {
  if (Array.isArray(value)) {
    for (let index = value.length - 1; index >= 0; index -= 1) open.push({ value: value[index], key: index, parent });
    return;
  }
  // An unknown field is ignored, and no schema of ours knows these.
  if (Object.hasOwn(value, "__proto__")) Reflect.deleteProperty(value, "__proto__");
  if (namesPrototype(value)) Reflect.deleteProperty(value, "constructor");
  for (const [key, child] of Object.entries(value).reverse()) open.push({ value: child, key, parent });
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
