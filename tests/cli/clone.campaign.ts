/** The server of a clone and the check of its money, from the command; outside a clone both say what to do. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { findFreePort } from "../../server/src/platform/embedded-postgres/postmaster.ts";
import { root } from "../document/document.ts";
import { createJara } from "./jara-process.ts";

vi.setConfig({ testTimeout: 240_000 });
const port = await findFreePort();
const inClone = createJara({ PORT: String(port) }, { directory: root });
const outside = createJara({});

test.each(["dev", "verify"])("jara %s outside a clone says where to go", async (command) => {
  const { code, out, err } = await outside.run(command);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toMatch(new RegExp(`^jara ${command} works in a clone of Jara, and this folder is not in one\\. .+\\n$`));
});

test("jara dev serves, listens in the same terminal, and ends with Ctrl-C; jara verify finds nothing", async () => {
  const running = inClone.start("dev", "--listen", "http://127.0.0.1:9/hooks");
  await running.says("server |   Jara is ready.", 120_000);
  await running.says("listen | Listening to", 60_000);
  expect(existsSync(join(inClone.home, "dev.json"))).toBe(true);
  expect((await inClone.run("wallets", "fund", "500")).code).toBe(0);
  await running.says("listen | http://127.0.0.1:9/hooks is away", 60_000);
  running.child.kill("SIGINT");
  expect((await running.ended()).code).toBe(0);
  expect(await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => "nobody")).toBe("nobody");
  const verified = await inClone.run("verify");
  expect(verified).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^✓ Environments verified: \d+\. Differences: 0\.\n$/),
  });
});
