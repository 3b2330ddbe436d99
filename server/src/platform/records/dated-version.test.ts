/** What counts when, over random versions: dates never change what was, and a later word for the same date wins. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type DatedVersion, largeChanges, versionAt } from "./dated-version.ts";

const day = (count: number) => new Date(Date.UTC(2026, 0, 1 + count));
const anyVersions = fc
  .array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 12 })
  .map((days) => days.map((each, place): DatedVersion => ({ version: place + 1, effectiveFrom: day(each) })));

test("what counts has a date that has come, and none has a later one, or the same and a higher number", () => {
  fc.assert(
    fc.property(anyVersions, fc.integer({ min: -1, max: 13 }), (all, now) => {
      const found = versionAt(all, day(now));
      const come = all.filter(({ effectiveFrom }) => effectiveFrom <= day(now));
      const ranks = come.map(({ effectiveFrom, version }) => effectiveFrom.getTime() + version);
      const rank = found === undefined ? -Infinity : found.effectiveFrom.getTime() + found.version;
      expect(rank).toBe(Math.max(...ranks));
    }),
  );
});

test("a version for the future changes nothing that counts before its date, in whatever order they are read", () => {
  fc.assert(
    fc.property(anyVersions, fc.integer({ min: 0, max: 12 }), fc.integer({ min: 1, max: 9 }), (all, now, ahead) => {
      const further = { version: all.length + 1, effectiveFrom: day(now + ahead) };
      expect(versionAt([further, ...all], day(now))).toEqual(versionAt(all, day(now)));
      expect(versionAt([...all].reverse(), day(now))).toEqual(versionAt(all, day(now)));
      expect(versionAt([...all, further], day(now + ahead))).toBe(further);
    }),
  );
});

test.each([
  [100n, 999n, []],
  [100n, 1_000n, ["fee"]],
  [100n, 10n, ["fee"]],
  [100n, 11n, []],
  [0n, 1_000n, []],
  [1_000n, 0n, []],
])("from %d to %d is a large change of %j", (before, after, fields) => {
  expect(largeChanges({ fee: before }, { fee: after })).toEqual(fields);
});
