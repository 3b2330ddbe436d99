import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import core, { type RulesetDefinition } from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";
import { describe, expect, test } from "vitest";
import { documents, readDocument, root } from "./document.ts";

const run = promisify(execFile);
/** Two linters over half a megabyte: a busy machine takes its time. */
const timeout = 240_000;

/** What Spectral only warns about and what we do on purpose: who runs Jara decides whom to write to. */
const accepted = ["info-contact", "oas3-unused-component"];

describe.each(documents)("%s", (path) => {
  test("has nothing that Redocly complains about", { timeout }, async () => {
    const cli = join(root, "node_modules", "@redocly", "cli", "bin", "cli.js");
    const config = join(import.meta.dirname, "redocly.yaml");
    const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
    const lint = ["lint", join(root, path), "--config", config, "--format", "json"];
    const { stdout } = await run(process.execPath, [cli, ...lint], { env, maxBuffer: 64 * 1024 * 1024 }).catch(
      (failed: { stdout: string }) => failed,
    );
    const { problems } = JSON.parse(stdout) as { problems: { ruleId: string; message: string }[] };
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  test("has nothing that Spectral complains about", { timeout }, async () => {
    const spectral = new core.Spectral();
    spectral.setRuleset({ extends: [[rulesets.oas as RulesetDefinition, "recommended"]] });
    const found = await spectral.run(await readDocument(path));
    const unexpected = found.filter(({ code }) => !accepted.includes(String(code)));
    expect(unexpected.map(({ code, path: where, message }) => `${code} ${where.join("/")}: ${message}`)).toEqual([]);
  });
});
