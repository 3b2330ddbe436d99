/** The named schemas of a document, each written once. */
import { type Declaration, declarationOf } from "../named-schema.ts";

export interface SchemaBook {
  /** The schema with a reference in place of everything in it that has a name. */
  write(schema: unknown): unknown;
  /** Takes a schema in that has no declaration, and returns the reference to it. */
  enter(name: string, schema: unknown): { readonly $ref: string };
  /** What was referred to, by name. */
  all(): Record<string, unknown>;
}

type Fields = Readonly<Record<string, unknown>>;

export function createSchemaBook(): SchemaBook {
  const written = new Map<string, string>();
  const write = (schema: unknown): unknown => {
    if (Array.isArray(schema)) return schema.map(write);
    if (typeof schema !== "object" || schema === null) return schema;
    const declared = declarationOf(schema);
    if (declared === undefined) return writeFields(schema as Fields);
    enter(declared.name, writeFields(declared.schema));
    return referTo(declared, schema as Fields);
  };
  const writeFields = (fields: Fields) =>
    Object.fromEntries(Object.entries(fields).map(([keyword, value]) => [keyword, write(value)]));
  const enter = (name: string, schema: unknown) => {
    const text = JSON.stringify(schema);
    const known = written.get(name);
    if (known !== undefined && known !== text) throw new Error(`two schemas have the name ${name}: rename one of them`);
    written.set(name, text);
    return { $ref: `#/components/schemas/${name}` };
  };
  return { write, enter, all: () => sorted(written) };
}

function sorted(written: ReadonlyMap<string, string>): Record<string, unknown> {
  const byName = [...written].sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(byName.map(([name, text]) => [name, JSON.parse(text)]));
}

/** What a place may say for itself beside a reference. Everything else would be another schema. */
const remarks: ReadonlySet<string> = new Set(["description", "examples", "default"]);

function referTo({ name, schema }: Declaration, used: Fields): unknown {
  const keywords = new Set([...Object.keys(schema), ...Object.keys(used)]);
  const differing = [...keywords].filter((keyword) => !isSame(schema[keyword], used[keyword]));
  const nullable = isSame([schema["type"], "null"], used["type"]);
  const changed = differing.filter((keyword) => !remarks.has(keyword) && !(keyword === "type" && nullable));
  if (changed.length > 0) {
    throw new Error(`${name} is used with another ${changed.join(", ")} than declared: give the variant its own name`);
  }
  const said = differing.filter((keyword) => remarks.has(keyword) && used[keyword] !== undefined);
  const own = Object.fromEntries(said.map((keyword) => [keyword, used[keyword]]));
  const reference = { $ref: `#/components/schemas/${name}` };
  return nullable ? { anyOf: [reference, { type: "null" }], ...own } : { ...reference, ...own };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
