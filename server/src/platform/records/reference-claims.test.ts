import { beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { createMerchant } from "../../../testing/factories.ts";
import { inEnvironment, type Tx } from "../database/database.ts";
import { claimReferences, findByReference, type ReferenceClaim, withdrawReferences } from "./reference-claims.ts";

const { db } = await createTestDatabase();
let environmentId = "";
beforeEach(async () => {
  environmentId = (await createMerchant(db)).environment.id;
});

const within = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => inEnvironment(db, environmentId, work);
const idOf = (digit: number): string => `01930b6e-7c5a-7e51-9a51-00000000000${digit}`;
const [first, second, third] = [idOf(1), idOf(2), idOf(3)];
const claim = (recordId: string, ...references: string[]): ReferenceClaim => ({ recordId, references });

const claimed = (...claims: ReferenceClaim[]) => within((tx) => claimReferences(tx, "tests", claims));
const holderOf = (reference: string, kind = "tests") => within((tx) => findByReference(tx, kind, reference));

describe("a claim", () => {
  test("is won by the first, and later ones are told whose it is", async () => {
    expect(await claimed(claim(first, "a"))).toEqual([null]);
    expect(await claimed(claim(second, "a"), claim(third, "b"))).toEqual([first, null]);
    expect([await holderOf("a"), await holderOf("b")]).toEqual([first, third]);
  });

  test("is all or nothing: what a loser had won is free again", async () => {
    await claimed(claim(first, "taken"));
    expect(await claimed(claim(second, "own", "taken"))).toEqual([first]);
    expect(await holderOf("own")).toBeNull();
    expect(await claimed(claim(third, "own"))).toEqual([null]);
  });

  test("of twins in one batch one wins", async () => {
    const answers = await claimed(claim(first, "a"), claim(second, "a"));
    expect(answers).toEqual([null, first]);
  });

  test("a loser in a batch takes nothing from a winner beside it", async () => {
    await claimed(claim(first, "old"));
    const answers = await claimed(claim(second, "fresh", "old"), claim(third, "other"));
    expect(answers).toEqual([first, null]);
    expect([await holderOf("fresh"), await holderOf("other"), await holderOf("old")]).toEqual([null, third, first]);
  });

  test("is of its kind and its environment", async () => {
    await claimed(claim(first, "a"));
    expect(await within((tx) => claimReferences(tx, "others", [claim(second, "a")]))).toEqual([null]);
    const other = (await createMerchant(db, "Other")).environment.id;
    expect(await inEnvironment(db, other, (tx) => claimReferences(tx, "tests", [claim(third, "a")]))).toEqual([null]);
    expect([await holderOf("a"), await holderOf("a", "others")]).toEqual([first, second]);
  });

  test("of two at once, the second waits and sees the first", async () => {
    const answers = await Promise.all([claimed(claim(first, "race")), claimed(claim(second, "race"))]);
    const winner = await holderOf("race");
    expect([first, second]).toContain(winner);
    expect(answers.flat().sort()).toEqual([winner, null].sort());
  });

  test("batches that name the same references in another order do not block each other", async () => {
    const names = Array.from({ length: 20 }, (_, place) => `ref-${place}`);
    const answers = await Promise.all([
      claimed(...names.map((name) => claim(first, name))),
      claimed(...names.toReversed().map((name) => claim(second, name))),
    ]);
    const holders = new Set(await Promise.all(names.map((name) => holderOf(name))));
    expect(holders.size).toBe(1);
    expect(answers.map((each) => each.filter((holder) => holder !== null).length).sort()).toEqual([0, 20]);
  });
});

describe("a claim that is given back", () => {
  test("can be won again", async () => {
    await claimed(claim(first, "a", "b"));
    await within((tx) => withdrawReferences(tx, "tests", [claim(first, "a", "b")]));
    expect(await claimed(claim(second, "a", "b"))).toEqual([null]);
  });

  test("of a record that does not hold it stays", async () => {
    await claimed(claim(first, "a"));
    await within((tx) => withdrawReferences(tx, "tests", [claim(second, "a")]));
    await within((tx) => withdrawReferences(tx, "others", [claim(first, "a")]));
    expect(await holderOf("a")).toBe(first);
  });
});
