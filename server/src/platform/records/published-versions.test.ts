import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type DatedVersion, largeChanges, type Publication, publishVersion, versionAt } from "./dated-version.ts";
import { pageMetaOf, pageOf, pageRange, paginationOf } from "./pagination.ts";

const now = new Date("2026-11-02T08:00:00.000Z");
const after = (minutes: number) => new Date(now.getTime() + minutes * 60_000);

interface Fee extends DatedVersion {
  readonly fee: bigint;
}
const fee = (version: number, minutes: number, amount = 1_000n): Fee => ({
  version,
  effectiveFrom: after(minutes),
  fee: amount,
});
const first = fee(1, -1_000);

/** A shelf of versions, and what was put on it. */
function shelf(...versions: readonly Fee[]) {
  const all = [...versions];
  const publish = (wanted: Fee, changes: Partial<Publication<Fee>> = {}) =>
    publishVersion<Fee>({
      wanted,
      now,
      confirmed: false,
      find: async (number) => all.find(({ version }) => version === number),
      latest: async () => Math.max(0, ...all.map(({ version }) => version)),
      inForceAt: async (moment) => versionAt(all, moment),
      faults: () => [],
      figures: (version) => ({ fee: version.fee }),
      insert: async (version) => {
        all.push(version);
        return true;
      },
      ...changes,
    });
  return { all, publish };
}

describe("a version", () => {
  test("takes the next number, and counts from its date on", async () => {
    const { all, publish } = shelf(first);
    expect(await publish(fee(2, 60))).toEqual({ published: fee(2, 60), replayed: false });
    expect(versionAt(all, after(59))).toEqual(first);
    expect(versionAt(all, after(60))).toEqual(fee(2, 60));
  });

  test("sent again is the same one, and nothing is written", async () => {
    const { all, publish } = shelf(first, fee(2, 60));
    expect(await publish(fee(2, 60))).toEqual({ published: fee(2, 60), replayed: true });
    expect(all).toHaveLength(2);
  });

  test.each([
    ["a number that was used for something else", fee(2, 60, 1_001n), 2],
    ["a number that was used for another date", fee(2, 61), 2],
    ["a number too far", fee(4, 60), 2],
    ["an old number", fee(1, 60), 2],
  ])("with %s is refused, with the newest number", async (_, wanted, latestVersion) => {
    await expect(shelf(first, fee(2, 60)).publish(wanted)).rejects.toMatchObject({
      code: "version_conflict",
      data: { latestVersion },
    });
  });

  test.each([
    [4.999, "validation_failed"],
    [5, undefined],
    [366 * 24 * 60, undefined],
    [366 * 24 * 60 + 0.001, "validation_failed"],
    [-1, "validation_failed"],
  ])("that counts from %d minutes from now on: %s", async (minutes, code) => {
    const published = shelf(first).publish(fee(2, minutes));
    if (code === undefined) await expect(published).resolves.toMatchObject({ replayed: false });
    else await expect(published).rejects.toMatchObject({ code, errors: [{ field: "effectiveFrom" }] });
  });

  test("tells everything that is wrong with it at once", async () => {
    const faults = () => [{ field: "fee", message: "is odd" }];
    await expect(shelf(first).publish(fee(2, 0), { faults })).rejects.toMatchObject({
      errors: [{ field: "effectiveFrom" }, { field: "fee" }],
    });
  });

  test.each([
    [1_000n, 9_999n, false],
    [1_000n, 10_000n, true],
    [1_000n, 101n, false],
    [1_000n, 100n, true],
    [1_000n, 0n, false],
    [0n, 1_000_000n, false],
  ])("that makes %s kobo %s wants a confirmation: %s", async (before, next, wants) => {
    const { publish } = shelf(fee(1, -1_000, before));
    const published = publish(fee(2, 60, next));
    if (wants) await expect(published).rejects.toMatchObject({ code: "large_change", data: { fields: ["fee"] } });
    else await expect(published).resolves.toMatchObject({ replayed: false });
    await expect(publish(fee(wants ? 2 : 3, 60, next), { confirmed: true })).resolves.toMatchObject({
      replayed: false,
    });
  });

  test("is held against the one that will count then, not against the one that counts now", async () => {
    const { publish } = shelf(fee(1, -1_000, 1_000n), fee(2, 60, 5_000n));
    await expect(publish(fee(3, 120, 12_000n))).resolves.toMatchObject({ replayed: false });
    await expect(publish(fee(4, 30, 12_000n))).rejects.toMatchObject({ code: "large_change" });
  });

  test("that a colleague wrote at the same moment is the same one, or refused", async () => {
    const twin = (theirs: Fee) => {
      const { publish, all } = shelf(first);
      const insert = async () => {
        all.push(theirs);
        return false;
      };
      return publish(fee(2, 60), { insert });
    };
    expect(await twin(fee(2, 60))).toMatchObject({ replayed: true });
    await expect(twin(fee(2, 90))).rejects.toMatchObject({ code: "version_conflict" });
    await expect(shelf(first).publish(fee(2, 60), { insert: async () => false })).rejects.toThrow("neither written");
  });
});

describe("the version that counts", () => {
  test("is of the latest date that has come, and of one date the highest number, in whatever order they lie", () => {
    const version = fc.record({ version: fc.nat({ max: 50 }), minutes: fc.integer({ min: -5, max: 5 }) });
    const all = fc.uniqueArray(version, { selector: ({ version: number }) => number, maxLength: 12 });
    fc.assert(
      fc.property(all, fc.integer({ min: -6, max: 6 }), (made, minute) => {
        const versions = made.map(({ version: number, minutes }) => fee(number, minutes));
        const found = versionAt(versions, after(minute));
        expect(versionAt(versions.toReversed(), after(minute))).toEqual(found);
        const come = versions.filter(({ effectiveFrom }) => effectiveFrom <= after(minute));
        const byRank = come.toSorted(
          (one, other) => other.effectiveFrom.getTime() - one.effectiveFrom.getTime() || other.version - one.version,
        );
        expect(found).toEqual(byRank[0]);
      }),
    );
  });

  test("is held against another by every figure, also one that is new", () => {
    expect(largeChanges({ a: 1n, b: 5n }, { a: 10n, b: 50n, c: 9n })).toEqual(["a", "b"]);
    expect(largeChanges({ a: 1n }, {})).toEqual([]);
  });
});

describe("the pages of a list", () => {
  test("hold every position once, from the newest on, and no other", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 1, max: 100 }), (total, limit) => {
        const { totalPages } = paginationOf(BigInt(total), 1, limit);
        const positions: bigint[] = [];
        for (let page = 1; page <= totalPages; page += 1) {
          const { first: from, last } = pageRange(BigInt(total), page, limit);
          for (let position = last; position >= from; position -= 1n) positions.push(position);
        }
        expect(positions).toEqual(Array.from({ length: total }, (_, place) => BigInt(total - place)));
      }),
    );
  });

  test.each([
    [0n, 1, 10, false, false, 0],
    [10n, 1, 10, false, false, 1],
    [11n, 1, 10, true, false, 2],
    [11n, 2, 10, false, true, 2],
    [11n, 9, 10, false, true, 2],
  ])(
    "of %s items, page %i of %i: next %s, previous %s, %i pages",
    (total, page, limit, hasNext, hasPrevious, pages) => {
      expect(paginationOf(total, page, limit)).toMatchObject({
        hasNextPage: hasNext,
        hasPreviousPage: hasPrevious,
        totalPages: pages,
      });
      expect(pageMetaOf(total, page, limit)).toEqual({
        current_page: page,
        next_page: hasNext ? page + 1 : null,
        prev_page: hasPrevious ? page - 1 : null,
        per_page: limit,
      });
    },
  );

  test("past the end are empty, however far", () => {
    expect(pageRange(10n, Number.MAX_SAFE_INTEGER, 100)).toEqual({ first: 1n, last: 0n });
    expect(pageOf({})).toEqual({ page: 1, limit: 10 });
  });
});
