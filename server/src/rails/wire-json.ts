/**
 * Reads what providers send. A number that JavaScript cannot hold exactly (a 64-bit id, an amount with decimals) comes
 * as its digits, so that nothing is rounded on the way in.
 */
import { type Kobo, kobo, parseNaira } from "../money/kobo.ts";

/** Undefined for anything that is not JSON. */
export function parseWireJson(text: string): unknown {
  try {
    return JSON.parse(text, (_, value: unknown, context?: { readonly source?: string }) =>
      typeof value === "number" && !Number.isSafeInteger(value) ? (context?.source ?? String(value)) : value,
    );
  } catch {
    return undefined;
  }
}

export type WireRecord = Readonly<Record<string, unknown>>;

/** The object at a path of names, or an empty one. */
export function recordAt(body: unknown, ...path: readonly string[]): WireRecord {
  let at: unknown = body;
  for (const name of path) at = isRecord(at) ? at[name] : undefined;
  return isRecord(at) ? at : {};
}

export function isRecord(value: unknown): value is WireRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function listAt(body: unknown, name: string): readonly unknown[] {
  const found = recordAt(body)[name];
  return Array.isArray(found) ? found : [];
}

/** A text, or a number as its digits; undefined for anything else and for nothing but blanks. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** Whole kobo, as a number or as digits. */
export function koboOf(value: unknown): Kobo | undefined {
  const digits = textOf(value)?.trim() ?? "";
  return /^\d{1,17}$/.test(digits) ? kobo(BigInt(digits)) : undefined;
}

/** Naira with any number of decimals, as long as the digits beyond kobo are zeros. */
export function nairaOf(value: unknown): Kobo | undefined {
  const digits = textOf(value)?.trim().replaceAll(",", "") ?? "";
  const [, whole = "", fraction = ""] = /^(\d{1,15})(?:\.(\d{1,12}))?$/.exec(digits) ?? [];
  if (whole === "" || !/^0*$/.test(fraction.slice(2))) return undefined;
  return parseNaira(`${whole}.${fraction.slice(0, 2).padEnd(2, "0")}`);
}
