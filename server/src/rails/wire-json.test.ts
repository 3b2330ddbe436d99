import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { koboOf, listAt, nairaOf, parseWireJson, recordAt, textOf } from "./wire-json.ts";

describe("JSON of providers", () => {
  test("keeps ids of 64 bits and amounts with decimals digit by digit", () => {
    const body = parseWireJson(
      '{"id":18446744073709551615,"amount":1000.10,"fees":1e3,"count":7,"in":[9007199254740993]}',
    );
    expect(body).toEqual({
      id: "18446744073709551615",
      amount: "1000.10",
      fees: 1000,
      count: 7,
      in: ["9007199254740993"],
    });
  });

  test("any bytes are JSON or undefined, and never an error", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        parseWireJson(text);
      }),
    );
    expect(parseWireJson("<html>")).toBeUndefined();
  });

  test("finds records and lists, or empty ones", () => {
    fc.assert(
      fc.property(fc.anything(), (body) => {
        expect(recordAt(body, "data", "transfer")).toBeTypeOf("object");
        expect(Array.isArray(listAt(body, "data"))).toBe(true);
      }),
    );
    expect(recordAt({ data: { a: { b: 1 } } }, "data", "a")).toEqual({ b: 1 });
    expect(recordAt({ data: [1] }, "data")).toEqual({});
    expect(listAt({ data: [1] }, "data")).toEqual([1]);
  });
});

test.each([
  [12, "12"],
  ["12", "12"],
  [" ", undefined],
  ["", undefined],
  [null, undefined],
  [true, undefined],
  [{}, undefined],
])("the text of %j is %j", (value, text) => {
  expect(textOf(value)).toBe(text);
});

test.each([
  [5000, 5000n],
  ["5000", 5000n],
  ["0", 0n],
  [-1, undefined],
  ["50.00", undefined],
  ["5,000", undefined],
  ["1e3", undefined],
  [Number.NaN, undefined],
  [null, undefined],
  ["123456789012345678", undefined],
])("%j is %s whole kobo", (value, amount) => {
  expect(koboOf(value)).toBe(amount);
});

test.each([
  [1000, 100_000n],
  ["1000.00", 100_000n],
  ["1000.1", 100_010n],
  ["1000.10", 100_010n],
  ["1000.1000000", 100_010n],
  ["1,000.10", 100_010n],
  ["1000.101", undefined],
  ["1e3", undefined],
  ["-5", undefined],
  ["", undefined],
  [null, undefined],
])("%j naira are %s kobo", (value, amount) => {
  expect(nairaOf(value)).toBe(amount);
});
