/**
 * Writes a schema as a TypeScript type in camelCase. Types are written out rather than mapped from the wire's names by
 * the compiler, so that an editor shows `accountNumber: string` and checking stays fast.
 */
import { toCamel } from "../../../sdk/src/wire/casing.ts";
import { known, type OpenApi, refName, type Schema } from "./openapi.ts";

/** What a caller sends may be looser than the wire: amounts as text, moments as Date. What comes back is exact. */
export type Direction = "in" | "out";

/** Types of callers' members that the schema cannot say. */
const loose: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // POST /loans/create wants every field as text; a caller may write numbers.
  NewLoan: { amount: "Amount", tenure: "number | string", longitude: "number | string", latitude: "number | string" },
  // One state, or several with commas: an editor completes the first.
  ListTransfersQuery: { status: `TransferStatus | \`\${TransferStatus},\${string}\`` },
};

/** In an editor the event's data is the record of that event, not any object. */
const written: Readonly<Record<string, string>> = { Event: "JaraEvent" };

export interface TypeWriter {
  /** The type as it stands where it is used. */
  typeOf(schema: Schema, direction: Direction, indent?: string): string;
  /** `export interface Name { … }` or `export type Name = …`. */
  declare(name: string, schema: Schema, direction: Direction): string;
  comment(text: string | undefined, indent: string): string;
}

interface Book {
  readonly schemas: OpenApi["components"]["schemas"];
  /** Names of members, which comments write as callers know them. */
  readonly wireNames: ReadonlySet<string>;
}

/** How and where a type is written. */
interface Place {
  readonly direction: Direction;
  readonly indent: string;
}

export function createTypeWriter({ components: { schemas } }: OpenApi): TypeWriter {
  const wireNames = new Set(Object.values(schemas).flatMap((schema) => Object.keys(schema.properties ?? {})));
  const book = { schemas, wireNames };
  return {
    typeOf: (schema, direction, indent = "") => typeOf(book, schema, { direction, indent }),
    declare: (name, schema, direction) => declare(book, name, schema, direction),
    comment: (text, indent) => comment(book, text, indent),
  };
}

function declare(book: Book, name: string, schema: Schema, direction: Direction): string {
  const text = comment(book, schema.description, "");
  if (schema.properties === undefined) {
    return `${text}export type ${name} = ${typeOf(book, schema, { direction, indent: "" })};\n`;
  }
  return `${text}export interface ${name} {\n${members(book, schema, { direction, indent: "  " }, name)}}\n`;
}

function comment({ wireNames }: Book, text: string | undefined, indent: string): string {
  if (text === undefined || text === "") return "";
  const inCamel = text.replace(/\b[a-z]+(_[a-z0-9]+)+\b/g, (word) => (wireNames.has(word) ? toCamel(word) : word));
  const lines = inCamel.replaceAll("*/", "* /").split("\n");
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`;
}

function typeOf(book: Book, schema: Schema, place: Place): string {
  if (schema.$ref !== undefined) return referred(book, refName(schema.$ref), place.direction);
  if (schema["x-event"] === true) return 'EventName | "*"';
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (place.direction === "in" && isMoney(schema)) return "Amount";
  if (schema.anyOf !== undefined && schema.properties === undefined) {
    // An object of which nothing is known says no more than its neighbours.
    const branches = schema.anyOf.filter(({ properties }) => !properties || Object.keys(properties).length > 0);
    return union(branches.map((branch) => typeOf(book, branch, place)));
  }
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
  return union(types.map((type) => plain(book, type, schema, place)));
}

/** Ids, amounts and other plain values are written where they stand. */
function referred(book: Book, name: string, direction: Direction): string {
  const schema = known(book.schemas, name);
  const isPlain = schema.properties === undefined && schema.enum === undefined;
  if (isPlain) return typeOf(book, schema, { direction, indent: "" });
  return written[name] ?? inputName(book.schemas, name, direction);
}

function plain(book: Book, type: string, schema: Schema, place: Place): string {
  const { direction, indent } = place;
  if (type === "array") return listOf(typeOf(book, schema.items ?? {}, place));
  if (type === "object") {
    if (schema.properties === undefined) return map(book, schema);
    return `{\n${members(book, schema, { direction, indent: `${indent}  ` })}${indent}}`;
  }
  if (type === "integer") return "number";
  const isMoment = schema.format === "moment" || schema.format === "date-time";
  return direction === "in" && isMoment ? "string | Date" : type;
}

function map(book: Book, { additionalProperties }: Schema): string {
  if (typeof additionalProperties !== "object") return "Record<string, unknown>";
  return `Record<string, ${typeOf(book, additionalProperties, { direction: "out", indent: "" })}>`;
}

function members(book: Book, { properties = {}, required = [] }: Schema, place: Place, name = ""): string {
  const { direction, indent } = place;
  return Object.entries(properties)
    .map(([wire, property]) => {
      const inner = property.$ref === undefined ? property : known(book.schemas, refName(property.$ref));
      // A field with one allowed value is filled in by the SDK.
      const isFilled = direction === "in" && inner.enum?.length === 1;
      const isOptional = !required.includes(wire) || isFilled;
      const type = loose[name]?.[wire] ?? typeOf(book, property, place);
      const missing = isOptional && direction === "in" ? " | undefined" : "";
      const words = property.description ?? (inner.enum === undefined ? inner.description : undefined);
      return `${comment(book, words, indent)}${indent}${toCamel(wire)}${isOptional ? "?" : ""}: ${type}${missing};\n`;
    })
    .join("");
}

/** A record that callers send and receive has two types where the two differ. */
export function inputName(schemas: Book["schemas"], name: string, direction: Direction): string {
  const isRecord = known(schemas, name).properties !== undefined;
  return direction === "in" && isRecord && !/^New|Order$|Change$/.test(name) ? `New${name}` : name;
}

function isMoney({ format, anyOf = [] }: Schema): boolean {
  return format === "naira" || anyOf.some(isMoney);
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(" | ");
}

function listOf(type: string): string {
  return / /.test(type) && !type.startsWith("{") ? `(${type})[]` : `${type}[]`;
}
