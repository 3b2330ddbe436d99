import { describe, expect, test } from "vitest";
import { type CircuitLimits, createCircuits } from "./circuit.ts";

const limits: CircuitLimits = {
  first: 4,
  most: 8,
  failures: 3,
  shortestPauseMs: 100,
  longestPauseMs: 1_000,
  mostSuspect: 5,
};

function createStage() {
  let at = 0;
  const circuits = createCircuits(limits, () => at);
  return {
    ...circuits,
    pass: (ms: number) => {
      at += ms;
    },
    room: (id: string) => circuits.rooms().get(id) ?? limits.first,
    run(id: string, succeeded: boolean, times = 1) {
      for (let time = 0; time < times; time += 1) {
        circuits.begin(id, "one");
        circuits.end(id, succeeded);
      }
    },
  };
}

describe("an endpoint", () => {
  test("begins with few messages at once and gets more with each success, up to the limit", () => {
    const stage = createStage();
    expect(stage.room("a")).toBe(4);
    stage.begin("a", "one");
    expect(stage.room("a")).toBe(3);
    stage.end("a", true);
    expect(stage.room("a")).toBe(5);
    stage.run("a", true, 20);
    expect(stage.room("a")).toBe(8);
  });

  test("gets half as many with each failure, never none", () => {
    const stage = createStage();
    stage.run("a", true, 20);
    stage.run("a", false);
    expect(stage.room("a")).toBe(4);
    stage.run("a", false);
    expect(stage.room("a")).toBe(2);
  });

  test("is tried with one message at a time, after growing pauses, once it failed in a row", () => {
    const stage = createStage();
    stage.run("a", false, 3);
    expect(stage.room("a")).toBe(0);
    stage.pass(100);
    expect(stage.room("a")).toBe(1);
    stage.begin("a", "one");
    stage.pass(10_000);
    expect(stage.room("a")).toBe(0);
    stage.end("a", false);
    stage.pass(199);
    expect(stage.room("a")).toBe(0);
    stage.pass(1);
    expect(stage.room("a")).toBe(1);
    stage.run("a", false, 20);
    stage.pass(1_000);
    expect(stage.room("a")).toBe(1);
  });

  test("is trusted again after one success", () => {
    const stage = createStage();
    stage.run("a", false, 9);
    stage.run("a", true);
    expect(stage.room("a")).toBeGreaterThan(0);
    stage.run("a", true, 9);
    expect(stage.room("a")).toBe(8);
  });

  test("is forgotten after a while without messages, so that memory does not grow", () => {
    const stage = createStage();
    stage.run("a", false, 3);
    stage.pass(600_001);
    expect([...stage.rooms().keys()]).toEqual([]);
  });
});

test("endpoints that fail share a bounded part, and those that work keep theirs", () => {
  const stage = createStage();
  for (const id of ["a", "b", "c", "d", "e", "f", "g"]) stage.run(id, false, 3);
  stage.run("healthy", true, 9);
  stage.pass(1_000);
  const rooms = stage.rooms();
  expect(rooms.get("healthy")).toBe(8);
  const failing = [...rooms].filter(([id]) => id !== "healthy");
  expect(failing.reduce((sum, [, room]) => sum + room, 0)).toBe(5);
});

describe("room that is set aside", () => {
  const sum = (rooms: ReadonlyMap<string, number>) => rooms.values().reduce((all, room) => all + room, 0);

  test("is at endpoints of the environment that are known and well, and counts as taken until it is given back", () => {
    const stage = createStage();
    stage.run("a", true, 20);
    stage.run("failing", false);
    stage.begin("elsewhere", "two");
    expect(stage.reserve("three", 5, 100)).toEqual(new Map());
    const rooms = stage.reserve("one", 5, 100);
    expect(rooms).toEqual(new Map([["a", 5]]));
    expect(stage.room("a")).toBe(3);
    stage.release(rooms);
    expect(stage.room("a")).toBe(8);
  });

  test("is never more than there is, in all and with what is under way", () => {
    const stage = createStage();
    for (const id of ["a", "b", "c"]) stage.run(id, true, 20);
    stage.begin("a", "one");
    expect(sum(stage.reserve("one", 100, 10))).toBe(10);
    expect(sum(stage.reserve("one", 100, 100))).toBe(3 * 8 - 1 - 10);
    expect(sum(stage.reserve("one", 100, 100))).toBe(0);
  });

  test("is not looked for at very many endpoints, and keeps one from being forgotten", () => {
    const stage = createStage();
    for (let place = 0; place < 50; place += 1) stage.run(`e${place}`, true);
    expect(sum(stage.reserve("one", 1, 100))).toBe(50);
    stage.pass(600_001);
    expect(stage.rooms().size).toBe(50);
    stage.run("e50", true);
    expect(stage.reserve("one", 1, 100).size).toBe(0);
  });
});
