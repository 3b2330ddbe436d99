import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dueBefore, dueSince, fileName, isArchiveName, type Manifest, monthOf, overlaps } from "./archive.ts";

const manifest: Omit<Manifest, "writtenAt"> = {
  version: 1,
  kind: "events",
  environment: "e",
  environmentKind: "LIVE",
  month: "2026-03",
  rows: 3,
  firstPosition: 41,
  lastPosition: 43,
  firstAt: "2026-03-01T00:00:00.000Z",
  lastAt: "2026-03-31T00:00:00.000Z",
  bytes: 100,
  sha256: "0123456789abcdef".repeat(4),
};

describe("which events may go", () => {
  test.each([
    ["2026-11-17T12:00:00.000Z", 90, "2026-08-01T00:00:00.000Z"],
    ["2026-11-17T12:00:00.000Z", 400, "2025-10-01T00:00:00.000Z"],
    ["2026-03-01T00:00:00.000Z", 1, "2026-02-01T00:00:00.000Z"],
    ["2026-03-02T00:00:00.000Z", 1, "2026-03-01T00:00:00.000Z"],
    ["2026-01-15T00:00:00.000Z", 30, "2025-12-01T00:00:00.000Z"],
  ])("at %s with %i days: those from before %s", (now, days, before) => {
    expect(dueBefore(days, new Date(now))?.toISOString()).toBe(before);
  });

  test("are none where they are kept for ever", () => {
    expect(dueBefore(0, new Date("2099-01-01"))).toBeNull();
  });

  test("are whole months, and never one that is younger than was asked for", () => {
    const moment = fc.date({ min: new Date("2020-01-01"), max: new Date("2040-01-01"), noInvalidDate: true });
    fc.assert(
      fc.property(moment, fc.integer({ min: 1, max: 2_000 }), (now, days) => {
        const before = dueBefore(days, now);
        if (before === null) throw new Error("events are kept for ever");
        expect(before.toISOString()).toMatch(/-01T00:00:00\.000Z$/);
        expect(now.getTime() - before.getTime()).toBeGreaterThanOrEqual(days * 86_400_000);
      }),
    );
  });

  test("go as soon as they are due, and not a moment before: both questions agree", () => {
    const moment = fc.date({ min: new Date("2020-01-01"), max: new Date("2030-01-01"), noInvalidDate: true });
    fc.assert(
      fc.property(moment, fc.integer({ min: 1, max: 500 }), (createdAt, days) => {
        const since = dueSince(days, createdAt);
        const isDueAt = (now: Date) => createdAt < (dueBefore(days, now) ?? createdAt);
        expect(isDueAt(since)).toBe(true);
        expect(isDueAt(new Date(since.getTime() - 1))).toBe(false);
      }),
    );
  });
});

describe("the name of a file", () => {
  test("says which events it has, and by its hash that no two files of one name differ", () => {
    expect(fileName(manifest)).toBe("events-000000000041-000000000043-0123456789ab.ndjson.gz");
    expect(isArchiveName(fileName(manifest))).toBe(true);
    expect(fileName({ ...manifest, sha256: "f".repeat(64) })).not.toBe(fileName(manifest));
  });

  test.each([
    "events-41-43-0123456789ab.ndjson.gz",
    "events-000000000041-000000000043-0123456789ab.ndjson",
    "events-000000000041-000000000043-0123456789ab.ndjson.gz.tmp",
    "events-000000000041-000000000043-0123456789AB.ndjson.gz",
    "../events-000000000041-000000000043-0123456789ab.ndjson.gz",
    "",
  ])("is not %j", (name) => {
    expect(isArchiveName(name)).toBe(false);
    expect(overlaps(name, 0n, 10n ** 12n)).toBe(false);
  });

  test.each([
    [1n, 40n, false],
    [1n, 41n, true],
    [42n, 42n, true],
    [43n, 99n, true],
    [44n, 99n, false],
    [1n, 99n, true],
  ])("with events 41 to 43 overlaps %s to %s: %s", (first, last, shared) => {
    expect(overlaps(fileName(manifest), first, last)).toBe(shared);
  });

  test("sorts as its events do", () => {
    const position = fc.integer({ min: 1, max: 999_999_999_999 });
    fc.assert(
      fc.property(position, position, (one, other) => {
        const name = (firstPosition: number) => fileName({ ...manifest, firstPosition, lastPosition: firstPosition });
        expect(name(one) < name(other)).toBe(one < other);
      }),
    );
  });
});

test("a month is that of the world's time", () => {
  expect(monthOf(new Date("2026-03-31T23:59:59.999Z"))).toBe("2026-03");
  expect(monthOf(new Date("2026-04-01T00:00:00.000Z"))).toBe("2026-04");
});
