/**
 * What a body costs the server, whatever is in it: every request waits for the one thread that reads bodies, so a body
 * that takes seconds stops the payouts of everybody. Measured as processor time of a request in this process.
 */
import { describe, expect, test } from "vitest";
import { createTestApp } from "../testing/app.ts";
import { appRoutes } from "./app.ts";
import type { Route } from "./platform/http/route.ts";

const testing = await createTestApp();
const { app, merchant, operatorToken } = testing;

interface Sent {
  readonly url: string;
  readonly method?: Route["method"];
  readonly key?: string;
  readonly payload: string;
}

/** The least of three: what else this process has to do at a moment is not the body's doing. */
async function costOf(sent: Sent, bound: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 3 && least > bound; turn += 1) {
    const before = process.cpuUsage();
    const reply = await send(sent);
    const { user, system } = process.cpuUsage(before);
    expect(reply.statusCode, sent.url).toBeGreaterThanOrEqual(400);
    expect(reply.statusCode, sent.url).toBeLessThan(500);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

const send = ({ url, method = "POST", key = merchant.secretKey, payload }: Sent) =>
  app.inject({
    method,
    url,
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    payload,
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
