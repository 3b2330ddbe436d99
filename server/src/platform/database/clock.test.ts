import { describe, expect, test } from "vitest";
import { type Clock, clockFromRow, frozenClock, runningClock } from "./clock.ts";

const at = new Date("2026-11-01T06:00:00.123Z");
const version7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const timeOf = (id: string): number => Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);
const draw = (clock: Clock): string[] => [clock.newId(), clock.randomBytes(5).toString("hex"), clock.newId()];

describe("a running clock", () => {
  test.each([0, 86_400_000, -86_400_000])("runs %d ms beside real time, and its ids say so", (offsetMs) => {
    const clock = runningClock(at, offsetMs);
    const expected = at.getTime() + offsetMs;
    expect(clock.now().getTime()).toBe(expected);
    expect(clock.after(5).getTime()).toBe(expected + 5);
    const id = clock.newId();
    expect(id).toMatch(version7);
    expect(timeOf(id)).toBe(expected);
    expect(clock.newId()).not.toBe(id);
  });
});

describe("a frozen clock", () => {
  test("stands still and makes the same things from the same stream", () => {
    expect(frozenClock(at, "seed", "1").now()).toEqual(at);
    expect(draw(frozenClock(at, "seed", "1"))).toEqual(draw(frozenClock(at, "seed", "1")));
    expect(new Set(draw(frozenClock(at, "seed", "1"))).size).toBe(3);
  });

  test.each([
    ["seed", "2"],
    ["other", "1"],
  ])("makes other things from the seed %s and the stream %s", (seed, stream) => {
    expect(draw(frozenClock(at, seed, stream))).not.toEqual(draw(frozenClock(at, "seed", "1")));
  });

  test("its ids are version 7 and carry its time", () => {
    const id = frozenClock(at, "seed", "1").newId();
    expect(id).toMatch(version7);
    expect(timeOf(id)).toBe(at.getTime());
  });

  test.each([0, 1, 31, 32, 33, 100])("gives %d bytes when asked for them", (length) => {
    expect(frozenClock(at, "s", "1").randomBytes(length)).toHaveLength(length);
  });

  test("cannot be moved by who was told the time", () => {
    const clock = frozenClock(at, "s", "1");
    clock.now().setTime(0);
    expect(clock.now()).toEqual(at);
  });
});

describe("what a frozen sandbox makes up", () => {
  const row = {
    database_now: new Date(),
    mode: "frozen",
    offset_ms: 0n,
    frozen_at: at,
    seed: "s",
    transaction_number: 1n,
  };
  const request = { is: "request" } as const;
  const task = { is: "task", stream: "t/1" } as const;

  test("is each request's transaction's own", () => {
    expect(draw(clockFromRow(row, request))).toEqual(draw(clockFromRow(row, request)));
    expect(draw(clockFromRow({ ...row, transaction_number: 2n }, request))).not.toEqual(
      draw(clockFromRow(row, request)),
    );
  });

  test("does not depend on how many requests came before a task", () => {
    expect(draw(clockFromRow({ ...row, transaction_number: 9n }, task))).toEqual(draw(clockFromRow(row, task)));
    expect(draw(clockFromRow(row, task))).not.toEqual(draw(clockFromRow(row, request)));
  });

  test("is no seed's business in the background, and a reader makes up nothing", () => {
    const background = { is: "background" } as const;
    expect(draw(clockFromRow(row, background))).not.toEqual(draw(clockFromRow(row, background)));
    expect(() => clockFromRow(row, { is: "reader" }).newId()).toThrow("may not make up ids");
    expect(clockFromRow(row, { is: "reader" }).now()).toEqual(at);
  });

  test("branches by the transaction that books", () => {
    const branches = (clock: Clock) => [clock.branch(), clock.branch()];
    expect(branches(clockFromRow(row, task))).toEqual(branches(clockFromRow(row, task)));
    expect(new Set([...branches(clockFromRow(row, task)), ...branches(clockFromRow(row, request))]).size).toBe(4);
    expect(runningClock(at, 0).branch()).toBeNull();
  });
});
