import { expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { createLive, createMerchant } from "../../../testing/factories.ts";
import { eventually } from "../../../testing/work.ts";
import { readTotal, takePositions } from "../records/pagination.ts";
import { inEnvironment, readEnvironment, timeIn } from "./database.ts";
import { sandboxPlaces } from "./sandbox-share.ts";

/** A sandbox that the database has met. */
async function createSandbox(db: Parameters<typeof readEnvironment>[0]): Promise<string> {
  const { environment } = await createMerchant(db);
  await readEnvironment(db, environment.id, async () => undefined);
  return environment.id;
}

test.each([
  [1, 1],
  [2, 1],
  [5, 3],
  [10, 7],
  [20, 15],
])("of %d connections sandboxes may hold %d", (poolSize, places) => {
  expect(sandboxPlaces(poolSize)).toBe(places);
});

test("while sandboxes hold every connection that they may, live environments read and write at once", async () => {
  const { db } = await createTestDatabase(8);
  const live = await createLive(db);
  const sandboxes = await Promise.all([1, 2, 3].map(() => createSandbox(db)));
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  let inside = 0;
  const hold = async (): Promise<void> => {
    inside += 1;
    await over;
  };
  const readers = sandboxes.flatMap((id) => Array.from({ length: 8 }, () => readEnvironment(db, id, hold)));
  const writers = sandboxes.flatMap((id) => Array.from({ length: 8 }, () => inEnvironment(db, id, hold)));
  await eventually("sandboxes hold their connections", async () => inside === sandboxPlaces(8));
  await inEnvironment(db, live, (tx) => takePositions(tx, "live", 1));
  expect(await readEnvironment(db, live, (tx) => readTotal(tx, "live"))).toBe(1n);
  expect(await timeIn(db, live)).toBeInstanceOf(Date);
  expect(inside).toBe(sandboxPlaces(8));
  end();
  await Promise.all([...readers, ...writers]);
  expect(inside).toBe(48);
});

test("a sandbox with one transaction waits for one of a busy one, not for all of them", async () => {
  const { db } = await createTestDatabase(2);
  const [busy, other] = [await createSandbox(db), await createSandbox(db)];
  const order: string[] = [];
  const reading = (name: string, id: string) => readEnvironment(db, id, async () => void order.push(name));
  await Promise.all([reading("b1", busy), reading("b2", busy), reading("b3", busy), reading("o1", other)]);
  expect(order).toEqual(["b1", "b2", "o1", "b3"]);
});

test("a transaction within one of a sandbox does not wait for the place that the other holds", async () => {
  const { db } = await createTestDatabase(2);
  const sandbox = await createSandbox(db);
  const within = () => readEnvironment(db, sandbox, async (tx) => tx.environment.id);
  expect(await inEnvironment(db, sandbox, within)).toBe(sandbox);
});

test("what a transaction leaves running when it ends waits like everybody else", async () => {
  const { db } = await createTestDatabase(2);
  const sandbox = await createSandbox(db);
  const { promise: ended, resolve: tell } = Promise.withResolvers<void>();
  let left: Promise<void> = Promise.resolve();
  const order: string[] = [];
  const live = await createLive(db);
  await inEnvironment(db, sandbox, async () => {
    left = ended.then(() => readEnvironment(db, sandbox, async () => void order.push("left")));
  });
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const holding = readEnvironment(db, sandbox, () => over.then(() => void order.push("holding")));
  tell();
  await ended;
  await readEnvironment(db, live, async () => void order.push("live"));
  end();
  await Promise.all([holding, left]);
  expect(order).toEqual(["live", "holding", "left"]);
});
