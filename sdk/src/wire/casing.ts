/**
 * One casing for the caller. The loans family writes snake_case on the wire, the others camelCase; programs see
 * camelCase only. Keys change, values never do, and what the caller named stays as the caller named it.
 */

/** Members whose keys are data: the caller's own, or what an id is of. A test compares the list with the OpenAPI document. */
export const freeForm: ReadonlySet<string> = new Set(["metadata", "ids"]);

export function toCamel(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

export function toSnake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** What came, with its keys in camelCase, at every depth. */
export function camelKeys(value: unknown): unknown {
  return renamed(value, toCamel);
}

export function snakeKeys(value: unknown): unknown {
  return renamed(value, toSnake);
}

function renamed(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, rename));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [rename(name), freeForm.has(name) ? inner : renamed(inner, rename)]),
  );
}

/** An object of members; a Date and other things that write themselves as JSON are values. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !("toJSON" in value);
}
