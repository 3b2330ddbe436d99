/** Generated files: JSON has a line for each operation, and the first line that differs is named. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { findDifference, jsonByLines, writeProduct } from "./product.ts";

const root = mkdtempSync(join(tmpdir(), "jara-compare-"));
afterAll(() => rmSync(root, { recursive: true }));

test("a file that is as it should be has no difference", async () => {
  writeFileSync(join(root, "same.md"), "a\nb\n");
  expect(await findDifference(root, "same.md", "a\nb\n")).toBeUndefined();
});

test.each([
  ["a changed line", "a\nB\nc\n", "a\nb\nc\n", 'file.md:2: is "B", should be "b"'],
  ["a missing line", "a\nc\n", "a\nb\nc\n", 'file.md:2: is "c", should be "b"'],
  ["a line too much at the end", "a\nb\n", "a\n", 'file.md:2: is "b", should be ""'],
  ["an end that is missing", "a", "a\n", 'file.md:2: is "(nothing)", should be ""'],
  ["ends of lines of another system", "a\r\nb", "a\nb", 'file.md:1: is "a\\r", should be "a"'],
])("%s is named with its place", async (_case, found, wanted, says) => {
  writeFileSync(join(root, "file.md"), found);
  expect(await findDifference(root, "file.md", wanted)).toBe(says);
});

test("a file that is not there differs from its first line on", async () => {
  expect(await findDifference(root, "gone.md", "a\n")).toBe('gone.md:1: is "", should be "a"');
});

test("of a long line what stands around the difference is shown", async () => {
  const line = (word: string) => `${"x".repeat(10_000)}${word}${"z".repeat(10_000)}`;
  writeFileSync(join(root, "long.md"), line("old"));
  const says = await findDifference(root, "long.md", line("new"));
  expect(says).toMatch(/^long\.md:1: is "…x+oldz+", should be "…x+newz+"$/);
  expect(says?.length).toBeLessThan(500);
});

test("JSON has a line for each operation and each schema, and is the same when it is read again", () => {
  const document = {
    openapi: "3.1.1",
    info: { title: "Jara", license: { name: "Apache 2.0" } },
    tags: [{ name: "Transfers" }, { name: "Bills" }],
    paths: { "/transfers": { get: { responses: { 200: {} } }, post: { tags: ["Transfers", "Bills"] } } },
    components: { schemas: { Transfer: { properties: { id: { type: "string" } } }, Id: { type: "string" } } },
    none: {},
  };
  expect(jsonByLines(document)).toBe(`{
  "openapi": "3.1.1",
  "info": {
    "title": "Jara",
    "license": {"name":"Apache 2.0"}
  },
  "tags": [
    {"name":"Transfers"},
    {"name":"Bills"}
  ],
  "paths": {
    "/transfers": {
      "get": {"responses":{"200":{}}},
      "post": {"tags":["Transfers","Bills"]}
    }
  },
  "components": {
    "schemas": {
      "Transfer": {"properties":{"id":{"type":"string"}}},
      "Id": {"type":"string"}
    }
  },
  "none": {}
}
`);
  expect(JSON.parse(jsonByLines(document))).toEqual(document);
});

test("a folder in the place of a file is an error, and not an empty file", async () => {
  await writeProduct(root, "folder/inner.md", "a");
  await expect(findDifference(root, "folder", "a")).rejects.toThrow();
});

test("a product is written with the folders that lead to it, and over what was there", async () => {
  await writeProduct(root, "deep/er/product.md", "one");
  await writeProduct(root, "deep/er/product.md", "two");
  expect(readFileSync(join(root, "deep/er/product.md"), "utf8")).toBe("two");
  expect(await findDifference(root, "deep/er/product.md", "two")).toBeUndefined();
});
