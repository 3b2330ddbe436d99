/**
 * One pass over the bytes of a JSON text, before the parser sees it. It knows strings and escapes, and finds what
 * JSON.parse would take without a word:
 *
 * - more nesting or more values than any request of ours has. Two bytes are enough for a value, and it costs memory and
 *   time wherever it is looked at later, so values are counted before any is made. A field counts twice, for its name
 *   and its value: objects with names of their own are what a parser takes longest for;
 * - text that PostgreSQL does not store: NUL characters and unpaired surrogates, which valid UTF-8 can only hold as
 *   escapes;
 * - numbers with more digits than a double keeps. 99.999… would be an amount of 100. They are refused in every field,
 *   metadata and unknown fields included;
 * - keys that change an object's prototype when somebody later copies it: `__proto__` and `constructor`.
 *
 * It does not judge whether the text is JSON. What it says about fields is only true if the parser agrees.
 */
import { commonProblem, type Problem } from "../../problem.ts";

const mostDepth = 32;
const mostReported = 100;
/** Of a name in a reply. A sender chooses its keys, and one of them may stand in a hundred places. */
const longestName = 100;

export interface ScannedJson {
  /** Fields, such as `transfers[3].narration`, with text that cannot be stored; a hundred at most. */
  readonly unstorable: readonly string[];
  /** Fields with a number that would be rounded; a hundred at most. */
  readonly rounded: readonly string[];
  /** Some key is `__proto__` or `constructor`. */
  readonly namesPrototype: boolean;
}

/** Where the scan is: for each open object or array its place, so that a field can be named when it is needed. */
interface Scan extends ScannedJson {
  readonly raw: Buffer;
  /** Of the byte that is looked at next. */
  at: number;
  depth: number;
  values: number;
  /** The next string is a key. */
  wantsKey: boolean;
  readonly isObject: boolean[];
  readonly index: number[];
  readonly keyFrom: number[];
  readonly keyTo: number[];
  readonly unstorable: string[];
  readonly rounded: string[];
  namesPrototype: boolean;
}

const [quote, plus, comma, minus, point, zero, nine] = [0x22, 0x2b, 0x2c, 0x2d, 0x2e, 0x30, 0x39] as const;
const [openArray, backslash, closeArray, openObject, closeObject] = [0x5b, 0x5c, 0x5d, 0x7b, 0x7d] as const;

/** Throws `body_too_large` for what is nested too deep or has too many values. */
export function scanJson(raw: Buffer, mostValues: number): ScannedJson {
  const levels = (): number[] => new Array<number>(mostDepth + 1).fill(0);
  const state: Scan = {
    raw,
    at: 0,
    depth: 0,
    values: 0,
    wantsKey: false,
    isObject: new Array<boolean>(mostDepth + 1).fill(false),
    index: levels(),
    keyFrom: levels(),
    keyTo: levels(),
    unstorable: [],
    rounded: [],
    namesPrototype: false,
  };
  while (state.at < raw.length) {
    const byte = raw[state.at] ?? 0;
    if (byte === quote) readString(state);
    else if (byte === minus || (byte >= zero && byte <= nine)) readNumber(state);
    else {
      state.at += 1;
      if (byte === openObject || byte === openArray) open(state, byte === openObject);
      else if (byte === comma) next(state);
      else if ((byte === closeObject || byte === closeArray) && state.depth > 0) state.depth -= 1;
      else continue;
      if (state.values > mostValues) throw tooManyValues(mostValues);
    }
  }
  return state;
}

function open(state: Scan, isObject: boolean): void {
  if (state.depth === mostDepth) throw tooDeep();
  state.depth += 1;
  state.values += 1;
  state.isObject[state.depth] = isObject;
  state.index[state.depth] = 0;
  state.wantsKey = isObject;
}

/** An object or array of n values has n - 1 commas and was counted once when it was opened. */
function next(state: Scan): void {
  state.values += 1;
  state.index[state.depth] = (state.index[state.depth] ?? 0) + 1;
  state.wantsKey = state.isObject[state.depth] === true;
}

function readString(state: Scan): void {
  const { raw } = state;
  const from = state.at;
  let isStorable = true;
  let at = from + 1;
  for (; at < raw.length && raw[at] !== quote; at += 1) {
    if (raw[at] !== backslash) continue;
    at += 1;
    if (raw[at] !== 0x75) continue;
    const code = escapedAt(raw, at);
    const isPair = isHigh(code) && raw[at + 5] === backslash && raw[at + 6] === 0x75 && isLow(escapedAt(raw, at + 6));
    if (code === 0 || (!isPair && (isHigh(code) || isLow(code)))) isStorable = false;
    at += isPair ? 10 : 4;
  }
  state.at = at + 1;
  const isKey = state.wantsKey;
  state.wantsKey = false;
  if (isKey) {
    state.values += 1;
    state.keyFrom[state.depth] = from;
    state.keyTo[state.depth] = state.at;
    if (isPrototypeName(raw, from, state.at)) state.namesPrototype = true;
  }
  if (!isStorable) report(state, state.unstorable);
}

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

/** The number behind a `u`; -1 where there are no four digits, which the parser refuses. */
function escapedAt(raw: Buffer, at: number): number {
  let code = 0;
  for (let place = at + 1; place <= at + 4; place += 1) {
    const byte = raw[place] ?? 0;
    const letter = byte | 0x20;
    if (byte >= zero && byte <= nine) code = code * 16 + byte - zero;
    else if (letter >= 0x61 && letter <= 0x66) code = code * 16 + letter - 0x61 + 10;
    else return -1;
  }
  return code;
}

const prototypeNames = [Buffer.from("__proto__"), Buffer.from("constructor")] as const;

/** Compares in place, because any letter may be an escape and any number of keys may begin like this. */
function isPrototypeName(raw: Buffer, from: number, to: number): boolean {
  return isNamed(raw, from, to, prototypeNames[0]) || isNamed(raw, from, to, prototypeNames[1]);
}

function isNamed(raw: Buffer, from: number, to: number, name: Buffer): boolean {
  let at = from + 1;
  for (let place = 0; place < name.length; place += 1) {
    if (raw[at] === name[place]) at += 1;
    else if (raw[at] === backslash && raw[at + 1] === 0x75 && escapedAt(raw, at + 1) === name[place]) at += 6;
    else return false;
  }
  return at === to - 1;
}

/** A key as it was meant; one that nobody could read in a reply is not even decoded. */
function keyBetween(raw: Buffer, from: number, to: number): string {
  if (to - from > 6 * longestName) return shownName(raw.toString("utf8", from + 1, from + 1 + 4 * longestName));
  try {
    return shownName(String(JSON.parse(raw.toString("utf8", from, to))));
  } catch {
    return "";
  }
}

/** So many significant digits always fit a double, and a double is never written with more than seventeen. */
const [alwaysKept, mostSignificant] = [15, 17];
/** Nobody writes a number longer than this but to keep us busy. */
const longestNumber = 100;

function readNumber(state: Scan): void {
  const { raw } = state;
  const from = state.at;
  let at = from;
  let digits = 0;
  let zeros = 0;
  let exponentAt = 0;
  for (; ; at += 1) {
    const byte = raw[at] ?? 0;
    if (byte === zero) zeros += 1;
    else if (byte > zero && byte <= nine) {
      digits += digits === 0 ? 1 : zeros + 1;
      zeros = 0;
    } else if ((byte | 0x20) === 0x65) exponentAt = at;
    else if (byte !== point && byte !== minus && byte !== plus) break;
  }
  state.at = at;
  // Up to a hundred characters, the exponent one or two of them: no double is too large or too small for that.
  const isPlain = at - from <= longestNumber && (exponentAt === 0 || at - exponentAt <= 3);
  if (isPlain && digits <= alwaysKept) return;
  if (state.rounded.length < mostReported && !isKept(raw, from, at)) report(state, state.rounded);
}

/** True when the double, written again, is the number that was sent. */
function isKept(raw: Buffer, from: number, to: number): boolean {
  if (to - from > longestNumber) return false;
  const text = raw.toString("latin1", from, to);
  const read = Number(text);
  if (!Number.isFinite(read)) return false;
  const again = String(read);
  if (text === again) return true;
  const sent = partsOf(text);
  const written = partsOf(again);
  return sent.digits.length <= mostSignificant && sent.digits === written.digits && sent.power === written.power;
}

/** One notation for each number: its digits without zeros at either end, and the power of ten of the last. */
function partsOf(text: string): { readonly digits: string; readonly power: number } {
  const exponentAt = text.search(/[eE]/);
  const mantissa = exponentAt === -1 ? text : text.slice(0, exponentAt);
  const pointAt = mantissa.indexOf(".");
  const part = pointAt === -1 ? "" : mantissa.slice(pointAt + 1);
  const digits = mantissa.slice(mantissa[0] === "-" ? 1 : 0, pointAt === -1 ? undefined : pointAt) + part;
  let [from, to] = [0, digits.length];
  while (digits[from] === "0") from += 1;
  while (to > from && digits[to - 1] === "0") to -= 1;
  if (from === to) return { digits: "", power: 0 };
  const power = exponentAt === -1 ? 0 : Number(text.slice(exponentAt + 1));
  return { digits: digits.slice(from, to), power: power - part.length + digits.length - to };
}

function report(state: Scan, places: string[]): void {
  if (places.length < mostReported) places.push(pathOf(state));
}

/** Spells the present place as `transfers[3].amount`. */
function pathOf({ raw, depth, isObject, index, keyFrom, keyTo }: Scan): string {
  let path = "";
  for (let level = 1; level <= depth; level += 1) {
    if (isObject[level] === true) {
      const name = keyBetween(raw, keyFrom[level] ?? 0, keyTo[level] ?? 0);
      path += path === "" ? name : `.${name}`;
    } else path += `[${index[level]}]`;
  }
  return path === "" ? "body" : path;
}

/** The name of a field as a reply can hold it. */
export function shownName(name: string): string {
  const short = name.length > longestName ? `${name.slice(0, longestName)}…` : name;
  return short.toWellFormed().replaceAll("\0", "\ufffd");
}

function tooDeep(): Problem {
  return commonProblem("body_too_large", { message: `The body is nested in more than ${mostDepth} levels.` });
}

function tooManyValues(most: number): Problem {
  const message = `The body has more than ${most.toLocaleString("en")} names and values. Send fewer in one request.`;
  return commonProblem("body_too_large", { message });
}
