import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EnvironmentKind } from "../../platform/database/database.ts";
import { type CircuitLimits, createCircuits, freeSlots, standardSlots } from "./circuit.ts";

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
  const keyIn = (environmentId: string, endpointId: string) => ({ environmentId, endpointId });
  return {
    ...circuits,
    begin: (id: string, environmentId = "one") => circuits.begin(keyIn(environmentId, id)),
    end: (id: string, succeeded: boolean) => circuits.end(keyIn("one", id), succeeded),
    pass: (ms: number) => {
      at += ms;
    },
    room: (id: string, environmentId = "one") => circuits.rooms().get(`${environmentId}/${id}`) ?? limits.first,
    run(id: string, succeeded: boolean, times = 1) {
      for (let time = 0; time < times; time += 1) {
        circuits.begin(keyIn("one", id));
        circuits.end(keyIn("one", id), succeeded);
      }
    },
  };
}

describe("an endpoint", () => {
  test("begins with few messages at once and gets more with each success, up to the limit", () => {
    const stage = createStage();
    expect(stage.room("a")).toBe(4);
    stage.begin("a");
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
    stage.begin("a");
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

  // Sandboxes that were frozen alike have such endpoints.
  test("has nothing to do with one of the same id in another environment", () => {
    const stage = createStage();
    stage.begin("a", "two");
    stage.run("a", false, 3);
    expect([stage.room("a"), stage.room("a", "two")]).toEqual([0, 3]);
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
  expect(rooms.get("one/healthy")).toBe(8);
  const failing = [...rooms].filter(([key]) => key !== "one/healthy");
  expect(failing.reduce((sum, [, room]) => sum + room, 0)).toBe(5);
});

test("whatever happens, no more are sent to an endpoint than its window allows", () => {
  const step = fc.record({
    id: fc.constantFrom("a", "b", "c"),
    does: fc.constantFrom("fill", "arrive", "fail", "wait"),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const stage = createStage();
      const sent = { a: 0, b: 0, c: 0 };
      for (const { id, does } of steps) {
        if (does === "wait") stage.pass(400);
        if (does === "fill") {
          for (let room = stage.room(id); room > 0; room -= 1) {
            stage.begin(id);
            sent[id] += 1;
          }
        }
        if ((does === "arrive" || does === "fail") && sent[id] > 0) {
          stage.end(id, does === "arrive");
          sent[id] -= 1;
        }
        expect(sent[id]).toBeLessThanOrEqual(limits.most);
        expect(stage.room(id)).toBeGreaterThanOrEqual(0);
      }
    }),
    { numRuns: 100 },
  );
});

describe("slots", () => {
  const kinds = (live: number, sandbox: number): EnvironmentKind[] => [
    ...Array.from({ length: live }, () => "LIVE" as const),
    ...Array.from({ length: sandbox }, () => "SANDBOX" as const),
  ];

  test.each([
    ["are all free at first, of which sandboxes get those that are not live's", 10, 4, [0, 0], [10, 6]],
    ["may all be live's", 10, 10, [0, 0], [10, 0]],
    ["are taken by what is under way", 3, 1, [0, 2], [1, 0]],
    ["are free again when it has ended", 3, 1, [0, 1], [2, 1]],
    ["that hanging sandboxes hold leave live its own", 10, 4, [0, 6], [4, 0]],
    ["that live fills leave sandboxes nothing", 10, 4, [10, 0], [0, 0]],
  ] as const)("%s", (_, all, live, [ofLive, ofSandboxes], [liveFree, sandboxesFree]) => {
    const free = freeSlots({ all, live }, kinds(ofLive, ofSandboxes));
    expect(free).toEqual({ LIVE: liveFree, SANDBOX: sandboxesFree });
  });

  test("are claimed five hundred at a time at most", () => {
    expect(freeSlots(standardSlots, [])).toEqual({ LIVE: 500, SANDBOX: 500 });
  });
});
