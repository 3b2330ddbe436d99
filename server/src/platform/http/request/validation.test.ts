import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { Problem } from "../../problem.ts";
import { AtLeastOneOf, ExactlyOneOf, NairaNumber, NairaString, Nullable, OneOf, Timestamp, Uuid } from "../wire.ts";
import { compileCheck } from "./validation.ts";

const Transfer = Type.Object({
  accountNumber: Type.String({ pattern: "^\\d{10}$", description: "ten digits" }),
  amount: NairaNumber,
  note: Type.Optional(Nullable(Type.String({ maxLength: 3 }))),
});
const Body = Type.Object({
  id: Type.Optional(Uuid),
  at: Type.Optional(Timestamp),
  currency: Type.Optional(OneOf(["NGN", "USD"])),
  mode: Type.Optional(Type.Union([Type.Literal("a"), Type.Literal("b")])),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  transfers: Type.Array(Transfer, { minItems: 1, maxItems: 3 }),
});
const check = compileCheck(Body, "body");
const good = { accountNumber: "0123456789", amount: 10.25 };

function complaintsOf(value: unknown, judge = check): Record<string, string> {
  try {
    judge(value);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    expect(error.code).toBe("validation_failed");
    return Object.fromEntries(error.errors.map(({ field, message }) => [field, message]));
  }
  return {};
}

describe("a choice between fields", () => {
  const fields = Type.Object({ days: Type.Optional(Type.Integer()), to: Type.Optional(Type.String()) });

  test.each([[{}], [{ days: 1, to: "x" }]])("of exactly one is told at each of them: %j", (body) => {
    const message = "give exactly one of days and to";
    const one = compileCheck(ExactlyOneOf(fields, ["days", "to"]), "body");
    expect(complaintsOf(body, one)).toEqual({ days: message, to: message });
    expect(complaintsOf({ days: 1 }, one)).toEqual({});
  });

  test("of at least one is told at the first, together with everything else", () => {
    const some = compileCheck(
      AtLeastOneOf(Type.Object({ ...fields.properties, no: Type.Number() }), ["days", "to"]),
      "body",
    );
    expect(complaintsOf({}, some)).toEqual({ no: "is required", days: "or to is required" });
    expect(complaintsOf({ no: 1, days: 1, to: "x" }, some)).toEqual({});
  });

  test("does not hide what is wrong with a field that was chosen", () => {
    const one = compileCheck(ExactlyOneOf(fields, ["days", "to"]), "body");
    expect(complaintsOf({ days: "x" }, one)).toEqual({ days: "must be a whole number" });
  });
});

describe("a body", () => {
  test("that fits passes, unknown fields and all", () => {
    expect(complaintsOf({ transfers: [good], unknown: { anything: 1 } })).toEqual({});
  });

  test("is told every bad field at once, by its path", () => {
    const body = { count: 0, currency: "EUR", transfers: [good, { accountNumber: "1", amount: "5", note: "long" }] };
    expect(complaintsOf(body)).toEqual({
      count: "must be at least 1",
      currency: "must be one of NGN, USD",
      "transfers[1].accountNumber": "does not have the expected form: ten digits",
      "transfers[1].amount": "must be a number",
      "transfers[1].note": "must have at most 3 characters",
    });
  });

  test.each([
    [{}, { transfers: "is required" }],
    [{ transfers: [{ amount: 1 }] }, { "transfers[0].accountNumber": "is required" }],
    [{ transfers: [] }, { transfers: "must have at least 1 item" }],
    [{ transfers: [good], mode: "c" }, { mode: "must be one of a, b" }],
    [{ transfers: [good], count: "5" }, { count: "must be a whole number" }],
    [{ transfers: [good], count: 1.5 }, { count: "must be a whole number" }],
    [{ transfers: [good], id: "x" }, { id: "must be a UUID" }],
    [{ transfers: [good], at: "yesterday" }, { at: "must be an ISO 8601 timestamp such as 2026-11-01T08:30:00.000Z" }],
    [{ transfers: [{ ...good, note: 5 }] }, { "transfers[0].note": "must be a string or null" }],
    [[], { body: "must be an object" }],
    [null, { body: "must be an object" }],
    ["text", { body: "must be an object" }],
  ])("%j is refused with %j", (body, complaints) => {
    expect(complaintsOf(body)).toEqual(complaints);
  });

  test.each([0.01, 10, 10.5, 10.55, 99_999_999.99])("the amount %d is taken", (amount) => {
    expect(complaintsOf({ transfers: [{ ...good, amount }] })).toEqual({});
  });

  test.each([0.001, 10.555, 1e21, 1e-7])("the amount %d is refused, not rounded", (amount) => {
    expect(complaintsOf({ transfers: [{ ...good, amount }] })).toEqual({
      "transfers[0].amount": "must be an amount in naira with at most two decimals",
    });
  });

  test("with a list of a million wrong items is refused quickly and with a bounded answer", () => {
    const complaints = complaintsOf({ transfers: Array.from({ length: 1_000_000 }, () => 0) });
    expect(complaints["transfers"]).toBe("must have at most 3 items");
    expect(Object.keys(complaints)).toHaveLength(100);
  });
});

test.each([
  ["50000.00", true],
  ["-0.05", true],
  ["50000", false],
  ["50000.0", false],
  ["5e4", false],
  [50_000, false],
])("the decimal amount %j fits: %j", (amount, fits) => {
  const judge = compileCheck(Type.Object({ amount: NairaString }), "body");
  expect(Object.keys(complaintsOf({ amount }, judge))).toEqual(fits ? [] : ["amount"]);
});

describe("a query string", () => {
  const page = compileCheck(Type.Object({ page: Type.Integer({ minimum: 1, default: 1 }) }), "query");

  test("is converted to numbers, and what is missing gets its default", () => {
    const given = { page: "3" };
    page(given);
    expect(given).toEqual({ page: 3 });
    const empty = {};
    page(empty);
    expect(empty).toEqual({ page: 1 });
  });

  test.each(["-1", "0", "1.5", "", "one", ["1", "2"]])("refuses page=%j", (given) => {
    expect(Object.keys(complaintsOf({ page: given }, page))).toEqual(["page"]);
  });
});
