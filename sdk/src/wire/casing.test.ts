import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { camelKeys, freeForm, snakeKeys, toCamel, toSnake } from "./casing.ts";

const document = JSON.parse(readFileSync(join(import.meta.dirname, "../../../docs/openapi.json"), "utf8"));

/** Every schema in the document, however deep, with the name of the member that it describes. */
function* schemasIn(value: unknown, member = ""): Generator<{ member: string; schema: Record<string, unknown> }> {
  if (Array.isArray(value)) for (const item of value) yield* schemasIn(item, member);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return;
  const schema = value as Record<string, unknown>;
  yield { member, schema };
  for (const [key, inner] of Object.entries(schema)) {
    if (key === "properties")
      for (const [name, property] of Object.entries(inner as object)) yield* schemasIn(property, name);
    else if (!key.startsWith("example")) yield* schemasIn(inner, key === "items" || key === "anyOf" ? member : "");
  }
}

const wireNames = new Set(
  [...schemasIn(document)].flatMap(({ schema }) =>
    typeof schema["properties"] === "object" ? Object.keys(schema["properties"] as object) : [],
  ),
);

test("every documented name survives camelCase and back", () => {
  expect(wireNames.size).toBeGreaterThan(300);
  const snake = [...wireNames].filter((name) => name.includes("_"));
  expect(snake.filter((name) => toSnake(toCamel(name)) !== name)).toEqual([]);
  expect([...wireNames].filter((name) => /_/.test(toCamel(name)))).toEqual([]);
});

test("no two names of one record become the same", () => {
  for (const { schema } of schemasIn(document)) {
    const names = Object.keys((schema["properties"] as object | undefined) ?? {});
    expect(new Set(names.map(toCamel)).size, names.join()).toBe(names.length);
  }
});

test("leaves alone exactly what the document leaves to the caller", () => {
  const free = [...schemasIn(document)].filter(({ schema }) => typeof schema["additionalProperties"] === "object");
  expect(new Set(free.map(({ member }) => member))).toEqual(freeForm);
});

test("changes keys at every depth and no value", () => {
  const wire = { daas_user: { first_name: "to_repay" }, schedules: [{ due_date: null, amount_due: 44_800.5 }] };
  const camel = { daasUser: { firstName: "to_repay" }, schedules: [{ dueDate: null, amountDue: 44_800.5 }] };
  expect(camelKeys(wire)).toEqual(camel);
  expect(snakeKeys(camel)).toEqual(wire);
});

test("keeps the caller's own keys in both directions", () => {
  const record = { metadata: { order_id: "1", orderId: "2", "Kebab-Key": null } };
  expect(camelKeys(record)).toEqual(record);
  expect(snakeKeys(record)).toEqual(record);
});

test("a Date is a value", () => {
  const now = new Date();
  expect(snakeKeys({ dateOfBirth: now })).toEqual({ date_of_birth: now });
});

test("a key called __proto__ reaches nobody's prototype", () => {
  const camel = camelKeys(JSON.parse('{"__proto__":{"is_admin":true}}'));
  expect(Object.getPrototypeOf(camel)).toBe(Object.prototype);
  expect((camel as { isAdmin?: boolean }).isAdmin).toBeUndefined();
});
