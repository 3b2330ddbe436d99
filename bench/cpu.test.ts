import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { cpuMsOf } from "./cpu.ts";

test.runIf(existsSync("/proc"))(
  "a process that computes has computed more afterwards, its children's time included",
  () => {
    const before = cpuMsOf(process.pid);
    execFileSync(process.execPath, ["-e", "const until = Date.now() + 60; while (Date.now() < until);"]);
    expect(cpuMsOf(process.pid)).toBeGreaterThan(before);
  },
);

test("a process that there is not has computed nothing that could be told", () => {
  expect(cpuMsOf(2 ** 30)).toBeNaN();
});
