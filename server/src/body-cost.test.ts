/**
 * What a body costs the server, whatever is in it: every request waits for the one thread that reads bodies, so a body
 * that takes seconds stops the payouts of everybody. Measured as processor time of a request in this process.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createTestApp } from "../testing/app.ts";
import type { Route } from "./platform/http/route.ts";
import { appRoutes } from "./start/app.ts";

const testing = await createTestApp();
const { app, merchant, operatorToken } = testing;
const megabyte = 1_048_576;
const mostMsPerMegabyte = 50;

interface Sent {
  readonly url: string;
  readonly method?: Route["method"];
  readonly key?: string;
  readonly payload: string;
}

/** The least of five: what else this process has to do at a moment is not the body's doing. */
async function costOf(sent: Sent, bound: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 5 && least > bound; turn += 1) {
    const before = process.cpuUsage();
    const reply = await send(sent);
    const cost = millisecondsSince(before);
    expect(reply.statusCode, sent.url).toBeGreaterThanOrEqual(400);
    expect(reply.statusCode, sent.url).toBeLessThan(500);
    least = Math.min(least, cost <= bound ? cost : cost / paceNow());
  }
  return least;
}

const known = JSON.stringify(Array.from({ length: 20_000 }, (_, a) => ({ a, b: `v${a}`, c: [a, null, true] })));
/** What it took to parse that where the bounds were set. */
const knownMs = 5;

/** A processor that others keep busy does less in a millisecond of its time. */
function paceNow(): number {
  const before = process.cpuUsage();
  JSON.parse(known);
  return Math.max(1, millisecondsSince(before) / knownMs);
}

function millisecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const send = ({ url, method = "POST", key = merchant.secretKey, payload }: Sent) =>
  app.inject({
    method,
    url,
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    payload,
  });

const leaves = {
  zero: () => "0",
  longNumber: () => "1111111111111111",
  roundedNumber: () => "11111111111111111111",
  oddNumber: () => "12345678901234565e-1",
  paddedNumber: () => "100.10000000000000000000",
  exactNumber: () => "0.30000000000000004",
  digits: () => '"1111111111111111"',
  escape: () => '"\\u0061"',
  nul: () => '"\\u0000"',
  surrogate: () => '"\\ud800"',
  longText: () => `"${"a".repeat(2_000)}"`,
  escapes: () => `"${"\\u00e9".repeat(300)}"`,
  quotes: () => `"${'\\"'.repeat(1_000)}"`,
  emptyObject: () => "{}",
  emptyArray: () => "[]",
  prototype: () => '{"__proto__":{}}',
  constructor: () => '{"constructor":{"prototype":{}}}',
  uniqueKey: (index: number) => `{"k${index.toString(36)}":0}`,
  nested: () => `${"[".repeat(20)}${"]".repeat(20)}`,
  item: (index: number) => `{"accountNumber":${index},"bankCode":[],"amount":"x","reference":{},"narration":1}`,
} satisfies Record<string, (index: number) => string>;

const keys = {
  unique: (index: number) => index.toString(36),
  numeric: (index: number) => String(index * 7_919),
  escaped: (index: number) => `\\u0063onstructo${index.toString(36)}`,
  same: () => "a",
  long: (index: number) => `${"k".repeat(400)}${index}`,
} satisfies Record<string, (index: number) => string>;

interface Shape {
  readonly leaf: keyof typeof leaves;
  readonly key: keyof typeof keys | null;
  readonly field: string | null;
}

/** As many of them as the bytes hold, and as many values as are read at all: what has more is refused at once. */
function bodyOf({ leaf, key, field }: Shape, bytes: number, mostValues: number): string {
  const parts: string[] = [];
  const valuesEach = (leaves[leaf](0).match(/[[{,:]/g)?.length ?? 0) + (key === null ? 1 : 2);
  for (let length = 0; parts.length * valuesEach < mostValues - 100; ) {
    const value = leaves[leaf](parts.length);
    const part = key === null ? value : `"${keys[key](parts.length)}":${value}`;
    length += part.length + 1;
    if (length > bytes - 200) break;
    parts.push(part);
  }
  const whole = key === null ? `[${parts.join(",")}]` : `{${parts.join(",")}}`;
  return field === null ? whole : `{"${field}":${whole}}`;
}

const shapes = (fields: readonly (string | null)[]) =>
  fc.record({
    leaf: fc.constantFrom(...(Object.keys(leaves) as Shape["leaf"][])),
    key: fc.constantFrom(null, ...(Object.keys(keys) as (keyof typeof keys)[])),
    field: fc.constantFrom(...fields),
  });

describe("a body of any shape", () => {
  test.each([
    ["of a megabyte", "/transfers", megabyte, 50_000, [null, "metadata", "narration"], 40],
    ["of eight megabytes for a batch", "/transfers/bulk", 8 * megabyte, 200_000, [null, "transfers"], 5],
  ] as const)("%s costs at most 50 ms a megabyte", async (_, url, bytes, mostValues, fields, numRuns) => {
    const bound = (mostMsPerMegabyte * bytes) / megabyte;
    for (const leaf of ["zero", "item"] as const) {
      await send({ url, payload: bodyOf({ leaf, key: null, field: fields[1] }, bytes, mostValues) });
    }
    await fc.assert(
      fc.asyncProperty(shapes(fields), async (shape) => {
        expect(await costOf({ url, payload: bodyOf(shape, bytes, mostValues) }, bound)).toBeLessThan(bound);
      }),
      { numRuns },
    );
  });
});

test("a body with more values than are read is refused before the parser sees it", async () => {
  const payload = `{"x":["\\u0061","1111111111111111",${"0,".repeat(480_000)}0]}`;
  expect((await send({ url: "/transfers", payload })).json().code).toBe("body_too_large");
  expect(await costOf({ url: "/transfers", payload }, mostMsPerMegabyte)).toBeLessThan(mostMsPerMegabyte);
});

const anyId = "01932c5f-1b2c-7d3e-8f40-5a6b7c8d9e0f";

/** A schema as far as this test reads it. */
interface Form {
  readonly type?: unknown;
  readonly items?: Form;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Form>>;
  readonly patternProperties?: Readonly<Record<string, Form>>;
  readonly anyOf?: readonly Form[];
}

const hasMany = ({ items, patternProperties, properties = {}, anyOf = [] }: Form): boolean =>
  items !== undefined || patternProperties !== undefined || [...Object.values(properties), ...anyOf].some(hasMany);

/** Where no schema says how many there may be, as many as are read at all. */
const manyWhereNoneSays = 20_000;

/** The form filled out with every list and map at its most items, and with what is wrong everywhere below a level. */
function fillOut(form: Form, wrong: unknown, level: number, most = manyWhereNoneSays): unknown {
  const { items, maxItems = most, properties, patternProperties, anyOf = [] } = form;
  if (level === 0) return wrong;
  if (items !== undefined) {
    const item = fillOut(items, wrong, level - 1, 10);
    return Array(Math.min(maxItems, most)).fill(item);
  }
  if (patternProperties !== undefined)
    return Object.fromEntries(Array.from({ length: most }, (_, k) => [`k${k}`, wrong]));
  const [branch] = anyOf;
  if (branch !== undefined) return fillOut(branch, wrong, level, most);
  if (properties === undefined) return wrong;
  return Object.fromEntries(
    Object.entries(properties).map(([name, inner]) => [name, fillOut(inner, wrong, level - 1, most)]),
  );
}

describe("a list or a map at its most, wrong in every way, costs a moment", () => {
  const mostMs = 100;
  const withLists = appRoutes(testing.dependencies).filter(
    ({ body, guard }) => body !== undefined && hasMany(body as Form) && (guard === "key" || guard === "operator"),
  );

  test.each(withLists.map((route): [string, Route] => [`${route.method} ${route.path}`, route]))(
    "%s",
    async (_, route) => {
      const url = route.path.replaceAll(/\{\w+\}/g, anyId);
      const key = route.guard === "operator" ? operatorToken : merchant.secretKey;
      for (const wrong of [0, "?".repeat(20), null, {}, [[]]]) {
        for (const level of [1, 2, 3, 4]) {
          const payload = JSON.stringify(fillOut(route.body as Form, wrong, level));
          const cost = await costOf({ url, method: route.method, key, payload }, mostMs);
          expect(cost, `${JSON.stringify(wrong)} below level ${level}, ${payload.length} bytes`).toBeLessThan(mostMs);
        }
      }
    },
  );
});
