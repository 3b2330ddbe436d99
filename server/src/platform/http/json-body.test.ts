import { describe, expect, test } from "vitest";
import { Problem } from "../problem.ts";
import { parseJsonBody } from "./json-body.ts";

const parse = (text: string): unknown => parseJsonBody(Buffer.from(text));

function refusalOf(text: string | Buffer): Problem {
  try {
    parseJsonBody(Buffer.from(text));
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error("the body was accepted");
}

describe("a JSON body", () => {
  test("is read as it is", () => {
    expect(parse('{"a":[1,"é \\u00e9",{"b":null}]}')).toEqual({ a: [1, "é é", { b: null }] });
  });

  test("may be absent", () => {
    expect(parse("")).toBeUndefined();
  });

  test("may begin with a byte order mark", () => {
    expect(parse("\ufeff{}")).toEqual({});
  });

  test.each(["{", "[1,]", "nope", "{'a':1}", '{"a":1}x', '"\u0000"'])("that is broken is refused: %j", (text) => {
    expect(refusalOf(text).code).toBe("invalid_json");
  });

  test("that is not UTF-8 is refused", () => {
    expect(refusalOf(Buffer.from([0x22, 0xff, 0x22])).code).toBe("invalid_json");
  });

  test("with a repeated key keeps the last value", () => {
    expect(parse('{"a":1,"a":2}')).toEqual({ a: 2 });
  });

  test.each([
    ['{"note":"a\\u0000b"}', "note"],
    ['{"note":"\\ud800"}', "note"],
    ['{"note":"\\uDC00\\uD800"}', "note"],
    ['{"transfers":[{},{"narration":"x\\u0000"}]}', "transfers[1].narration"],
    ['{"metadata":{"a\\u0000":1}}', "metadata.a\ufffd"],
    ['["\\u0000"]', "[0]"],
    ['"\\u0000"', "body"],
  ])("with text that cannot be stored is refused by field: %s", (text, field) => {
    const refusal = refusalOf(text);
    expect([refusal.code, refusal.errors.map((error) => error.field)]).toEqual(["validation_failed", [field]]);
  });

  test.each([
    ['{"amount":100.10000000000000000001}', "amount"],
    ['{"amount":99.999999999999999999}', "amount"],
    ['{"amount":0.30000000000000004441}', "amount"],
    ['{"amount":-9007199254740993}', "amount"],
    ['{"amount":1.0000000000000000000001e2}', "amount"],
    ['{"amount":0.00000000000000000000000001e-400}', "amount"],
    ['{"amount":10000000000000000e400}', "amount"],
    ['{"transfers":[{},{"amount": 5000.00000000000000001 }]}', "transfers[1].amount"],
    ['{"metadata":{"order":12345678901234567890}}', "metadata.order"],
    ["100.10000000000000000001", "body"],
    [`{"amount":0.${"0".repeat(500_000)}1}`, "amount"],
  ])("with a number that would be rounded is refused by field: %s", (text, field) => {
    const refusal = refusalOf(text);
    expect([refusal.code, refusal.errors.map((error) => error.field)]).toEqual(["validation_failed", [field]]);
  });

  test("with a number that would be rounded is refused wherever it begins", () => {
    for (let before = 0; before < 40; before += 1) {
      const text = `${" ".repeat(before)}{"amount":9007199254740993}`;
      expect(refusalOf(text).errors.map((error) => error.field)).toEqual(["amount"]);
    }
  });

  test.each([
    ['{"a":100.10000000000000000000,"b":1}', { a: 100.1, b: 1 }],
    ['{"a":1.5e3,"b":25E-1,"c":0e0,"d":-0.0e5}', { a: 1500, b: 2.5, c: 0, d: -0 }],
    ['{"a":1000000000000000000000}', { a: 1e21 }],
    ['{"a":0.00000000000000000000,"b":9007199254740991}', { a: 0, b: 9007199254740991 }],
    ['{"a":"100.10000000000000000001","b":"1e400","c":[1e2]}', { a: "100.10000000000000000001", b: "1e400", c: [100] }],
    ['{"id":"0192f0d2-7e12-7abc-8123-123456789012","a":2500.5}', expect.objectContaining({ a: 2500.5 })],
  ])("with many digits, or an exponent, that a number keeps is read: %s", (text, value) => {
    expect(parse(text)).toEqual(value);
  });

  test("names every unusable text, but not more than a hundred", () => {
    const many = JSON.stringify(Array.from({ length: 300 }, () => "\0"));
    expect(refusalOf(many).errors).toHaveLength(100);
    expect(refusalOf('{"a":"\\u0000","b":"\\u0000"}').errors.map((error) => error.field)).toEqual(["a", "b"]);
  });

  test("may hold paired surrogates and an escaped backslash before u0000", () => {
    expect(parse('{"a":"\\ud83d\\ude00","b":"\\\\u0000"}')).toEqual({ a: "😀", b: "\\u0000" });
  });

  test.each([
    '{"__proto__":{"polluted":true},"a":1}',
    '{"\\u005f_proto__":{"polluted":true},"a":1}',
    '{"__pr\\u006fto__":{"polluted":true},"a":1}',
    '{"\\u005F\\u005f\\u0070\\u0072\\u006F\\u0074\\u006f\\u005f\\u005f":{"polluted":true},"a":1}',
    '{"constructor":{"prototype":{"polluted":true}},"a":1}',
    '{"c\\u006fnstructor":{"pr\\u006ftotype":{"polluted":true}},"a":1}',
  ])("loses what would change a prototype: %s", (text) => {
    const value = parse(text);
    expect(value).toEqual({ a: 1 });
    expect(Object.getOwnPropertyNames(value)).toEqual(["a"]);
    expect(Object.assign({}, value)).not.toHaveProperty("polluted");
    const nested = parse(`{"metadata":[${text}]}`);
    expect(nested).toEqual({ metadata: [{ a: 1 }] });
  });

  test.each(['{"constructor":"Julius"}', '{"constructor":{"name":"Ade"}}', '{"prototype":{"a":1}}'])(
    "keeps what only sounds like it: %s",
    (text) => {
      expect(parse(text)).toEqual(JSON.parse(text));
    },
  );

  test("may be nested as deeply as its size allows", () => {
    const depth = 300_000;
    expect(() => parse("[".repeat(depth) + "]".repeat(depth))).not.toThrow();
    const refusal = refusalOf(`${"[".repeat(depth)}"\\u0000"${"]".repeat(depth)}`);
    expect(refusal.errors).toMatchObject([{ field: `${"[0]".repeat(20)}…` }]);
  });
});
