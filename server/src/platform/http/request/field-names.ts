/**
 * The names of fields and parameters in a request, compared with those that its schema has.
 *
 * A field in another casing (accountNumber for account_number, or the reverse) is refused, in LIVE as well: the two
 * families of the API spell names differently, so it is our field that was meant. Ignoring an optional one would pay
 * from another wallet, or leave out a limit, without a word.
 *
 * Any other unknown field is ignored. A sandbox names it in a header; live requests do not pay for that.
 */
import type { TSchema } from "typebox";
import type { FieldError } from "../../problem.ts";
import { nearestWord, plainWord } from "../nearest-word.ts";
import { shownName } from "./json-scan.ts";

const mostNamed = 5;
const mostItems = 20;
const longestName = 60;
const deepest = 5;

/** What a schema knows by name; null where any field may stand. */
interface Known {
  readonly fields: ReadonlyMap<string, Known | null>;
  readonly byPlainName: ReadonlyMap<string, string>;
}

interface Input {
  readonly query: unknown;
  readonly body: unknown;
}

export interface FieldNames {
  /** The text of a warning, which is safe in a header, or undefined when everything is known. */
  warningOf(input: Input): string | undefined;
  /** What came in another casing, each error at the field that was meant. */
  findMisspelt(input: Input): readonly FieldError[];
}

export function compileNames(query: TSchema | undefined, body: TSchema | undefined): FieldNames {
  let made: { readonly query: Known | null; readonly body: Known | null } | undefined;
  const known = () => {
    made ??= { query: query === undefined ? knownFrom([]) : knownOf(query), body: knownOf(body) };
    return made;
  };
  return {
    warningOf(input) {
      const found: string[] = [];
      look(input.query, known().query, "", "parameter", found);
      look(input.body, known().body, "", "field", found);
      return found.length === 0 ? undefined : warningOf(found);
    },
    findMisspelt(input) {
      const found: FieldError[] = [];
      findMisspelt(input.query, known().query, "", found);
      findMisspelt(input.body, known().body, "", found);
      return found;
    },
  };
}

function knownFrom(fields: readonly (readonly [string, Known | null])[]): Known {
  return { fields: new Map(fields), byPlainName: new Map(fields.map(([name]) => [plainWord(name), name])) };
}

function knownOf(schema: unknown): Known | null {
  if (typeof schema !== "object" || schema === null) return null;
  const { properties, items, anyOf, additionalProperties } = schema as Readonly<Record<string, unknown>>;
  if (items !== undefined) return knownOf(items);
  // Beside properties it only says which of them must be there.
  if (Array.isArray(anyOf) && properties === undefined) {
    const branches = anyOf.flatMap((branch) => [...(knownOf(branch)?.fields ?? [])]);
    return branches.length === 0 ? null : knownFrom(branches);
  }
  if (typeof properties !== "object" || properties === null || additionalProperties !== undefined) return null;
  return knownFrom(Object.entries(properties).map(([name, property]) => [name, knownOf(property)]));
}

const mostMisspelt = 100;

/** Goes through every item of a list: one payout of a batch with a misspelt wallet is one payout from another wallet. */
function findMisspelt(value: unknown, known: Known | null, path: string, found: FieldError[]): void {
  if (known === null || typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) findMisspelt(item, known, `${path}[${index}]`, found);
    return;
  }
  const fields = value as Readonly<Record<string, unknown>>;
  // Not Object.keys: a hundred thousand names need no list of their own.
  for (const name in fields) {
    if (found.length >= mostMisspelt) return;
    if (!Object.hasOwn(fields, name)) continue;
    const inner = known.fields.get(name);
    if (inner !== undefined) {
      findMisspelt(fields[name], inner, placeOf(path, name), found);
      continue;
    }
    const meant = known.byPlainName.get(plainWord(name));
    if (meant === undefined || Object.hasOwn(fields, meant)) continue;
    found.push({ field: placeOf(path, meant), message: `must be spelled ${meant}, not ${shownName(name)}` });
  }
}

const placeOf = (path: string, name: string): string => (path === "" ? name : `${path}.${name}`);

function look(value: unknown, known: Known | null, path: string, word: string, found: string[], depth = 0): void {
  if (known === null || typeof value !== "object" || value === null || depth > deepest) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.slice(0, mostItems).entries()) {
      look(item, known, `${path}[${index}]`, word, found, depth + 1);
    }
    return;
  }
  const sent = value as Readonly<Record<string, unknown>>;
  // Not Object.keys: whoever sends a hundred thousand fields is told about five of them.
  for (const name in sent) {
    if (found.length > mostNamed) return;
    if (!Object.hasOwn(sent, name)) continue;
    const inner = known.fields.get(name);
    const place = placeOf(path, name);
    if (inner === undefined) found.push(`unknown ${word} ${shown(place)}${hint(name, known, sent)}`);
    else look(sent[name], inner, place, word, found, depth + 1);
  }
}

/** Only names that the request does not use already: two fields are seldom meant as one. */
function hint(name: string, known: Known, sent: Readonly<Record<string, unknown>>): string {
  const free = [...known.fields.keys()].filter((field) => !Object.hasOwn(sent, field));
  const meant = nearestWord(name, free);
  return meant === undefined ? "" : `, did you mean ${meant}?`;
}

/** The sender chose the name: only visible ASCII gets into a header, and not too much of it. */
function shown(name: string): string {
  const safe = name.replaceAll(/[^\x21-\x7e]/gu, "?");
  return safe.length > longestName ? `${safe.slice(0, longestName)}...` : safe;
}

function warningOf(found: readonly string[]): string {
  const named = found.slice(0, mostNamed).join("; ");
  return found.length > mostNamed ? `${named}; and more` : named;
}
