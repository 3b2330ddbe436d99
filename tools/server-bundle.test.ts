/** Which program a start runs, in a checkout that is made here; what a bundled server does is seen by all of tests/e2e. */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import type * as bundles from "./server-bundle.mjs";

const root = mkdtempSync(join(tmpdir(), "jara-bundle-"));
afterAll(() => rmSync(root, { recursive: true }));

function write(file: string, text: string): void {
  mkdirSync(join(root, file, ".."), { recursive: true });
  writeFileSync(join(root, file), text);
}

test("the bundle is run as long as nothing has changed that it was made of", async () => {
  const copy = join(root, "tools", "server-bundle.mjs");
  for (const file of ["server/package.json", "package-lock.json", "tools/bundle-server.ts"]) write(file, "{}");
  write("server/src/main.ts", `import "./money/kobo.ts";`);
  write("server/src/money/kobo.ts", "export const one = 1;");
  copyFileSync(join(import.meta.dirname, "server-bundle.mjs"), copy);
  const { serverBundles, serverProgram, serverSource, serverStamp }: typeof bundles = await import(
    pathToFileURL(copy).href
  );
  expect(serverProgram()).toBe(serverSource);

  const bundle = join(serverBundles, serverStamp(), "main.js");
  write(bundle.slice(root.length), "");
  expect(serverProgram()).toBe(bundle);

  write("server/src/money/kobo.test.ts", "");
  write("server/src/money/README.md", "");
  expect(serverProgram()).toBe(bundle);

  for (const file of ["server/src/money/kobo.ts", "package-lock.json", "server/src/money/naira.ts"]) {
    const before = serverStamp();
    write(file, `export const changed = "${file}";`);
    expect(serverStamp(), file).not.toBe(before);
    expect(serverProgram(), file).toBe(serverSource);
  }
  expect(existsSync(bundle)).toBe(true);
});
