import { expect, test } from "vitest";
import { renderCode } from "./code.ts";

const textOf = (html: string): string => html.replaceAll(/<[^>]+>/g, "").replaceAll("&quot;", '"');

const cases = [
  ["sh", 'curl -s "$BASE/banks" -H "Authorization: Bearer $KEY"', ["base-url", "secret-key"]],
  ["sh", "echo $KEYS $BASELINE", []],
  [
    "ts",
    'new Jara({ secretKey: process.env.JARA_SECRET_KEY ?? "", baseUrl: process.env.JARA_BASE_URL });',
    ["secret-key", "base-url"],
  ],
  ["js", "const { JARA_BASE_URL } = process.env;", []],
  ["json", '{ "key": "$KEY" }', []],
] as const;

test.each(cases)(
  "%s: %s has its reader's own in the right places, and stays the same text",
  (language, code, fills) => {
    const html = renderCode(code, language);
    const found = [...html.matchAll(/data-fill="([a-z-]+)"/g)].map(([, fill]) => fill);
    expect(found).toEqual(fills);
    expect(textOf(html)).toBe(code);
  },
);

test("a place in a program is written as a string, one in a shell as it is", () => {
  expect(renderCode("process.env.JARA_BASE_URL", "ts")).toContain('<span data-fill="base-url" data-quoted>');
  expect(renderCode("$BASE", "sh")).toContain('<span data-fill="base-url">');
});
