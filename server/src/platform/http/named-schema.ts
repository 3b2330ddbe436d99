/**
 * Names for schemas. What has a name stands once in the OpenAPI document and is referred to everywhere else; a client
 * that is generated from the document has a type of that name. Name a schema where it is declared: records, the
 * bodies of requests, and the words that many of them share.
 */
import type { TSchema } from "typebox";

export interface Declaration {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** A symbol goes along when a schema is copied, as in `{ ...Reference, description }`, and is written nowhere. */
const declaration = Symbol("declaration");

export function named<S extends TSchema>(name: string, schema: S): S {
  const declared: Declaration = { name, schema: { ...(schema as object) } };
  return Object.assign(schema, { [declaration]: declared });
}

/** What was declared under a name, also of a copy that says or allows a little else. */
export function declarationOf(schema: object): Declaration | undefined {
  return declaration in schema ? (schema[declaration] as Declaration) : undefined;
}
