import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLastUsed, type KeyUse } from "./authenticate.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function createRecorded() {
  const writes: (readonly KeyUse[])[] = [];
  const lastUsed = createLastUsed({
    write: async (uses) => void writes.push(uses),
    onError: (error) => {
      throw error;
    },
  });
  return { lastUsed, writes };
}

test("many uses in a minute are one write of the last of them", async () => {
  const { lastUsed, writes } = createRecorded();
  for (let second = 0; second < 50; second += 1) lastUsed.note("a", new Date(second * 1_000));
  expect(writes).toEqual([]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(writes).toEqual([[["a", new Date(49_000)]]]);
  await lastUsed.close();
});

test("a minute without use writes nothing", async () => {
  const { lastUsed, writes } = createRecorded();
  await vi.advanceTimersByTimeAsync(300_000);
  expect(writes).toEqual([]);
  await lastUsed.close();
});

test("closing writes what is left and ends the timer", async () => {
  const { lastUsed, writes } = createRecorded();
  lastUsed.note("a", new Date(0));
  await lastUsed.close();
  expect(writes).toHaveLength(1);
  expect(vi.getTimerCount()).toBe(0);
});

test("a write that fails is reported and does not stop later ones", async () => {
  const errors: unknown[] = [];
  let fails = true;
  const written: KeyUse[] = [];
  const lastUsed = createLastUsed({
    write: async (uses) => {
      if (fails) throw new Error("away");
      written.push(...uses);
    },
    onError: (error) => void errors.push(error),
  });
  lastUsed.note("a", new Date(0));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(errors).toHaveLength(1);
  fails = false;
  lastUsed.note("b", new Date(1));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(written).toEqual([["b", new Date(1)]]);
  await lastUsed.close();
});

test("very many keys are written in parts", async () => {
  const { lastUsed, writes } = createRecorded();
  for (let key = 0; key < 2_500; key += 1) lastUsed.note(`key-${key}`, new Date(0));
  await lastUsed.close();
  expect(writes.map((uses) => uses.length)).toEqual([1_000, 1_000, 500]);
});
