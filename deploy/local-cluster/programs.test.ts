import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { mayInstallPackages } from "../../tools/debian-packages.ts";
import { drills } from "./drills.ts";
import { brokenPromises } from "./play-drill.ts";
import { findProcess, livingProcesses, startProgram, stopProcess } from "./processes.ts";
import { installPrograms, missingPrograms } from "./programs.ts";
import { replaceResults, resultsOf } from "./report.ts";

const folder = mkdtempSync(join(tmpdir(), "jara-programs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("what is missing is named with the line that mends it", () => {
  expect(missingPrograms(() => "/usr/bin/there")).toBeUndefined();
  const without = missingPrograms((name) => (name === "etcd" || name === "pgbouncer" ? undefined : "/usr/bin/there"));
  expect(without).toBe(
    "Not on this machine: etcd, pgbouncer. Run: apt-get install --no-install-recommends etcd-server pgbouncer",
  );
});

test("only CI gets what is missing, and hears why it cannot", () => {
  const without = (name: string) => (name === "haproxy" ? undefined : "/usr/bin/there");
  const asked: (readonly string[])[] = [];
  const install = (names: readonly string[]): string => {
    asked.push(names);
    return "no mirror";
  };
  expect(installPrograms({}, without, install)).toMatch("Not on this machine: haproxy. Run: apt-get install");
  expect(installPrograms({ CI: "true" }, () => "/usr/bin/there", install)).toBeUndefined();
  expect(asked).toEqual([]);
  // On a machine without apt, or as somebody else, nothing is tried either.
  const tried = mayInstallPackages({ CI: "true" });
  expect(installPrograms({ CI: "true" }, without, install)).toMatch(tried ? "no mirror" : "Not on this machine");
  expect(asked).toEqual(tried ? [["haproxy"]] : []);
});

test("a package that does not bring its program is still missing", () => {
  const install = (): undefined => undefined;
  expect(installPrograms({ CI: "true" }, () => undefined, install)).toMatch("Not on this machine: etcd, patroni");
});

test("a program is found again by its file, and stopped", async () => {
  startProgram(folder, { name: "sleeper", command: ["sleep", "60"] });
  expect(findProcess(folder, "sleeper")).toBeGreaterThan(1);
  expect(livingProcesses(folder)).toEqual(["sleeper"]);
  await stopProcess(folder, "sleeper");
  expect(livingProcesses(folder)).toEqual([]);
});

test("a stranger that has the number of a program that is gone is left alone", async () => {
  const stranger = spawn("sleep", ["60"]);
  mkdirSync(join(folder, "pids"), { recursive: true });
  writeFileSync(join(folder, "pids", "gone.json"), JSON.stringify({ pid: stranger.pid, since: "1" }));
  expect(findProcess(folder, "gone")).toBeUndefined();
  await stopProcess(folder, "gone");
  expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
  stranger.kill();
  await once(stranger, "exit");
});

const [pooler] = drills.filter(({ name }) => name === "pooler");
if (pooler === undefined) throw new Error("there is a drill called pooler");
const good = {
  drill: pooler,
  requests: 10,
  acknowledged: 10,
  failures: new Map<string, number>(),
  longestGapSeconds: 1,
  remarks: ["nothing happened"],
};

test.each([
  [{}, []],
  [{ failures: new Map([["503 unavailable", 2]]) }, ["2 requests failed; 0 may"]],
  [
    { failures: new Map([["500 internal", 1]]) },
    ["1 requests failed; 0 may", "1 times 500 internal, which is not 503"],
  ],
  [{ longestGapSeconds: 6 }, ["nothing was acknowledged for 6 s; 5 s may pass"]],
])("a drill with %o is judged", (changed, words) => {
  expect(brokenPromises({ ...good, ...changed })).toEqual(words);
});

test("results take the place of the old ones and leave the rest", () => {
  const machine = {
    cores: 2,
    memoryGib: 23,
    system: "Linux arm64",
    commit: "abc",
    date: "2026-11-17",
    postgres: "18.4",
    etcdMembers: 3,
  };
  const results = resultsOf(machine, [{ ...good, contradictions: [] }]);
  expect(results).toContain("| 10 | 10 | 0 | 1 s | none |");
  expect(results).toContain("- `pooler`: nothing happened");
  const document = `before\n${results}\nafter`;
  expect(replaceResults(document, results)).toBe(document);
  expect(() => replaceResults("nothing", results)).toThrow("no place for results");
});
