import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../testing/database.ts";
import { asOwner, eventually } from "../../../testing/work.ts";
import { createEnvironmentLocks, type EnvironmentLocks } from "./environment-lock.ts";

const environmentId = "0198c0de-0000-7000-8000-000000000001";
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

function createLocks(): EnvironmentLocks {
  const locks = createEnvironmentLocks({ url: database.appUrl });
  onTestFinished(() => locks.close());
  return locks;
}

describe("an environment's lock", () => {
  test.each(["one process", "two processes"])("is held by one at a time in %s", async (where) => {
    const first = createLocks();
    const second = where === "one process" ? first : createLocks();
    const order: string[] = [];
    const gate = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();
    const holding = first.hold(environmentId, async () => {
      entered.resolve();
      await gate.promise;
      order.push("first");
    });
    await entered.promise;
    expect(await second.tryHold(environmentId, async () => "taken")).toBeUndefined();
    const waiting = second.hold(environmentId, async () => void order.push("second"));
    gate.resolve();
    await Promise.all([holding, waiting]);
    expect(order).toEqual(["first", "second"]);
    expect(await second.tryHold(environmentId, async () => "taken")).toBe("taken");
  });

  test("does not keep others from another environment", async () => {
    const [locks, rival] = [createLocks(), createLocks()];
    const other = "0198c0de-0000-7000-8000-000000000002";
    expect(await locks.hold(environmentId, () => rival.tryHold(other, async () => "taken"))).toBe("taken");
  });

  test("is held for any number of environments at once, and a neighbour's still at once", async () => {
    const [locks, rival] = [createLocks(), createLocks()];
    const ids = Array.from({ length: 40 }, (_, n) => `0198c0de-0000-7000-8000-0000000001${String(n).padStart(2, "0")}`);
    const gate = Promise.withResolvers<void>();
    const holders = ids.map((id) => {
      const entered = Promise.withResolvers<void>();
      const done = locks.hold(id, async () => {
        entered.resolve();
        await gate.promise;
      });
      return { entered: entered.promise, done };
    });
    await Promise.all(holders.map(({ entered }) => entered));
    expect(await locks.hold(environmentId, async () => "taken")).toBe("taken");
    expect(await rival.tryHold(ids[39] ?? "", async () => "taken")).toBeUndefined();
    gate.resolve();
    await Promise.all(holders.map(({ done }) => done));
    expect(await rival.tryHold(ids[39] ?? "", async () => "taken")).toBe("taken");
  });

  test("refuses those for whom the line is too long or the wait", async () => {
    const locks = createEnvironmentLocks({ url: database.appUrl, mostInLine: 2, longestWaitMs: 20 });
    onTestFinished(() => locks.close());
    const gate = Promise.withResolvers<void>();
    const line = [locks.hold(environmentId, () => gate.promise), locks.hold(environmentId, async () => undefined)];
    await expect(locks.hold(environmentId, async () => undefined)).rejects.toMatchObject({ code: "environment_busy" });
    gate.resolve();
    await Promise.all(line);
    const stuck = createLocks().hold(environmentId, () =>
      locks
        .hold(environmentId, async () => undefined)
        .then(
          () => "let in",
          (error: { code: string }) => error.code,
        ),
    );
    expect(await stuck).toBe("environment_busy");
  });

  test("lets its holder in again", async () => {
    const locks = createLocks();
    const inner = () => locks.tryHold(environmentId, async () => "inner");
    expect(await locks.hold(environmentId, () => locks.hold(environmentId, inner))).toBe("inner");
  });

  test("is let go when the work fails", async () => {
    const locks = createLocks();
    await expect(locks.hold(environmentId, () => Promise.reject(new Error("oops")))).rejects.toThrow("oops");
    expect(await createLocks().tryHold(environmentId, async () => "taken")).toBe("taken");
  });

  test("tells its holder when it was lost with its connection", async () => {
    const locks = createLocks();
    await locks.hold(environmentId, async (lock) => {
      lock.assertHeld();
      await asOwner(
        database.ownerUrl,
        `select pg_terminate_backend(pid) from pg_locks
         where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
      );
      await eventually("the loss is noticed", () => {
        try {
          lock.assertHeld();
          return false;
        } catch {
          return true;
        }
      });
      expect(() => lock.assertHeld()).toThrow("lock was lost");
    });
    expect(await locks.tryHold(environmentId, async () => "taken again")).toBe("taken again");
  });
});
