/** What counts when, over random versions: dates never change what was, and a later word for the same date wins. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type DatedVersion, largeChanges, publishVersion, versionAt } from "./dated-version.ts";

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

/** Whose twin commits after so many of the questions that are asked before anything is written. */
async function publishBesideTwin(afterQuestions: number, twin: DatedVersion) {
  const all: DatedVersion[] = [{ version: 1, effectiveFrom: day(-30) }];
  let asked = 0;
  const ask = async <T>(answer: () => T): Promise<T> => {
    const said = answer();
    asked += 1;
    if (asked === afterQuestions) all.push(twin);
    return said;
  };
  return publishVersion<DatedVersion>({
    wanted: { version: 2, effectiveFrom: day(5) },
    now: day(0),
    confirmed: false,
    find: (version) => ask(() => all.find((each) => each.version === version)),
    latest: () => ask(() => Math.max(...all.map(({ version }) => version))),
    inForceAt: (moment) => ask(() => versionAt(all, moment)),
    faults: () => ask(() => []),
    figures: () => ({}),
    insert: async (wanted) => {
      if (all.some(({ version }) => version === wanted.version)) return false;
      all.push(wanted);
      return true;
    },
  });
}

test.each([1, 2, 3, 4])("a twin that commits after question %d is found, another is a conflict", async (questions) => {
  const twin = { version: 2, effectiveFrom: day(5) };
  expect(await publishBesideTwin(questions, twin)).toEqual({ published: twin, replayed: true });
  const other = publishBesideTwin(questions, { version: 2, effectiveFrom: day(6) });
  await expect(other).rejects.toMatchObject({ code: "version_conflict", data: { latestVersion: 2 } });
});
