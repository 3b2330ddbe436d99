/** Every example of a reply and of an event, as the SDK hands it on, has the type that the SDK says. */
import { expect, test } from "vitest";
import { camelKeys } from "../../sdk/src/wire/casing.ts";
import { readDocument } from "../document/document.ts";
import { type Claim, refuteClaims } from "./typed-replies.ts";

interface Described {
  readonly example?: unknown;
  readonly schema?: { readonly properties?: { readonly data?: { readonly $ref?: string } } };
}

const document = JSON.parse(await readDocument("docs/openapi.json"));
const timeout = 120_000;

const events: Claim[] = Object.entries<{ post: { requestBody: { content: Record<string, Described> } } }>(
  document.webhooks,
).map(([name, { post }]) => ({
  type: `api.EventOf<"${name}">`,
  value: camelKeys(post.requestBody.content["application/json"]?.example),
}));

const isSent = (name: string) => /^New|Order$|Change$|Problem$/.test(name);

const records: Claim[] = Object.entries<{ examples?: unknown[]; properties?: object }>(document.components.schemas)
  .filter(([name, { properties }]) => properties !== undefined && !isSent(name))
  .flatMap(([name, { examples = [] }]) =>
    examples.map((example) => ({ type: `api.${name}`, value: camelKeys(example) })),
  );

const bodies: Claim[] = Object.entries<Record<string, { requestBody?: { content: Record<string, Described> } }>>(
  document.paths,
).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { requestBody }]) => {
    const example = requestBody?.content["application/json"]?.example;
    const type = `api.Operations["${method.toUpperCase()} ${path}"]["input"]["body"]`;
    return example === undefined ? [] : [{ type, value: camelKeys(example) }];
  }),
);

test("the examples of events, records and requests", { timeout }, async () => {
  expect(events.length).toBe(Object.keys(document.webhooks).length);
  expect(events.every(({ value }) => value !== undefined)).toBe(true);
  expect(records.length).toBeGreaterThan(3);
  expect(bodies.length).toBeGreaterThan(30);
  expect(await refuteClaims([...events, ...records, ...bodies])).toBe("");
});

test("a key too many, one too few and another type are seen", { timeout }, async () => {
  const refuted = await refuteClaims([
    { type: "api.Bank", value: { name: "A", code: "1", nipCode: "2", slug: "a", type: "commercial" } },
    { type: "api.TransferFee", value: { amount: "1" } },
    { type: 'api.Operations["POST /sandbox/reset"]["data"]', value: { resetAt: "", removed: 1, reset_at: "" } },
  ]);
  expect(refuted).toContain("Property 'active' is missing");
  expect(refuted).toContain("Type 'string' is not assignable to type 'number'");
  expect(refuted).toContain(`"reset_at"' does not exist`);
});
