import { describe, expect, test } from "vitest";
import { eventually } from "../../../testing/work.ts";
import { createFeedWatch } from "./feed-watch.ts";

const [one, other] = ["environment one", "environment other"];
const at = (position: bigint) => (total: bigint | undefined) => position === (total ?? 0n);
const forever = { waitMs: 60_000, gone: new AbortController().signal };

function createTotals() {
  const totals = new Map<string, bigint>();
  const asked: string[][] = [];
  const readTotals = async (environmentIds: readonly string[]) => {
    asked.push([...environmentIds]);
    return totals;
  };
  return { totals, asked, watch: createFeedWatch({ readTotals, everyMs: 1 }) };
}

describe("waiting at the feed", () => {
  test("ends when the list has grown, for those who wait for that list only", async () => {
    const { totals, watch } = createTotals();
    const changed = watch.change(one, at(0n), forever);
    const unchanged = watch.change(other, at(0n), { ...forever, waitMs: 100 });
    totals.set(one, 1n);
    await changed;
    expect(watch.waiting()).toBe(1);
    await unchanged;
  });

  test("ends at once when the list had grown before", async () => {
    const { totals, watch } = createTotals();
    totals.set(one, 8n);
    await watch.change(one, at(7n), forever);
  });

  test("ends when the list is shorter than it was, as after a reset", async () => {
    const { totals, watch } = createTotals();
    totals.set(one, 7n);
    const waiting = watch.change(one, at(7n), forever);
    totals.delete(one);
    await waiting;
  });

  test("ends when nobody is there any more, and leaves nothing behind", async () => {
    const { watch, asked } = createTotals();
    const leaving = new AbortController();
    const waiting = watch.change(one, at(0n), { ...forever, gone: leaving.signal });
    expect(watch.waiting()).toBe(1);
    leaving.abort();
    await waiting;
    await watch.change(one, at(0n), { ...forever, gone: leaving.signal });
    expect(watch.waiting()).toBe(0);
    const before = asked.length;
    await watch.change(one, at(0n), { ...forever, waitMs: 1 });
    expect(asked.length - before).toBeLessThan(10);
  });

  test("a thousand waiters ask one question at a time, each environment named once", async () => {
    const { totals, asked, watch } = createTotals();
    const waiting = Array.from({ length: 1000 }, (_, index) => watch.change(index % 2 ? one : other, at(0n), forever));
    await eventually("three questions", () => asked.length >= 3);
    expect(asked.slice(1).every((environmentIds) => environmentIds.length === 2)).toBe(true);
    totals.set(one, 1n).set(other, 1n);
    await Promise.all(waiting);
    expect(watch.waiting()).toBe(0);
  });

  test("survives a question that fails", async () => {
    let failures = 0;
    const readTotals = async (): Promise<Map<string, bigint>> => {
      failures += 1;
      throw new Error("the database is away");
    };
    const watch = createFeedWatch({ readTotals, everyMs: 1 });
    await watch.change(one, at(0n), { ...forever, waitMs: 50 });
    expect(failures).toBe(1);
  });
});
