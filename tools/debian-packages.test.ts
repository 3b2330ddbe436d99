import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { installPackages, mayInstallPackages } from "./debian-packages.ts";

const home = mkdtempSync(join(tmpdir(), "jara-packages-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** An apt-get that writes down what it was asked and ends with the given code when it installs. */
function writeApt(name: string, code: number): { path: string; asked: () => string } {
  const [path, log] = [join(home, name), join(home, `${name}.log`)];
  writeFileSync(path, `#!/bin/sh\necho "$@" >> ${log}\ncase "$*" in *install*) exit ${code} ;; esac\n`);
  chmodSync(path, 0o755);
  return { path, asked: () => readFileSync(log, "utf8") };
}

test("packages are installed together, and nothing is removed for them", () => {
  const apt = writeApt("apt-good", 0);
  expect(installPackages(["haproxy", "patroni"], apt.path)).toBeUndefined();
  expect(apt.asked()).toMatch(/ update\n.* install --yes --no-remove --no-install-recommends haproxy patroni\n$/);
});

test("a mirror that is out of reach is a reason, not an end", () => {
  const apt = writeApt("apt-without-mirror", 100);
  expect(installPackages(["haproxy", "patroni"], apt.path)).toMatch(
    /^Debian's haproxy, patroni could not be installed: Command failed/,
  );
});

test("only CI's machine gets packages", () => {
  expect(mayInstallPackages({})).toBe(false);
  expect(mayInstallPackages({ CI: "false" })).toBe(false);
});
