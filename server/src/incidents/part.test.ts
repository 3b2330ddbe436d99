import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { partNames } from "./part.ts";

test("the console calls every part what /status calls it", () => {
  const page = join(import.meta.dirname, "..", "..", "..", "web", "console", "operator", "incident-parts.ts");
  const written = [...readFileSync(page, "utf8").matchAll(/^ {2}(\w+): "(.*)",$/gm)];
  expect(written.map(([, part, name]) => [part, name])).toEqual(Object.entries(partNames));
});
