import { describe, expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { createMerchant } from "../../../testing/factories.ts";
import { eventually } from "../../../testing/work.ts";
import { setClock } from "../time/clock-setting.ts";
import type { Pass } from "../work/turns.ts";
import { inBackground } from "./cause.ts";
import { inEnvironment } from "./database.ts";
import { createEnvironmentDoors, type DoorOptions } from "./environment-doors.ts";

const writer: Pass = { alone: false, patient: false };
const alone: Pass = { alone: true, patient: false };

/** A door with writers that stay inside until they are let go. */
function openDoor(options: DoorOptions) {
  const doors = createEnvironmentDoors(options);
  const inside: string[] = [];
  const leave = new Map<string, () => void>();
  const come = (name: string, pass = writer, environment = "mine"): Promise<void> =>
    doors.through(environment, pass, async () => {
      inside.push(name);
      await new Promise<void>((resolve) => leave.set(name, resolve));
      inside.splice(inside.indexOf(name), 1);
    });
  const go = async (...names: string[]): Promise<void> => {
    for (const name of names) leave.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { doors, inside, come, go };
}

describe("the door of an environment", () => {
  test("lets in as many writers as there is room for, in the order in which they came", async () => {
    const { inside, come, go } = openDoor({ room: 2 });
    const all = ["a", "b", "c", "d"].map((name) => come(name));
    expect(inside).toEqual(["a", "b"]);
    await go("b");
    expect(inside).toEqual(["a", "c"]);
    await go("a", "c");
    expect(inside).toEqual(["d"]);
    await go("d");
    await Promise.all(all);
  });

  test("lets in one at a time while the clock stands still", async () => {
    const { doors, inside, come, go } = openDoor({ room: 5 });
    doors.note("mine", "frozen");
    const all = ["a", "b"].map((name) => come(name));
    expect(inside).toEqual(["a"]);
    await go("a");
    expect(inside).toEqual(["b"]);
    doors.note("mine", "running");
    all.push(come("c"));
    expect(inside).toEqual(["b", "c"]);
    await go("b", "c");
    await Promise.all(all);
  });

  test("waits until it is empty for one that wants to be alone, and lets nobody overtake it", async () => {
    const { inside, come, go } = openDoor({ room: 5 });
    const all = [come("a"), come("reset", alone), come("b"), come("c")];
    expect(inside).toEqual(["a"]);
    await go("a");
    expect(inside).toEqual(["reset"]);
    await go("reset");
    expect(inside).toEqual(["b", "c"]);
    await go("b", "c");
    await Promise.all(all);
  });

  test("is no other environment's", async () => {
    const { inside, come, go } = openDoor({ room: 1 });
    const all = [come("a", alone), come("b", writer, "theirs")];
    expect(inside).toEqual(["a", "b"]);
    await go("a", "b");
    await Promise.all(all);
  });

  test("turns away whom there is no room to wait for, and says when to come back", async () => {
    const { come, go } = openDoor({ room: 1, mostWaiting: 1 });
    const all = [come("a"), come("b")];
    await expect(come("c")).rejects.toMatchObject({
      code: "environment_busy",
      status: 429,
      headers: { "retry-after": "1" },
    });
    const patient = come("background", { alone: false, patient: true });
    await go("a");
    await go("b");
    await go("background");
    await Promise.all([...all, patient]);
  });

  test("turns away a caller who has waited too long, and those behind go on", async () => {
    const { inside, come, go } = openDoor({ room: 2, longestWaitMs: 5 });
    const first = come("a");
    await expect(come("reset", alone)).rejects.toMatchObject({ code: "environment_busy" });
    const second = come("b");
    expect(inside).toEqual(["a", "b"]);
    await go("a", "b");
    await Promise.all([first, second]);
  });

  test("stays open when the work fails, and for work within the work", async () => {
    const { doors } = openDoor({ room: 1 });
    await expect(doors.through("mine", writer, () => Promise.reject(new Error("oops")))).rejects.toThrow("oops");
    const nested = doors.through("mine", writer, () => doors.through("mine", writer, async () => "inner"));
    expect(await nested).toBe("inner");
  });
});

describe("more writers in a frozen sandbox than the pool has connections", () => {
  test("leave the connections to its neighbours while they wait", async () => {
    const { db, pool } = await createTestDatabase(4);
    const [mine, theirs] = [(await createMerchant(db)).environment.id, (await createMerchant(db)).environment.id];
    await inEnvironment(db, mine, (tx) => setClock(tx, mine, { mode: "frozen", seed: "s" }));
    await inEnvironment(db, mine, async () => undefined);
    const entered = Promise.withResolvers<void>();
    const finished = Promise.withResolvers<void>();
    let done = 0;
    const write = async (): Promise<void> => {
      entered.resolve();
      await finished.promise;
      done += 1;
    };
    const writing = [
      ...Array.from({ length: 8 }, () => inEnvironment(db, mine, write)),
      ...Array.from({ length: 4 }, () => inBackground(() => inEnvironment(db, mine, write))),
    ];
    await entered.promise;
    expect(await inEnvironment(db, theirs, async (tx) => tx.environment.id)).toBe(theirs);
    expect(done).toBe(0);
    await eventually("one connection is in use", () => pool.totalCount - pool.idleCount === 1);
    expect(pool.waitingCount).toBe(0);
    finished.resolve();
    await Promise.all(writing);
    expect(done).toBe(12);
  });
});
