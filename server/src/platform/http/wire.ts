/**
 * The words of the wire: schemas that every domain shares. They validate, they describe themselves in the OpenAPI
 * document, and their `examples` become its examples.
 */

import { type Static, type TSchema, type TUnsafe, Type } from "typebox";
import { type Kobo, nairaFromNumber } from "../../money/kobo.ts";
import { named } from "./named-schema.ts";

/** Naira as a JSON number, at most two decimals. */
export const NairaNumber = named(
  "Naira",
  Type.Number({
    format: "naira",
    description: "Naira with at most two decimals.",
    examples: [2500.5],
  }),
);

/** The amount behind a number that has passed the format `naira`. */
export function readNaira(naira: number): Kobo {
  const amount = nairaFromNumber(naira);
  if (amount === undefined) throw new Error("an amount that passed its schema cannot be read");
  return amount;
}

/** Naira as a decimal string with exactly two decimals. */
export const NairaString = named(
  "NairaText",
  Type.String({
    pattern: "^-?\\d{1,15}\\.\\d{2}$",
    description: "Naira as a decimal string with two decimals.",
    examples: ["50000.00"],
  }),
);

export const Timestamp = named(
  "Timestamp",
  Type.String({
    format: "date-time",
    description: "ISO 8601, UTC, with milliseconds.",
    examples: ["2026-11-01T08:30:00.000Z"],
  }),
);

export const Uuid = named("Id", Type.String({ format: "uuid", examples: ["01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11"] }));

/** An id of ours in a request, in small letters or capitals. What is no UUID is nobody's id, not a mistake of form. */
export const Id = (description: string) =>
  Type.String({ maxLength: 100, "x-id": true, description, examples: ["01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11"] });

/** An id in a path. */
export const PathId = Type.String({ format: "uuid", "x-id": true, examples: ["01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11"] });

export const Email = Type.String({ format: "email", maxLength: 320, examples: ["ada@example.com"] });

/** The params of a path that ends in an id. */
export const IdParams = Type.Object({ id: PathId });

/** `schema` or null, written as a type list: a union would slow serialisation down and read worse in the document. */
export function Nullable<S extends TSchema & { readonly type: string }>(schema: S): TUnsafe<Static<S> | null> {
  return Type.Unsafe<Static<S> | null>({ ...schema, type: [schema.type, "null"] });
}

interface Choosable {
  readonly properties: Readonly<Record<string, TSchema>>;
}

/** An object in which exactly one of these fields is sent. */
export function ExactlyOneOf<S extends TSchema & Choosable>(schema: S, names: readonly (keyof S["properties"])[]): S {
  return { ...schema, oneOf: names.map((name) => ({ required: [name] })) };
}

/** An object in which at least one of these fields is sent. */
export function AtLeastOneOf<S extends TSchema & Choosable>(schema: S, names: readonly (keyof S["properties"])[]): S {
  return { ...schema, anyOf: names.map((name) => ({ required: [name] })) };
}

/** One of some words. */
export function OneOf<const W extends readonly string[]>(
  words: W,
  options: { readonly description?: string; readonly examples?: readonly string[] } = {},
): TUnsafe<W[number]> {
  return Type.Unsafe<W[number]>({ type: "string", enum: [...words], examples: [words[0]], ...options });
}

/** Which kind of environment something happened in. */
export const EnvironmentWord = named("Environment", OneOf(["SANDBOX", "LIVE"]));

export const PaginationObject = named(
  "Pagination",
  Type.Object({
    currentPage: Type.Integer({ examples: [1] }),
    totalPages: Type.Integer({ examples: [5] }),
    totalItems: Type.Integer({ examples: [42] }),
    itemsPerPage: Type.Integer({ examples: [10] }),
    hasNextPage: Type.Boolean({ examples: [true] }),
    hasPreviousPage: Type.Boolean({ examples: [false] }),
  }),
);

export const PageMetaObject = named(
  "PageMeta",
  Type.Object({
    current_page: Type.Integer({ examples: [1] }),
    next_page: Nullable(Type.Integer({ examples: [2] })),
    prev_page: Nullable(Type.Integer({ examples: [null] })),
    per_page: Type.Integer({ examples: [10] }),
  }),
);
