/**
 * Every operation is sent secrets where they belong and where they do not: in each field that its schema has, as text
 * and as numbers, in fields that it does not have, in its query and in its path. Whatever the reply is, nothing of them
 * is in the log of requests.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { passesLuhn } from "../../server/src/platform/luhn.ts";
import { appRoutes } from "../../server/src/start/app.ts";
import { createTestApp } from "../../server/testing/app.ts";
import { readLoggedLines } from "../../server/testing/platform/telling-lines.ts";
import { eventually, withOwner } from "../../server/testing/work.ts";

const app = await createTestApp();
const { call, dependencies, merchant, ownerUrl } = app;

const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`));
const word = fc.stringMatching(/^[A-Za-z0-9]{24,40}$/);

const secrets = {
  key: fc.oneof(
    fc.constant(merchant.secretKey),
    word.map((rest) => `sk_live_${rest}`),
  ),
  webhookSecret: word.map((rest) => `whsec_${rest}`),
  bvn: digits(9).map((rest) => `22${rest}`),
  card: digits(14)
    .map((rest) => `5${rest}`)
    .map((start) => `${start}${[..."0123456789"].find((last) => passesLuhn(start + last))}`),
  account: digits(8).map((rest) => `07${rest}`),
} as const;

type Secret = keyof typeof secrets;

/** How people write them. */
const forms: readonly ((secret: string) => unknown)[] = [
  (secret) => secret,
  (secret) => `please use ${secret}, thanks`,
  (secret) => (/^\d+$/.test(secret) ? Number(secret) : secret),
  (secret) => [secret],
  (secret) => ({ inner: secret }),
  (secret) => ({ [secret]: true }),
];

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

interface Planted {
  readonly values: Readonly<Record<Secret, string>>;
  readonly picks: readonly number[];
  readonly code: string;
}

const plans: fc.Arbitrary<Planted> = fc.record({
  values: fc.record(secrets),
  picks: fc.array(fc.nat({ max: 10_000 }), { minLength: 40, maxLength: 40 }),
  code: fc.stringMatching(/^[1-9]{6}$/),
});

/** A secret in each field, in another form each time; one-time codes go where such codes are asked for. */
function plant(schema: Schema | undefined, { values, picks, code }: Planted): Record<string, unknown> {
  let used = 0;
  const next = (): number => picks[used++ % picks.length] ?? 0;
  const kinds = Object.values(values);
  const fill = (name: string, { properties, items, anyOf }: Schema): unknown => {
    if (properties !== undefined) return inside(properties);
    if (items !== undefined) return [fill(name, items)];
    const nested = anyOf?.find((one) => one.properties ?? one.items);
    if (nested !== undefined) return fill(name, nested);
    if (/^(?:otp|code)$/.test(name)) return next() % 2 === 0 ? code : Number(code);
    return forms[next() % forms.length]?.(kinds[next() % kinds.length] ?? "");
  };
  const inside = (properties: Readonly<Record<string, Schema>>): Record<string, unknown> =>
    Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, fill(name, one)]));
  const { code: _, ...unasked } = { ...values, note: `pay to ${values.account}`, code };
  return { ...(schema?.properties === undefined ? {} : inside(schema.properties)), ...unasked, otp: code };
}

const operations = appRoutes(dependencies).filter(
  // The feed is not logged, and a reset would take the lines of the others with it.
  ({ guard, path }) => guard === "key" && path !== "/requests/feed" && path !== "/sandbox/reset",
);

/** The log keeps the bodies of so many requests of one moment. */
const atOnce = 15;

function send({ method, path, query, body }: (typeof operations)[number], planted: Planted) {
  const { values } = planted;
  const fields = plant(query as Schema | undefined, planted);
  const asked = new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)]));
  const place = path.replaceAll(/\{\w+\}/g, encodeURIComponent(values.account));
  const headers = { "user-agent": `shop ${values.key}`, "idempotency-key": `order ${values.card}` };
  const sent = method === "GET" ? {} : { body: plant(body as Schema | undefined, planted) };
  return call(method, `${place}?${asked}`, { headers, ...sent });
}

async function linesOf(ids: ReadonlySet<string>): Promise<string[]> {
  let found: string[] = [];
  await eventually(`${ids.size} lines`, async () => {
    const lines = await withOwner(ownerUrl, readLoggedLines);
    found = lines.filter(({ requestId }) => ids.has(requestId)).map(({ text }) => text);
    return found.length === ids.size;
  });
  return found;
}

test("no secret that any operation is sent is in the log", async () => {
  expect(operations.length).toBeGreaterThan(80);
  await fc.assert(
    fc.asyncProperty(plans, async (planted) => {
      const telling = [...Object.values(planted.values), String(Number(planted.values.account)), planted.code];
      for (let start = 0; start < operations.length; start += atOnce) {
        const chunk = operations.slice(start, start + atOnce);
        const replies = await Promise.all(chunk.map((operation) => send(operation, planted)));
        const lines = await linesOf(new Set(replies.map(({ headers }) => String(headers["x-request-id"]))));
        for (const line of lines) {
          for (const secret of telling) expect(line).not.toContain(secret);
        }
        const withBody = chunk.filter(({ method }) => method !== "GET").length;
        expect(lines.filter((line) => line.includes("redacted")).length).toBeGreaterThanOrEqual(withBody);
      }
    }),
    { numRuns: 2, endOnFailure: true },
  );
});
