/** Schemas as TypeScript types: what callers send may be looser than what they get. */
import { expect, test } from "vitest";
import type { OpenApi, Schema } from "./openapi.ts";
import { bodyOf, known, operationsOf, parametersOf, refName, replyOf, successOf } from "./openapi.ts";
import { createTypeWriter, inputName } from "./type-writer.ts";

const schemas: Record<string, Schema> = {
  Naira: { type: "number", format: "naira" },
  Id: { type: "string" },
  Gift: {
    type: "object",
    description: "A gift with its due_date.",
    required: ["gift_code", "amount", "currency"],
    properties: {
      gift_code: { type: "string", description: "Shown once." },
      amount: { $ref: "#/components/schemas/Naira" },
      currency: { type: "string", enum: ["NGN"] },
      due_date: { type: "string", format: "date-time" },
    },
  },
  State: { type: "string", enum: ["open", "gone"] },
  GiftChange: { type: "object", properties: { note: { type: ["string", "null"] } } },
};
const document: OpenApi = {
  paths: {},
  webhooks: {},
  components: { schemas, responses: {}, parameters: {} },
};
const writer = createTypeWriter(document);

test.each<[Schema, string, string]>([
  [{ type: "string" }, "string", "string"],
  [{ type: "integer" }, "number", "number"],
  [{ type: "boolean" }, "boolean", "boolean"],
  [{ type: ["string", "null"] }, "string | null", "string | null"],
  [{ type: "string", format: "date-time" }, "string | Date", "string"],
  [{ type: "string", format: "moment" }, "string | Date", "string"],
  [{ type: "number", format: "naira" }, "Amount", "number"],
  [{ anyOf: [{ type: "number", format: "naira" }, { type: "null" }] }, "Amount", "number | null"],
  [{ const: "gift_gone" }, '"gift_gone"', '"gift_gone"'],
  [{ type: "string", enum: ["a", "b"] }, '"a" | "b"', '"a" | "b"'],
  [{ type: "array", items: { type: "string" } }, "string[]", "string[]"],
  [{ type: "array", items: { type: ["string", "null"] } }, "(string | null)[]", "(string | null)[]"],
  [{ type: "array", items: { type: "string", "x-event": true } }, '(EventName | "*")[]', '(EventName | "*")[]'],
  [{ type: "object", additionalProperties: { type: "string" } }, "Record<string, string>", "Record<string, string>"],
  [{ type: "object" }, "Record<string, unknown>", "Record<string, unknown>"],
  [{ $ref: "#/components/schemas/Id" }, "string", "string"],
  [{ $ref: "#/components/schemas/Naira" }, "Amount", "number"],
  [{ $ref: "#/components/schemas/State" }, "State", "State"],
  [{ $ref: "#/components/schemas/Gift" }, "NewGift", "Gift"],
  [{ $ref: "#/components/schemas/GiftChange" }, "GiftChange", "GiftChange"],
  [{ anyOf: [{ type: "string" }, { type: "string" }, { type: "null" }] }, "string | null", "string | null"],
  [{ anyOf: [{ $ref: "#/components/schemas/Gift" }, { type: "object", properties: {} }] }, "NewGift", "Gift"],
])("%j is sent as %s and comes as %s", (schema, sent, comes) => {
  expect(writer.typeOf(schema, "in")).toBe(sent);
  expect(writer.typeOf(schema, "out")).toBe(comes);
});

test("an object is written member by member, in camelCase, one step further in", () => {
  const schema: Schema = {
    type: "object",
    required: ["a_b"],
    properties: { a_b: { type: "string" }, c: { type: "null" } },
  };
  expect(writer.typeOf(schema, "out", "  ")).toBe("{\n    aB: string;\n    c?: null;\n  }");
});

test("a record that comes back says exactly what is always there", () => {
  expect(writer.declare("Gift", known(schemas, "Gift"), "out")).toBe(
    [
      "/** A gift with its dueDate. */",
      "export interface Gift {",
      "  /** Shown once. */",
      "  giftCode: string;",
      "  amount: number;",
      '  currency: "NGN";',
      "  dueDate?: string;",
      "}",
      "",
    ].join("\n"),
  );
});

test("in one that is sent, what has only one value may be left out, and so may undefined be given", () => {
  const text = writer.declare("NewGift", known(schemas, "Gift"), "in");
  expect(text).toContain('  currency?: "NGN" | undefined;');
  expect(text).toContain("  dueDate?: string | Date | undefined;");
  expect(text).toContain("  amount: Amount;");
});

test("what is no object is a type", () => {
  expect(writer.declare("State", known(schemas, "State"), "out")).toBe('export type State = "open" | "gone";\n');
});

test.each([
  [undefined, ""],
  ["", ""],
  ["One line.", "  /** One line. */\n"],
  ["Two\n\nlines.", "  /**\n   * Two\n   *\n   * lines.\n   */\n"],
  ["It ends */ early.", "  /** It ends * / early. */\n"],
  ["Both gift_code and not_known.", "  /** Both giftCode and not_known. */\n"],
])("the comment %j is written as %j", (text, written) => {
  expect(writer.comment(text, "  ")).toBe(written);
});

test.each([
  ["Gift", "in", "NewGift"],
  ["Gift", "out", "Gift"],
  ["GiftChange", "in", "GiftChange"],
  ["State", "in", "State"],
] as const)("a %s that goes %s is called %s", (name, direction, called) => {
  expect(inputName(schemas, name, direction)).toBe(called);
});

const operation = {
  operationId: "giveGift",
  parameters: [
    { name: "id", in: "path" as const, schema: { type: "string" } },
    { $ref: "#/components/parameters/Page", name: "", in: "query" as const, schema: {} },
  ],
  requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Gift" } } } },
  responses: {
    409: { content: { "application/json": { schema: { type: "object" } } } },
    201: { $ref: "#/components/responses/Given" },
  },
};
const whole: OpenApi = {
  ...document,
  paths: { "/gifts/{id}": { post: operation, get: { ...operation, operationId: "getGift" } } },
  components: {
    schemas,
    parameters: { Page: { name: "page", in: "query", schema: { type: "integer" } } },
    responses: { Given: { content: { "application/json": { schema: { type: "string" } } } } },
  },
};

test("operations are named as the SDK names them", () => {
  expect(operationsOf(whole).map(({ name }) => name)).toEqual(["POST /gifts/{id}", "GET /gifts/{id}"]);
});

test("parameters are found by their place, also those that stand elsewhere", () => {
  expect(parametersOf(whole, operation, "query").map(({ name }) => name)).toEqual(["page"]);
  expect(parametersOf(whole, operation, "path").map(({ name }) => name)).toEqual(["id"]);
});

test("success is the reply of the two hundreds, wherever it is written", () => {
  expect(successOf(whole, operation)).toEqual({ type: "string" });
  expect(replyOf(whole, { $ref: "#/components/responses/Given" }).content).toBeDefined();
  expect(bodyOf(operation)).toEqual({ $ref: "#/components/schemas/Gift" });
});

test("an operation without success, and a name that is not there, are mistakes of the document", () => {
  expect(() => successOf(whole, { ...operation, responses: {} })).toThrow("giveGift documents no success in JSON");
  expect(() => known(schemas, refName("#/components/schemas/Gone"))).toThrow("refers to Gone, which it does not have");
});
