/**
 * Checks every operation's body against its schema: required fields, the type of each field, and its bounds. The
 * complaint must name the field. The meaning of a field is tested in the folder that it belongs to.
 */
import type { TSchema } from "typebox";
import { expect, test } from "vitest";
import { createTestApp } from "../testing/app.ts";
import { complaintsOf } from "../testing/platform/complaints.ts";
import { appRoutes } from "./start/app.ts";

interface Field {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Field[];
  readonly examples?: readonly unknown[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
}

interface Body {
  readonly properties: Readonly<Record<string, Field>>;
  readonly required?: readonly string[];
  readonly examples?: readonly unknown[];
}

const { dependencies } = await createTestApp();
const bodies = appRoutes(dependencies).flatMap(({ method, path, body }): [string, TSchema & Body][] => {
  const hasFields = body !== undefined && "properties" in body;
  return hasFields ? [[`${method} ${path}`, body as TSchema & Body]] : [];
});

/** One of each JSON type. */
const samples: readonly (readonly [type: string, value: unknown])[] = [
  ["null", null],
  ["boolean", true],
  ["number", 7],
  ["string", "7"],
  ["array", ["7"]],
  ["object", { "7": 7 }],
];

function typesOf(field: Field): readonly string[] {
  const alternatives = field.anyOf ?? [];
  if (alternatives.length > 0) return alternatives.flatMap(typesOf);
  const values = field.enum ?? ("const" in field ? [field.const] : []);
  if (values.length > 0) return values.map((value) => (value === null ? "null" : typeof value));
  const types = [field.type ?? samples.map(([type]) => type)].flat();
  return types.map((type) => (type === "integer" ? "number" : type));
}

/** Values just outside of the bounds. */
function outside(field: Field): unknown[] {
  const { minLength = 0, maxLength, minItems = 0, maxItems, minimum, maximum, exclusiveMinimum } = field;
  const at = (bound: number | undefined, value: (bound: number) => unknown) =>
    bound === undefined ? [] : [value(bound)];
  return [
    ...(minLength > 0 ? ["x".repeat(minLength - 1)] : []),
    ...at(maxLength, (most) => "x".repeat(most + 1)),
    ...(minItems > 0 ? [[]] : []),
    ...at(maxItems, (most) => Array.from({ length: most + 1 }, () => ({}))),
    ...at(minimum, (least) => least - 1),
    ...at(maximum, (most) => most + 1),
    ...at(exclusiveMinimum, (bound) => bound),
  ];
}

/** The schema's own example, else one of each field. */
function exampleOf({ properties, examples }: Body): Record<string, unknown> {
  const fields = Object.entries(properties).flatMap(([name, field]): [string, unknown][] =>
    field.examples === undefined ? [] : [[name, field.examples[0]]],
  );
  return (examples?.[0] as Record<string, unknown> | undefined) ?? Object.fromEntries(fields);
}

const isAbout = (field: string) => (complaint: string) =>
  complaint === field || /^[.[]/.test(complaint.slice(field.length));

test.each(bodies)("%s needs its required fields", (_, schema) => {
  const found = complaintsOf(schema)({});
  for (const field of schema.required ?? []) expect(found, field).toHaveProperty([field], "is required");
});

test.each(bodies)("%s takes no other type and nothing out of bounds, and names the field", (_, schema) => {
  const complaints = complaintsOf(schema);
  const example = exampleOf(schema);
  for (const [field, description] of Object.entries(schema.properties)) {
    const types = typesOf(description);
    const wrong = samples.flatMap(([type, value]) => (types.includes(type) ? [] : [value]));
    for (const value of [...wrong, ...outside(description)]) {
      const found = Object.keys(complaints({ ...example, [field]: value }));
      expect(found.filter(isAbout(field)), `${field}: ${JSON.stringify(value)?.slice(0, 60)}`).not.toEqual([]);
    }
  }
});

const withExample = bodies.filter(([, { examples }]) => examples !== undefined);

test.each(withExample)("%s takes its example", (_, schema) => {
  expect(complaintsOf(schema)(exampleOf(schema))).toEqual({});
});
