/** Where the checker of alert rules is looked for. Nothing is installed outside of CI. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findPromtool } from "./find-promtool.ts";

/** A folder with a promtool in it, or without one. */
function folder(hasTool: boolean): string {
  const made = mkdtempSync(join(tmpdir(), "jara-promtool-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  if (hasTool) writeFileSync(join(made, "promtool"), "");
  return made;
}

test("what somebody names is taken before what the machine has", () => {
  const [named, machine] = [folder(true), folder(true)];
  expect(findPromtool({ PROMTOOL: join(named, "promtool"), PATH: machine })).toBe(join(named, "promtool"));
});

test("a name that leads nowhere is passed over", () => {
  const machine = folder(true);
  expect(findPromtool({ PROMTOOL: "/no/such/promtool", PATH: machine })).toBe(join(machine, "promtool"));
});

test("the first folder of the path that has one is taken", () => {
  const [without, first, second] = [folder(false), folder(true), folder(true)];
  expect(findPromtool({ PATH: [without, first, second].join(delimiter) })).toBe(join(first, "promtool"));
});

test("an empty part of the path is no folder: what lies in the current one is not run", () => {
  const machine = folder(true);
  expect(findPromtool({ PATH: ["", machine, ""].join(delimiter) })).toBe(join(machine, "promtool"));
});
