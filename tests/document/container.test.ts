/** The container file: read by a linter, held against our own rules, and its last stage played without a container. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { DockerfileParser, type JSONInstruction } from "dockerfile-ast";
import { ValidationSeverity, validate } from "dockerfile-utils";
import { afterAll, expect, test } from "vitest";
import { findFreePort } from "../../server/src/platform/embedded-postgres/postmaster.ts";
import { generateMasterKey } from "../../server/src/platform/secrets/crypto.ts";
import { variables } from "../../server/src/start/config-variables.ts";
import { createTestDatabase } from "../../server/testing/database.ts";

const root = join(import.meta.dirname, "..", "..");
const text = readFileSync(join(root, "deploy", "container", "Dockerfile"), "utf8");
const file = DockerfileParser.parse(text);
const instructions = file.getInstructions();
const lastFrom = instructions.findLastIndex((instruction) => instruction.getKeyword() === "FROM");
/** What the image itself is made by. */
const lastStage = instructions.slice(lastFrom);
const inLastStage = (keyword: string) => lastStage.filter((instruction) => instruction.getKeyword() === keyword);
const wordsOf = (keyword: string) => inLastStage(keyword).map((found) => found.getArgumentsContent() ?? "");

test("a linter finds nothing in it", () => {
  const strict = ValidationSeverity.ERROR;
  const settings = {
    deprecatedMaintainer: strict,
    directiveCasing: strict,
    emptyContinuationLine: strict,
    instructionCasing: strict,
    instructionCmdMultiple: strict,
    instructionEntrypointMultiple: strict,
    instructionHealthcheckMultiple: strict,
    instructionJSONInSingleQuotes: strict,
    instructionWorkdirRelative: strict,
  };
  expect(validate(text, settings)).toEqual([]);
  expect(validate(text.replace("WORKDIR /opt/jara", "WORKDIR jara"), settings)).not.toEqual([]);
});

test("it starts from exact versions, in stages of which only the last is shipped", () => {
  const froms = file.getFROMs();
  const stages = new Set(froms.map((from) => from.getBuildStage()));
  const images = froms.map((from) => from.getImage() ?? "").filter((image) => !stages.has(image));
  expect(froms.length).toBeGreaterThan(1);
  for (const image of images) expect(image).toMatch(/^[a-z]+:\d+\.\d+(\.\d+)?-[a-z-]+(@sha256:[0-9a-f]{64})?$/);
});

test("it runs as nobody special, says how it is, and gets signals itself", () => {
  expect(wordsOf("USER")).toEqual([expect.stringMatching(/^[1-9]\d{3,}$/)]);
  expect(wordsOf("HEALTHCHECK")).toHaveLength(1);
  expect(wordsOf("STOPSIGNAL")).toEqual(["SIGTERM"]);
  expect(command("CMD").length).toBeGreaterThan(1);
});

test("no package runs a script in any stage: npm reads the settings of the repository first", () => {
  expect(readFileSync(join(root, ".npmrc"), "utf8")).toContain("ignore-scripts=true");
  const installs = instructions.findIndex((one) => one.getArgumentsContent()?.includes("npm ci"));
  expect(installs).toBeGreaterThan(0);
  const before = instructions.slice(0, installs).filter((one) => one.getKeyword() === "COPY");
  expect(before.some((one) => one.getArgumentsContent()?.split(" ").includes(".npmrc"))).toBe(true);
});

test("it sets variables that exist, and no secret", () => {
  const set = wordsOf("ENV").flatMap((words) => [...words.matchAll(/([A-Z_]+)=/g)].map(([, name = ""]) => name));
  expect(set).toContain("HOST");
  for (const name of set) expect(Object.keys(variables)).toContain(name);
  expect(text).not.toMatch(/TOKEN=|KEY=|PASSWORD|DATABASE_URL=/);
});

const place = mkdtempSync(join(tmpdir(), "jara-container-"));
const running: ChildProcess[] = [];
afterAll(() => {
  for (const child of running) child.kill("SIGKILL");
  rmSync(place, { recursive: true, force: true });
});

test("what is copied into the image is enough to serve, and the health check sees it", async () => {
  for (const words of wordsOf("COPY")) {
    const [from = "", to = ""] = words.split(" ").filter((word) => !word.startsWith("--"));
    const source = join(root, from.replace("/opt/jara/", ""));
    const target = join(place, to.endsWith("/") ? join(to, from.split("/").at(-1) ?? "") : to);
    mkdirSync(dirname(target), { recursive: true });
    if (from.endsWith("node_modules")) symlinkSync(source, target);
    else cpSync(source, target, { recursive: true });
  }
  const { appUrl, ownerUrl } = await createTestDatabase(1);
  const settings = {
    NODE_ENV: "production",
    PORT: String(await findFreePort()),
    JARA_HOME: join(place, "home"),
    DATABASE_URL: appUrl,
    DATABASE_OWNER_URL: ownerUrl,
    JARA_OPERATOR_TOKEN: `op_${"a1".repeat(20)}`,
    JARA_MASTER_KEY: generateMasterKey(),
  };
  const [node = "", ...words] = command("CMD");
  const server = spawn(join(place, node), words, { cwd: place, env: settings, stdio: ["ignore", "pipe", "pipe"] });
  running.push(server);
  let said = "";
  for (const stream of [server.stdout, server.stderr]) stream.on("data", (part) => (said += part));
  const [, ...asking] = command("HEALTHCHECK");
  const ask = () => spawnSync(join(place, node), asking, { cwd: place, env: settings }).status;
  expect(ask()).toBe(1);
  for (const deadline = performance.now() + 60_000; performance.now() < deadline && ask() !== 0; ) {
    if (server.exitCode !== null) break;
    await pause(100);
  }
  expect(ask(), said).toBe(0);
  expect(existsSync(join(place, "web", "dist"))).toBe(true);
});

/** The words of an instruction in its exec form; a shell in between would keep signals to itself. */
function command(keyword: "CMD" | "HEALTHCHECK"): string[] {
  const [instruction] = inLastStage(keyword) as JSONInstruction[];
  const content = instruction?.getArgumentsContent() ?? "";
  return JSON.parse(content.slice(content.indexOf("[")));
}
