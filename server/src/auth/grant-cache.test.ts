import { expect, test } from "vitest";
import { createGrantCache, grantLifeMs } from "./authenticate.ts";
import type { KeyGrant } from "./key-store.ts";

const grant: KeyGrant = {
  keyId: "k",
  environmentId: "e",
  environmentKind: "SANDBOX",
  merchantId: "m",
  scopes: ["*"],
  allowedAddresses: [],
  expiresAt: null,
  revokedAt: null,
};

const hash = (text: string) => Buffer.from(text);

function createCounted(answer: (text: string) => KeyGrant | undefined, size = 10) {
  const asked: string[] = [];
  const time = { now: 0 };
  const cache = createGrantCache({
    look: async (bytes) => {
      asked.push(bytes.toString());
      return answer(bytes.toString());
    },
    now: () => time.now,
    size,
  });
  return { cache, asked, time };
}

test("an answer is remembered for its life and then asked again", async () => {
  const { cache, asked, time } = createCounted(() => grant);
  await cache.find(hash("a"));
  time.now = grantLifeMs - 1;
  await cache.find(hash("a"));
  expect(asked).toEqual(["a"]);
  time.now = grantLifeMs;
  await cache.find(hash("a"));
  expect(asked).toEqual(["a", "a"]);
});

test("an answer's life is short enough for a revoked key to stop within five seconds", () => {
  expect(grantLifeMs).toBeLessThanOrEqual(3_000);
});

test("an unknown key is remembered too", async () => {
  const { cache, asked } = createCounted(() => undefined);
  expect(await cache.find(hash("a"))).toBeUndefined();
  expect(await cache.find(hash("a"))).toBeUndefined();
  expect(asked).toEqual(["a"]);
});

test("a key that was unknown and is then issued works when the memory ends", async () => {
  const issued = new Set<string>();
  const { cache, time } = createCounted((text) => (issued.has(text) ? grant : undefined));
  expect(await cache.find(hash("a"))).toBeUndefined();
  issued.add("a");
  time.now = grantLifeMs;
  expect(await cache.find(hash("a"))).toBe(grant);
  time.now += 1;
  expect(await cache.find(hash("a"))).toBe(grant);
});

test("requests that miss together share one question", async () => {
  const { cache, asked } = createCounted(() => grant);
  await Promise.all(Array.from({ length: 50 }, () => cache.find(hash("a"))));
  expect(asked).toEqual(["a"]);
});

test("the life counts from the question, not from a late answer", async () => {
  const time = { now: 0 };
  let asked = 0;
  const cache = createGrantCache({
    look: async () => {
      asked += 1;
      time.now += grantLifeMs;
      return grant;
    },
    now: () => time.now,
  });
  await cache.find(hash("a"));
  await cache.find(hash("a"));
  expect(asked).toBe(2);
});

test("a question that fails is not remembered", async () => {
  let fails = true;
  const cache = createGrantCache({
    look: async () => {
      if (fails) throw new Error("away");
      return grant;
    },
  });
  await expect(cache.find(hash("a"))).rejects.toThrow("away");
  fails = false;
  expect(await cache.find(hash("a"))).toBe(grant);
});

test("memory is bounded, and guessed keys do not push out one that works", async () => {
  const { cache, asked } = createCounted((text) => (text === "good" ? grant : undefined), 3);
  await cache.find(hash("good"));
  for (let guess = 0; guess < 100; guess += 1) await cache.find(hash(`guess-${guess}`));
  await cache.find(hash("good"));
  expect(asked.filter((text) => text === "good")).toHaveLength(1);
  // The first guesses were forgotten: memory holds three.
  await cache.find(hash("guess-0"));
  expect(asked.filter((text) => text === "guess-0")).toHaveLength(2);
});
