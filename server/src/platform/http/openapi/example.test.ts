/** Examples that fit the schemas they are made of, and names that are written one way. */
import fc from "fast-check";
import { type TSchema, Type } from "typebox";
import { describe, expect, test } from "vitest";
import { complaintsOf } from "../../../../testing/platform/complaints.ts";
import { AtLeastOneOf, ExactlyOneOf, NairaNumber, Nullable, OneOf, Timestamp, Uuid } from "../wire.ts";
import { createComponents } from "./components.ts";
import { exampleOf, requestExampleOf } from "./example.ts";
import { lowerCamel, pascal } from "./words.ts";

describe("an example", () => {
  test.each<[TSchema, unknown]>([
    [Type.String(), "text"],
    [Type.String({ format: "date-time" }), "2026-11-01T08:30:00.000Z"],
    [Type.String({ format: "date" }), "2026-11-01"],
    [Type.String({ format: "uri" }), "https://example.com/jara"],
    [Type.String({ examples: ["given", "other"] }), "given"],
    [Type.String({ default: "usual" }), "usual"],
    [Type.Integer(), 1],
    [Type.Integer({ minimum: 8 }), 8],
    [Type.Integer({ minimum: 0 }), 0],
    [Type.Boolean(), true],
    [Type.Literal("yes"), "yes"],
    [OneOf(["first", "second"]), "first"],
    [Type.Union([Type.Literal("a"), Type.Literal("b")]), "a"],
    [Type.Array(Type.Integer()), [1]],
    [Type.Null(), null],
    [Nullable(Type.Integer({ minimum: 3 })), 3],
    [Type.Object({ a: Type.Integer(), b: Type.Optional(Type.String()) }), { a: 1, b: "text" }],
    [Type.Object({}, { examples: [{ whole: true }] }), { whole: true }],
  ])("is plausible for its schema: case %#", (schema, example) => {
    expect(exampleOf(schema)).toEqual(example);
  });

  test.each([null, undefined, "text", 5, [], [Type.String()]])("of %j, which is no schema, is null", (thing) => {
    expect(exampleOf(thing)).toBeNull();
  });

  test("may be null itself, or false, or nothing: what is given goes before everything else", () => {
    expect(exampleOf(Nullable(Type.String({ examples: [null] })))).toBeNull();
    expect(exampleOf(Type.Boolean({ examples: [false] }))).toBe(false);
    expect(exampleOf(Type.Integer({ default: 0 }))).toBe(0);
    expect(exampleOf(Type.String({ examples: [] }))).toBe("text");
  });

  test("fits its schema, however schemas are put together", () => {
    const leaf = fc.constantFrom<TSchema>(
      Type.String(),
      Type.Integer({ minimum: 4 }),
      Type.Boolean(),
      NairaNumber,
      Timestamp,
      Uuid,
      OneOf(["a", "b"]),
      Nullable(Type.String()),
      Type.Literal(7),
    );
    const { schema } = fc.letrec<{ schema: TSchema }>((tie) => ({
      schema: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        leaf,
        tie("schema").map((items) => Type.Array(items, { minItems: 1 })),
        fc
          .dictionary(fc.stringMatching(/^[a-z]{1,6}$/), tie("schema"), { maxKeys: 4 })
          .map((properties) => Type.Object(properties)),
      ),
    }));
    fc.assert(
      fc.property(schema, (one) => {
        const wrapped = Type.Object({ field: one });
        expect(complaintsOf(wrapped)({ field: exampleOf(one) })).toEqual({});
        expect(complaintsOf(wrapped)(requestExampleOf(wrapped))).toEqual({});
      }),
      { numRuns: 40 },
    );
  });
});

describe("the example of a request", () => {
  const fields = Type.Object({
    needed: Type.String(),
    left: Type.Optional(Type.String()),
    inner: Type.Object({ needed: Type.Integer(), left: Type.Optional(Type.Integer()) }),
  });

  test("has what is needed and nothing more, at every depth", () => {
    expect(requestExampleOf(fields)).toEqual({ needed: "text", inner: { needed: 1 } });
  });

  test("has the first of several ways to send it", () => {
    const choice = Type.Object({ days: Type.Optional(Type.Integer()), to: Type.Optional(Type.String()) });
    expect(requestExampleOf(ExactlyOneOf(choice, ["days", "to"]))).toEqual({ days: 1 });
    expect(requestExampleOf(AtLeastOneOf(choice, ["to", "days"]))).toEqual({ to: "text" });
  });

  test("has what a condition asks for, and is the schema's own where it has one", () => {
    const conditional = Type.Object(
      { type: OneOf(["change", "renew"]), code: Type.Optional(Type.String()) },
      // biome-ignore lint/suspicious/noThenProperty: JSON Schema names it so.
      { if: {}, then: { required: ["code"] } },
    );
    expect(requestExampleOf(conditional)).toEqual({ type: "change", code: "text" });
    expect(requestExampleOf({ ...fields, examples: [{ own: 1 }] })).toEqual({ own: 1 });
    expect(requestExampleOf(Type.Array(Type.Integer()))).toEqual([1]);
  });
});

describe("names in the document", () => {
  test.each([
    ["reference_conflict", "ReferenceConflict"],
    ["Idempotency-Key", "IdempotencyKey"],
    ["page", "Page"],
    ["loanId", "LoanId"],
    ["a_b-c d", "ABCD"],
    ["", ""],
  ])("%j reads %j as a type", (words, name) => {
    expect(pascal(words)).toBe(name);
  });

  test.each([
    ["loan_id", "loanId"],
    ["bank_account_no", "bankAccountNo"],
    ["amount", "amount"],
    ["alreadyCamel", "alreadyCamel"],
    ["line_2", "line_2"],
  ])("%s reads %s as a field", (name, camel) => {
    expect(lowerCamel(name)).toBe(camel);
  });
});

describe("what operations share", () => {
  const ok = { description: "It went well." };

  test("stands once and is referred to where it is offered twice, and where it is where it is not", () => {
    const components = createComponents();
    const [one, other] = [components.response("Ok", ok), components.response("Ok", { ...ok })];
    const alone = components.response("Alone", { description: "Only here." });
    const { responses } = components.finish();
    expect(responses).toEqual({ Ok: ok });
    expect([one, other]).toEqual([{ $ref: "#/components/responses/Ok" }, { $ref: "#/components/responses/Ok" }]);
    expect(alone).toEqual({ description: "Only here." });
  });

  test("may say something of its own beside the reference", () => {
    const components = createComponents();
    const one = components.response("Ok", ok, { summary: "Here." });
    components.response("Ok", ok);
    components.finish();
    expect(one).toEqual({ $ref: "#/components/responses/Ok", summary: "Here." });
  });

  test("of one name in two forms that are both shared is a mistake of ours", () => {
    const components = createComponents();
    for (const description of ["one", "one", "other", "other"]) components.response("Ok", { description });
    expect(() => components.finish()).toThrow("rename one of them");
    const examples = createComponents();
    examples.example("Same", { value: 1 });
    expect(() => examples.example("Same", { value: 2 })).toThrow(
      "two examples of the OpenAPI document have the name Same",
    );
  });

  test("may be an example that is used once, and a response that stands for itself", () => {
    const components = createComponents();
    expect(components.example("One", { value: 1 })).toEqual({ $ref: "#/components/examples/One" });
    components.keepResponse("Kept", ok);
    expect(components.finish()).toMatchObject({ examples: { One: { value: 1 } }, responses: { Kept: ok } });
  });
});
