/** The packed command and the packed SDK in a project that has nothing else, with Node 20 and the pinned Node. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { root } from "../document/document.ts";
import { findNode20 } from "../sdk/empty-project.ts";
import { createJara } from "./jara-process.ts";
import { createCommandWorld } from "./world.ts";

const run = promisify(execFile);
const { baseUrl, secretKey } = await createCommandWorld();
const place = await mkdtemp(join(tmpdir(), "jara-packed-"));
afterAll(() => rm(place, { recursive: true, force: true }));
const project = join(place, "project");
const packed = await installPackages();
const env = { JARA_BASE_URL: baseUrl, JARA_SECRET_KEY: secretKey };

async function pack(name: "sdk" | "cli") {
  await run(process.execPath, [join(root, name, "build.ts"), join(place, name)]);
  const { stdout } = await run("npm", ["pack", join(place, name), "--json", "--pack-destination", place], {
    cwd: place,
  });
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  return { file: join(place, filename), names: files.map(({ path }) => path) };
}

async function installPackages(): Promise<readonly string[]> {
  const [sdk, cli] = [await pack("sdk"), await pack("cli")];
  await mkdir(project);
  await writeFile(join(project, "package.json"), '{ "name": "empty", "private": true }\n');
  const words = ["install", sdk.file, cli.file, "--prefer-offline", "--no-audit", "--no-fund"];
  await run("npm", words, { cwd: project });
  return cli.names;
}

test("it holds JavaScript and its papers, and no TypeScript", () => {
  expect(packed).toEqual(expect.arrayContaining(["LICENSE", "README.md", "jara.js", "main.js", "package.json"]));
  expect(packed.filter((path) => /\.ts$|\.test\./.test(path))).toEqual([]);
});

test("npx finds the command", async () => {
  expect((await run("npx", ["--no-install", "jara", "--version"], { cwd: project })).stdout).toBe("0.3.0\n");
});

describe.each([
  ["Node 20", findNode20],
  ["the pinned Node", async () => process.execPath],
])("with %s", async (_, find) => {
  const jara = createJara(env, { program: [await find(), join(project, "node_modules", "@jara", "cli", "jara.js")] });

  test("it helps, looks after everything and plays an event", async () => {
    expect((await jara.run("--help")).out).toContain("jara listen --forward-to");
    expect(await jara.run("doctor")).toMatchObject({ code: 0, out: expect.stringContaining("✓ key") });
    const played = await jara.run("trigger", "transfer.completed", "--json");
    expect(JSON.parse(played.out)).toMatchObject({ event: "transfer.completed" });
  });

  test("it listens", async () => {
    const listening = jara.start("listen");
    await listening.says("Listening to");
    await jara.run("wallets", "fund", "750");
    await listening.says("wallet.credited");
    listening.child.kill("SIGINT");
    await once(listening.child, "close");
    expect(listening.child.exitCode).toBe(0);
  });
});
