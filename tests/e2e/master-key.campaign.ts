import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findFreePort } from "../../server/src/platform/embedded-postgres/postmaster.ts";
import { generateMasterKey } from "../../server/src/platform/secrets/crypto.ts";
import { makeHome, processesUsing, startServer, stopServer } from "./server-process.ts";

it("a server whose master key was lost or exchanged does not start, and says which one it needs", async () => {
  const home = makeHome();
  const environment = { JARA_HOME: home, PORT: String(await findFreePort()) };
  const file = join(home, "master-key");
  const first = startServer(environment);
  await first.ready;
  await stopServer(first);
  const key = readFileSync(file, "utf8");

  rmSync(file);
  const without = startServer(environment);
  expect((await without.exit).code).toBe(1);
  const expected = /No master key is set, and this database was sealed under v1 \(id ([0-9a-f]{8})\)/;
  const id = expected.exec(without.output())?.[1];
  expect(without.output()).toMatch(expected);
  expect(without.output()).toContain(file);
  expect(without.output()).toContain("No data was changed.");
  expect(existsSync(file)).toBe(false);

  const wrong = startServer({ ...environment, JARA_MASTER_KEY: generateMasterKey() });
  expect((await wrong.exit).code).toBe(1);
  expect(wrong.output()).toContain(
    `v1 in JARA_MASTER_KEY is not the one of this database: its id should be ${id}, and is`,
  );
  expect(wrong.output()).not.toContain("    at ");
  expect(processesUsing(home)).toEqual([]);

  writeFileSync(file, key, { mode: 0o600 });
  const right = startServer(environment);
  await right.ready;
  await stopServer(right);
});
