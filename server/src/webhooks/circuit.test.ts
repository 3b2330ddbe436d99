import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EnvironmentKind } from "../platform/database/database.ts";
import { type CircuitLimits, createCircuits, freeSlots, standardSlots } from "./circuit.ts";

const limits: CircuitLimits = {
  first: 4,
  most: 8,
  failures: 3,
  shortestPauseMs: 100,
  longestPauseMs: 1_000,
  mostSuspect: 5,
  ahead: 8,
  mostAhead: 0,
  longestWaitMs: 500,
};

function createStage(more: Partial<CircuitLimits> = {}) {
  let at = 0;
  const circuits = createCircuits({ ...limits, ...more }, () => at);
  const keyIn = (environmentId: string, endpointId: string) => ({ environmentId, endpointId });
  return {
    ...circuits,
    begin: (id: string, environmentId = "one") => circuits.begin(keyIn(environmentId, id)),
    end: (id: string, succeeded: boolean, tookMs?: number) => circuits.end(keyIn("one", id), succeeded, tookMs),
    pass: (ms: number) => {
      at += ms;
    },
    room: (id: string, environmentId = "one") => circuits.rooms().get(`${environmentId}/${id}`) ?? limits.first,
    run(id: string, succeeded: boolean, times = 1) {
      for (let time = 0; time < times; time += 1) {
        void circuits.begin(keyIn("one", id));
        circuits.end(keyIn("one", id), succeeded);
      }
    },
  };
}

describe("an endpoint", () => {
  test("begins with few messages at once and gets more with each success, up to the limit", () => {
    const stage = createStage();
    expect(stage.room("a")).toBe(4);
    void stage.begin("a");
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
    void stage.begin("a");
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
    void stage.begin("a", "two");
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

describe("messages that wait for their turn", () => {
  /** An endpoint that takes eight at once, and what became of those that were begun: `undefined` while they wait. */
  function createBusy(more: Partial<CircuitLimits> = {}) {
    const stage = createStage({ mostAhead: 6, ...more });
    const outcomes: (boolean | undefined)[] = [];
    const begin = (id: string, times: number) => {
      for (let time = 0; time < times; time += 1) {
        const place = outcomes.push(undefined) - 1;
        void stage.begin(id).then((mayGo) => {
          outcomes[place] = mayGo;
        });
      }
    };
    const seen = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return outcomes;
    };
    stage.run("a", true, 20);
    return { ...stage, begin, seen };
  }

  const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

  test("are claimed for an endpoint that is at its best and busy, and go in their order as others end", async () => {
    const stage = createBusy();
    expect(stage.room("a")).toBe(8);
    stage.begin("a", 8);
    expect(stage.room("a")).toBe(6);
    stage.begin("a", 6);
    expect(stage.room("a")).toBe(0);
    expect(await stage.seen()).toEqual([...times(8, true), ...times(6, undefined)]);
    stage.end("a", true);
    stage.end("a", true);
    expect(await stage.seen()).toEqual([...times(10, true), ...times(4, undefined)]);
    expect(stage.room("a")).toBe(2);
  });

  test("are no more than allowed at one endpoint, and never more than allowed in all", () => {
    const stage = createBusy({ mostAhead: 11 });
    stage.run("b", true, 20);
    stage.begin("a", 8);
    stage.begin("b", 8);
    expect([stage.room("a"), stage.room("b")]).toEqual([8, 3]);
    stage.begin("a", 8);
    expect([stage.room("a"), stage.room("b")]).toEqual([0, 3]);
    stage.begin("b", 3);
    expect(stage.room("b")).toBe(0);
  });

  test("are none at an endpoint that takes more than a second for a message", () => {
    const stage = createBusy();
    stage.begin("a", 8);
    stage.end("a", true, 1_001);
    stage.begin("a", 1);
    expect(stage.room("a")).toBe(0);
    stage.end("a", true, 1_000);
    expect(stage.room("a")).toBe(1 + 6);
  });

  test("are none at an endpoint that has failed, or has not shown what it takes", () => {
    const stage = createBusy();
    stage.begin("new", 4);
    expect(stage.room("new")).toBe(0);
    stage.begin("a", 8);
    stage.end("a", false);
    expect(stage.room("a")).toBe(0);
  });

  test("are left to their leases when the circuit opens, and take no room any more", async () => {
    const stage = createBusy();
    stage.begin("a", 14);
    for (const _ of times(3, 0)) stage.end("a", false);
    expect(await stage.seen()).toEqual([...times(8, true), ...times(6, false)]);
    for (const _ of times(5, 0)) stage.end("a", false);
    stage.pass(10_000);
    expect(stage.room("a")).toBe(1);
  });

  test("are left to their leases when they have waited too long", async () => {
    const stage = createBusy();
    stage.begin("a", 14);
    stage.pass(501);
    stage.end("a", true);
    expect((await stage.seen()).slice(8)).toEqual(times(6, false));
    expect(stage.room("a")).toBe(1 + 6);
  });

  test("whatever happens, no more are sent than the window allows and no more wait than allowed in all", async () => {
    const step = fc.record({
      id: fc.constantFrom("a", "b", "c"),
      does: fc.constantFrom("fill", "arrive", "fail", "wait"),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 120 }), async (steps) => {
        const stage = createStage({ mostAhead: 6 });
        const claimed: { id: string; mayGo?: boolean }[] = [];
        const of = (id: string, mayGo?: boolean) => claimed.filter((one) => one.id === id && one.mayGo === mayGo);
        for (const { id, does } of steps) {
          if (does === "wait") stage.pass(400);
          if (does === "fill") {
            for (const [key, room] of new Map([[`one/${id}`, stage.room(id)], ...stage.rooms()])) {
              const endpoint = key.replace("one/", "");
              for (let place = 0; place < room; place += 1) {
                const one: (typeof claimed)[number] = { id: endpoint };
                claimed.push(one);
                void stage.begin(endpoint).then((mayGo) => {
                  one.mayGo = mayGo;
                });
              }
            }
          }
          const [sent] = of(id, true);
          if (sent !== undefined && (does === "arrive" || does === "fail")) {
            claimed.splice(claimed.indexOf(sent), 1);
            stage.end(id, does === "arrive");
          }
          await new Promise((resolve) => setImmediate(resolve));
          for (const endpoint of ["a", "b", "c"]) {
            expect(of(endpoint, true).length).toBeLessThanOrEqual(limits.most);
            // Somebody waits only while another is being sent, who calls it up.
            if (of(endpoint).length > 0) expect(of(endpoint, true).length).toBeGreaterThan(0);
          }
          expect(claimed.filter(({ mayGo }) => mayGo === undefined).length).toBeLessThanOrEqual(6);
        }
      }),
      { numRuns: 100 },
    );
  });
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
