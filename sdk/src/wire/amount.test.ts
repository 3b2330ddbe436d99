import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { JaraInputError } from "../errors.ts";
import { writeAmounts } from "./amount.ts";

const sent = (amount: unknown, form: "number" | "text" = "number") => JSON.stringify(writeAmounts({ amount }, form));

test.each([
  ["a number", 2500.5, "number", '{"amount":2500.5}'],
  ["a decimal string", "2500.50", "number", '{"amount":2500.5}'],
  ["a large string", "9999999999999.99", "number", '{"amount":9999999999999.99}'],
  ["a number for a path that takes text", 50_000, "text", '{"amount":"50000"}'],
  ["a string for a path that takes text", "50000.00", "text", '{"amount":"50000.00"}'],
  ["more decimals, for the server to refuse", 0.1 + 0.2, "number", '{"amount":0.30000000000000004}'],
] as const)("writes %s", (_, amount, form, body) => {
  expect(sent(amount, form)).toBe(body);
});

test.each([
  "1,500",
  "₦1500",
  "12.345",
  "1e3",
  "-5",
  "",
  " 5",
  "99999999999999.99",
  Number.NaN,
  Number.POSITIVE_INFINITY,
])("refuses %j before it is sent", (amount) => {
  expect(() => sent(amount)).toThrow(JaraInputError);
  expect(() => sent(amount)).toThrow("at most two decimals");
});

test("no amount of naira and kobo loses a digit on its way through a number", () => {
  const naira = fc.bigInt({ min: 0n, max: 999_999_999_999_999n });
  fc.assert(
    fc.property(naira, (kobo) => {
      const text = `${kobo / 100n}.${String(kobo % 100n).padStart(2, "0")}`;
      const [whole, decimals = ""] = sent(text).slice('{"amount":'.length, -1).split(".");
      expect(`${whole}.${decimals.padEnd(2, "0")}`).toBe(text);
    }),
    { numRuns: 2_000 },
  );
});

test("reaches amounts in lists, and leaves metadata alone", () => {
  const body = { transfers: [{ amount: "100.00", metadata: { amount: "1,5" } }], metadata: { amount: "as I like" } };
  expect(writeAmounts(body, "number")).toEqual({
    transfers: [{ amount: 100, metadata: { amount: "1,5" } }],
    metadata: { amount: "as I like" },
  });
});

test("every naira that a request takes is called amount", () => {
  const document = JSON.parse(readFileSync(join(import.meta.dirname, "../../../docs/openapi.json"), "utf8"));
  const found = new Set<string>();
  const seen = new Set<string>();
  const walk = (value: unknown, member: string): void => {
    if (typeof value !== "object" || value === null) return;
    const { $ref, format } = value as { $ref?: string; format?: string };
    if (format === "naira") found.add(member);
    if ($ref !== undefined && !seen.has($ref)) {
      seen.add($ref);
      walk(document.components.schemas[$ref.split("/").at(-1) ?? ""], member);
    }
    for (const [key, inner] of Object.entries(value)) {
      if (key === "properties") for (const [name, property] of Object.entries(inner as object)) walk(property, name);
      else if (!key.startsWith("example")) walk(inner, member);
    }
  };
  for (const methods of Object.values(document.paths) as Record<string, { requestBody?: object }>[]) {
    for (const { requestBody } of Object.values(methods)) walk(requestBody, "");
  }
  expect(found).toEqual(new Set(["amount"]));
});
