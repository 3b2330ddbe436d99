/** What the edge finds wrong with a body or a query, by field: nothing of what fits. */
import type { TSchema } from "typebox";
import { compileFind } from "../../src/platform/http/request/validation.ts";

export type Complaints = (value: unknown) => Record<string, string>;

export function complaintsOf(schema: TSchema, part: "body" | "query" = "body"): Complaints {
  const find = compileFind(schema, part);
  // Judged as a copy, as it comes off the wire: a check fills in defaults.
  return (value) => Object.fromEntries(find(structuredClone(value)).map(({ field, message }) => [field, message]));
}
