/** The list of drills: what each promises, and that the campaign names drills that exist. */
import { expect, test } from "vitest";
import { parts } from "../../tools/campaign/parts.ts";
import { drills, seconds } from "./drills.ts";

const names = drills.map(({ name }) => name);

test("each drill has a name of its own that can be typed", () => {
  expect(new Set(names).size).toBe(drills.length);
  for (const name of names) expect(name).toMatch(/^[a-z]+$/);
  expect(names).not.toContain("all");
});

test("every drill says for how long nothing may be acknowledged, and never longer than half a minute", () => {
  for (const { longestGapSeconds } of drills) {
    expect(longestGapSeconds).toBeGreaterThan(0);
    expect(longestGapSeconds).toBeLessThanOrEqual(30);
  }
});

test("where the database stays, not one request may fail", () => {
  const strict = drills.filter(({ mostFailures }) => mostFailures !== undefined);
  expect(strict.map(({ name }) => name)).toEqual(["pooler", "rolling", "etcd"]);
  expect(strict.map(({ mostFailures }) => mostFailures)).toEqual([0, 0, 0]);
});

test("the campaign plays drills that exist", () => {
  const drill = parts.find(({ name }) => name === "cluster")?.command;
  const played = drill?.[drill.indexOf("drill") + 1]?.split(",") ?? [];
  expect(played.length).toBeGreaterThan(0);
  expect(played.filter((name) => !names.includes(name))).toEqual([]);
});

test.each([
  [0, 0],
  [49, 0],
  [50, 0.1],
  [1_234, 1.2],
  [59_999, 60],
])("%d ms are told as %d s", (ms, told) => {
  expect(seconds(ms)).toBe(told);
});
