/** The units of deploy/systemd, read by systemd itself; where it is not on the machine this is skipped. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { variables } from "../../server/src/start/config-variables.ts";

const root = join(import.meta.dirname, "..", "..");
const units = join(root, "deploy", "systemd");
const names = readdirSync(units);
const place = mkdtempSync(join(tmpdir(), "jara-units-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const textOf = (name: string) => readFileSync(join(units, name), "utf8");
/** As if this checkout were installed at /opt/jara; a template becomes the unit of a role. */
const files = names.map((name) => {
  const file = join(place, name.replace("@.", "@api."));
  writeFileSync(file, textOf(name).replaceAll("/opt/jara", root));
  return file;
});

const analyze = (...words: string[]) => {
  const { status, stdout, stderr } = spawnSync("systemd-analyze", words, { encoding: "utf8" });
  return { status, said: `${stdout}${stderr}` };
};

describe.skipIf(spawnSync("systemd-analyze", ["--version"]).status !== 0)("systemd", () => {
  test("finds nothing wrong with the units, and every program that they start", () => {
    expect(analyze("verify", ...files)).toEqual({ status: 0, said: "" });
  });

  test("finds the server well shut in", () => {
    const server = files.find((file) => file.includes("@")) ?? "";
    const { said } = analyze("security", "--offline=true", server);
    const [, exposure = "10"] = /Overall exposure level for \S+: ([\d.]+)/.exec(said) ?? [];
    expect(Number(exposure)).toBeLessThan(2.5);
  });
});

test("the units set variables that exist", () => {
  const set = names.flatMap((name) =>
    [...textOf(name).matchAll(/\b([A-Z][A-Z_]+)=/g)].map(([, variable = ""]) => variable),
  );
  expect(set.length).toBeGreaterThan(3);
  for (const variable of new Set(set)) expect(Object.keys(variables)).toContain(variable);
});
