/** What a caller reads when a field is wrong: one plain sentence a field, at the field that is meant. */
import fc from "fast-check";
import { type TSchema, Type } from "typebox";
import { describe, expect, test } from "vitest";
import { type Complaints, complaintsOf } from "../../../../testing/platform/complaints.ts";
import { AtLeastOneOf, Email, ExactlyOneOf, Id, IdParams, NairaNumber, Nullable, OneOf, readNaira } from "../wire.ts";
import { compileFind, compileTest } from "./validation.ts";

/** The sentence about one field. */
const about = (schema: TSchema, value: unknown) =>
  complaintsOf(Type.Object({ field: schema }))({ field: value })["field"] ?? "";

describe("the sentence of a field", () => {
  test.each<[TSchema, unknown, string]>([
    [Type.String(), 5, "must be a string"],
    [Type.Integer(), "5", "must be a whole number"],
    [Type.Integer(), 5.5, "must be a whole number"],
    [Type.Number(), "5", "must be a number"],
    [Type.Boolean(), "true", "must be a boolean"],
    [Type.Array(Type.String()), {}, "must be an array"],
    [Type.Object({}), [], "must be an object"],
    [Nullable(Type.Integer()), "x", "must be a whole number or null"],
    [Type.String({ minLength: 1 }), "", "must have at least 1 character"],
    [Type.String({ minLength: 2 }), "", "must have at least 2 characters"],
    [Type.String({ maxLength: 1 }), "ab", "must have at most 1 character"],
    [Type.Array(Type.Any(), { minItems: 1 }), [], "must have at least 1 item"],
    [Type.Array(Type.Any(), { maxItems: 2 }), [1, 2, 3], "must have at most 2 items"],
    [Type.Array(Type.Any(), { uniqueItems: true }), [1, 1], "must not repeat an item"],
    [Type.Object({}, { minProperties: 1 }), {}, "must have at least 1 field"],
    [Type.Object({}, { maxProperties: 1 }), { a: 1, b: 2 }, "must have at most 1 field"],
    [Type.Object({}, { additionalProperties: false }), { extra: 1 }, "must not have the field extra"],
    [Type.Number({ minimum: 1 }), 0, "must be at least 1"],
    [Type.Number({ maximum: 1 }), 2, "must be at most 1"],
    [Type.Number({ exclusiveMinimum: 0 }), 0, "must be more than 0"],
    [Type.Number({ exclusiveMaximum: 10 }), 10, "must be less than 10"],
    [Type.Integer({ multipleOf: 5 }), 7, "must be a multiple of 5"],
    [Type.String({ pattern: "^a$" }), "b", "does not have the expected form"],
    [Type.String({ pattern: "^a$", description: "An a." }), "b", "does not have the expected form: An a."],
    [Type.Literal("yes"), "no", 'must be "yes"'],
    [OneOf(["a", "b"]), "c", "must be one of a, b"],
    [Type.Union([Type.String(), Type.Integer()]), true, "must be a string or a whole number"],
  ])("says in plain words what it must be: case %#", (schema, value, sentence) => {
    expect(about(schema, value)).toBe(sentence);
  });

  test.each([
    ["uuid", "must be a UUID"],
    ["email", "must be an e-mail address"],
    ["date-time", "must be an ISO 8601 timestamp such as 2026-11-01T08:30:00.000Z"],
    ["date", "must be a date such as 2026-11-01"],
    ["uri", "must be a web address"],
    ["phone", "must be a Nigerian mobile number such as 08031234567"],
    ["latitude", "must be degrees as a decimal number, -90 to 90"],
    ["longitude", "must be degrees as a decimal number, -180 to 180"],
    ["moment", "must be a moment such as 2026-11-01T08:00:00Z or a date such as 2026-11-01"],
  ])("of the form %s says what such a thing looks like", (format, sentence) => {
    expect(about(Type.String({ format }), "…")).toBe(sentence);
  });

  test.each([
    ["latitude", "90", true],
    ["latitude", "-90.0", true],
    ["latitude", "90.000001", false],
    ["latitude", "6,52", false],
    ["latitude", "1e1", false],
    ["latitude", " 6", false],
    ["longitude", "180", true],
    ["longitude", "-180.5", false],
    ["longitude", "3.3792", true],
    ["longitude", "", false],
  ])("of the form %s takes %j: %s", (format, text, fits) => {
    expect(about(Type.String({ format }), text) === "").toBe(fits);
  });

  test.each([
    ["2026-11-01T08:30:00.000Z", true],
    ["2026-11-01T08:30:00Z", true],
    ["2026-11-01t08:30:00z", true],
    ["2026-11-01T09:30:00.5+01:00", true],
    ["2026-11-01T08:30:00.123456789Z", true],
    ["2026-11-01T08:30:00", false],
    ["2026-11-01", false],
    ["2026-11-01T24:00:00Z", false],
    ["2026-02-30T08:30:00Z", false],
    ["2026-12-31T23:59:60Z", false],
    ["2026-11-01T08:30:00+01", false],
    ["0000-01-01T00:00:00Z", false],
    ["2026-11-01T08:30:00Z[Africa/Lagos]", false],
  ])("of the form date-time takes %s: %s", (text, fits) => {
    expect(about(Type.String({ format: "date-time" }), text) === "").toBe(fits);
    // Whatever is taken is read as that moment, by everybody who reads it.
    if (fits) expect(new Date(text).getTime()).toBe(Temporal.Instant.from(text).epochMilliseconds);
  });

  test("is the first that was found: a field is never told two things", () => {
    const both = Type.String({ minLength: 3, pattern: "^b" });
    expect(compileFind(Type.Object({ field: both }), "body")({ field: "a" })).toHaveLength(1);
  });
});

describe("the name of a field", () => {
  const deep = Type.Object({ list: Type.Array(Type.Object({ inner: Type.Object({ leaf: Type.String() }) })) });
  const complaints = complaintsOf(deep);

  test("is its path as a program would write it", () => {
    expect(complaints({ list: [{ inner: { leaf: "x" } }, { inner: { leaf: 5 } }] })).toEqual({
      "list[1].inner.leaf": "must be a string",
    });
    expect(complaints({ list: [{ inner: {} }] })).toEqual({ "list[0].inner.leaf": "is required" });
    expect(complaints({ list: [{}, 5] })).toEqual({ "list[0].inner": "is required", "list[1]": "must be an object" });
  });

  test.each([["text"], [5], [null], [[]], [true]])("is body where there are no fields: %j", (body) => {
    expect(complaints(body)).toEqual({ body: "must be an object" });
  });

  test.each(["a/b", "a~b", "~1", "ọ̀rẹ́"])("is %j though a pointer writes it otherwise", (name) => {
    const odd = complaintsOf(Type.Object({ [name]: Type.String() }));
    expect(odd({ [name]: 5 })).toEqual({ [name]: "must be a string" });
  });

  test("in a choice inside of a field has that field before it", () => {
    const choice = Type.Object({ a: Type.Optional(Type.Integer()), b: Type.Optional(Type.Integer()) });
    const one = complaintsOf(Type.Object({ in: ExactlyOneOf(choice, ["a", "b"]) }));
    expect(one({ in: {} })).toEqual({
      "in.a": "give exactly one of a and b",
      "in.b": "give exactly one of a and b",
    });
    const some = complaintsOf(Type.Object({ in: AtLeastOneOf(choice, ["a", "b"]) }));
    expect(some({ in: {} })).toEqual({ "in.a": "or b is required" });
  });
});

describe("a choice between forms", () => {
  const either = Type.Object({
    at: Type.Union([Type.String({ minLength: 3 }), Type.Object({ day: Type.Integer() })]),
  });
  const complaints: Complaints = complaintsOf(either);

  test("tells what is wrong with the form that was meant", () => {
    expect(complaints({ at: "x" })).toEqual({ at: "must have at least 3 characters" });
    expect(complaints({ at: { day: "x" } })).toEqual({ "at.day": "must be a whole number" });
    expect(complaints({ at: {} })).toEqual({ "at.day": "is required" });
  });

  test("names the forms where none was meant", () => {
    expect(complaints({ at: 5 })).toEqual({ at: "must be a string or an object" });
  });
});

describe("any body at all", () => {
  const schema = Type.Object({
    name: Type.String({ maxLength: 5 }),
    count: Type.Optional(Type.Integer({ minimum: 0 })),
    parts: Type.Optional(Type.Array(Type.Object({ id: Type.String() }), { maxItems: 3 })),
  });
  const find = compileFind(schema, "body");

  test("gets a bounded answer in whole sentences, and never breaks the judge", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        const errors = find(structuredClone(body));
        expect(errors.length).toBeLessThanOrEqual(100);
        for (const { field, message } of errors) {
          expect(field).not.toBe("");
          expect(message).toMatch(/^(must|is|does) /);
        }
        expect(new Set(errors.map(({ field }) => field)).size).toBe(errors.length);
      }),
    );
  });

  test("of the prototype's names is judged like any other", () => {
    expect(find(JSON.parse('{"__proto__": {"name": "x"}}'))).toEqual([{ field: "name", message: "is required" }]);
    expect(find({ constructor: 1, name: "x" })).toEqual([]);
  });
});

describe("words of the wire", () => {
  const id = "01930B6E-7C5A-7E51-9A51-2F6F1F0F7B11";

  test("have an id in one form, and leave alone what is none", () => {
    const find = compileFind(Type.Object({ id: Id("Which.") }), "body");
    const given = { id };
    expect(find(given)).toEqual([]);
    expect(given.id).toBe(id.toLowerCase());
    const other = { id: "Not-An-Id" };
    expect(find(other)).toEqual([]);
    expect(other.id).toBe("Not-An-Id");
  });

  test("in a path are an id or nothing that is here", () => {
    const fits = compileTest(IdParams);
    const params = { id };
    expect([fits(params), params.id]).toEqual([true, id.toLowerCase()]);
    for (const text of ["", "1", `${id}x`, "..", "%00"]) expect(fits({ id: text }), text).toBe(false);
  });

  test("have amounts that are read exactly, and nothing that is none", () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), (kobo) => {
        expect(about(NairaNumber, kobo / 100)).toBe("");
        expect(readNaira(kobo / 100)).toBe(BigInt(kobo));
      }),
    );
    for (const amount of [0.001, 1e-9, 1e300]) {
      expect(about(NairaNumber, amount)).toContain("naira");
      expect(() => readNaira(amount)).toThrow("cannot be read");
    }
  });

  test.each([
    ["ada@example.com", true],
    ["ada+shop@mail.example.ng", true],
    ["ada@@example.com", false],
    ["ada@exa mple.com", false],
    [`${"a".repeat(320)}@example.com`, false],
  ])("take the e-mail address %s: %s", (email, fits) => {
    expect(about(Email, email) === "").toBe(fits);
  });
});
