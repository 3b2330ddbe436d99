import { expect, test } from "vitest";
import { answerWithin } from "./time-limits.ts";

const never = () => new Promise<string>(() => undefined);

test("an answer in time is the answer", async () => {
  expect(await answerWithin(1_000, async () => "paid", "unknown", unexpected)).toBe("paid");
});

test("a call that does not come back is answered for", async () => {
  expect(await answerWithin(1, never, "unknown", unexpected)).toBe("unknown");
});

test("a call that breaks is answered for, and its error told", async () => {
  const errors: unknown[] = [];
  const broken = () => Promise.reject(new Error("502 Bad Gateway"));
  expect(await answerWithin(1_000, broken, "unknown", (error) => errors.push(error))).toBe("unknown");
  expect(errors).toEqual([new Error("502 Bad Gateway")]);
});

function unexpected(error: unknown): void {
  throw error;
}
