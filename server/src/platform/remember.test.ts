import { expect, test } from "vitest";
import { rememberEach, rememberFor } from "./remember.ts";

test("callers at the same time share one read", async () => {
  let reads = 0;
  const read = rememberFor(60_000, async () => ++reads);
  expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1]);
});

test("what is too old is read again", async () => {
  let reads = 0;
  const read = rememberFor(0, async () => ++reads);
  expect([await read(), await read()]).toEqual([1, 2]);
});

test("a failed read is not kept", async () => {
  let reads = 0;
  const read = rememberFor(60_000, async () => {
    reads += 1;
    if (reads === 1) throw new Error("away");
    return reads;
  });
  await expect(read()).rejects.toThrow("away");
  expect(await read()).toBe(2);
});

test("each key has an answer of its own", async () => {
  const asked: string[] = [];
  const read = rememberEach(60_000, async (key) => {
    asked.push(key);
    return `about ${key}`;
  });
  expect(await Promise.all([read("a"), read("b"), read("a")])).toEqual(["about a", "about b", "about a"]);
  expect(asked).toEqual(["a", "b"]);
});
