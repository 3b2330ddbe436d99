import { describe, expect, test } from "vitest";
import { parseJsonBody } from "./json-body.ts";
import { Problem } from "./problem.ts";

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
