import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Problem } from "../../problem.ts";
import { isStorableText, parseJsonBody } from "./json-body.ts";

const mostValues = 1_000;
const parse = (text: string): unknown => parseJsonBody(Buffer.from(text), mostValues);

function refusalOf(text: string | Buffer): Problem {
  try {
    parseJsonBody(Buffer.from(text), mostValues);
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

  test("may be nested in 32 levels and no more, however long it is", () => {
    const nested = (levels: number) => '{"a":['.repeat(levels / 2) + "]}".repeat(levels / 2);
    expect(parse(nested(32))).toBeDefined();
    for (const text of [nested(34), "[".repeat(500_000), `${"[".repeat(33)}${"]".repeat(33)}`]) {
      expect(refusalOf(text)).toMatchObject({ code: "body_too_large", message: expect.stringContaining("32 levels") });
    }
    expect(() => parse(`[${"[[]],".repeat(20)}0]`)).not.toThrow();
  });

  test.each([
    (count: number) => `[${"0,".repeat(count - 1)}0]`,
    (count: number) => `[${"[],".repeat(count / 2 - 1)}[]]`,
    (count: number) => `{${'"a":0,'.repeat(count / 2 - 1)}"a":0}`,
    (count: number) => `[${'"a,{[",'.repeat(count - 1)}"a,{["]`,
  ])("may have so many values and no more: %s", (textOf) => {
    expect(() => parse(textOf(mostValues))).not.toThrow();
    expect(refusalOf(textOf(mostValues + 2))).toMatchObject({
      code: "body_too_large",
      message: /1,000 names and values/,
    });
  });

  test("names a place by names that fit into a reply", () => {
    const key = "k".repeat(200_000);
    const fields = refusalOf(`{"${key}":[${Array(200).fill('"\\u0000"').join()}]}`).errors.map(({ field }) => field);
    expect(fields).toHaveLength(100);
    expect(fields[1]).toBe(`${"k".repeat(100)}…[1]`);
  });
});

describe("any text", () => {
  const number = fc.stringMatching(/^-?(0|[1-9][0-9]{0,24})(\.[0-9]{1,24})?([eE][-+]?[0-9]{1,3})?$/);

  test("of a number is taken when its double is the same number, and only then", () => {
    fc.assert(
      fc.property(number, (text) => {
        const [read, sent] = [Number(text), fractionOf(text)];
        const isKept = Number.isFinite(read) && sent === fractionOf(String(read));
        if (isKept) expect(parse(`{"a":${text}}`)).toEqual({ a: read });
        else expect(refusalOf(`{"a":${text}}`).errors.map(({ field }) => field)).toEqual(["a"]);
      }),
    );
  });

  test("that is JSON is read as the parser reads it, and what cannot be stored is named where it stands", () => {
    const text = fc.string({ unit: fc.oneof(fc.constantFrom("\0", "\ud800", "\udc00", '"', "\\", "/"), fc.string()) });
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, text, fc.integer(), fc.boolean(), tie("list"), tie("map")),
      list: fc.array(tie("value"), { maxLength: 4 }),
      map: fc.dictionary(text, tie("value"), { maxKeys: 4, noNullPrototype: true }),
    }));
    fc.assert(
      fc.property(value, fc.constantFrom(0, 2), (made, indent) => {
        const expected = unstorableIn(made, "");
        const written = JSON.stringify(made, null, indent);
        if (expected.length === 0) expect(parse(written)).toEqual(JSON.parse(written));
        else
          expect(
            refusalOf(written)
              .errors.map(({ field }) => field)
              .sort(),
          ).toEqual([...new Set(expected)].sort());
      }),
    );
  });
});

/** A number as a fraction of whole numbers, reduced: written in whatever way, it is the same. */
function fractionOf(text: string): string {
  const [, sign = "", whole = "", part = "", power = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(text) ?? [];
  const digits = BigInt(whole + part);
  if (digits === 0n) return "0";
  const shift = Number(power) - part.length;
  let [above, below] = shift < 0 ? [digits, 10n ** BigInt(-shift)] : [digits * 10n ** BigInt(shift), 1n];
  for (let [left, right] = [above, below]; ; [left, right] = [right, left % right]) {
    if (right !== 0n) continue;
    [above, below] = [above / left, below / left];
    return `${sign}${above}/${below}`;
  }
}

function unstorableIn(value: unknown, place: string): string[] {
  if (typeof value === "string") return isStorableText(value) ? [] : [place === "" ? "body" : place];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const name = key.toWellFormed().replaceAll("\0", "\ufffd");
    const inside = Array.isArray(value) ? `${place}[${key}]` : place === "" ? name : `${place}.${name}`;
    return [...(Array.isArray(value) || isStorableText(key) ? [] : [inside || "body"]), ...unstorableIn(inner, inside)];
  });
}
