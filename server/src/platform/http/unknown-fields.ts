/**
 * Tells a developer which fields of a request nobody looked at. They are ignored, as the contract says, but a slip such
 * as sourceAccountID for sourceAccountId would pay from the wrong wallet without a word. Sandboxes only: live requests
 * do not pay for it.
 */
import type { TSchema } from "typebox";
import { nearestWord } from "./nearest-word.ts";

const mostNamed = 5;
const mostItems = 20;
const longestName = 60;
const deepest = 5;

/** What a schema knows by name; null where any field may stand. */
interface Known {
  readonly fields: ReadonlyMap<string, Known | null>;
}

export type FindUnknown = (input: { readonly query: unknown; readonly body: unknown }) => string | undefined;

/** Returns the text of the warning, which is safe in a header, or undefined when everything is known. */
export function compileUnknown(query: TSchema | undefined, body: TSchema | undefined): FindUnknown {
  let known: { readonly query: Known | null; readonly body: Known | null } | undefined;
  return (input) => {
    known ??= { query: query === undefined ? { fields: new Map() } : knownOf(query), body: knownOf(body) };
    const found: string[] = [];
    look(input.query, known.query, "", "parameter", found);
    look(input.body, known.body, "", "field", found);
    return found.length === 0 ? undefined : warningOf(found);
  };
}

function knownOf(schema: unknown): Known | null {
  if (typeof schema !== "object" || schema === null) return null;
  const { properties, items, anyOf, additionalProperties } = schema as Readonly<Record<string, unknown>>;
  if (items !== undefined) return knownOf(items);
  // Beside properties it only says which of them must be there.
  if (Array.isArray(anyOf) && properties === undefined) {
    const branches = anyOf.flatMap((branch) => [...(knownOf(branch)?.fields ?? [])]);
    return branches.length === 0 ? null : { fields: new Map(branches) };
  }
  if (typeof properties !== "object" || properties === null || additionalProperties !== undefined) return null;
  return { fields: new Map(Object.entries(properties).map(([name, property]) => [name, knownOf(property)])) };
}

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
    const place = path === "" ? name : `${path}.${name}`;
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
