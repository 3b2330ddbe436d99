import { setImmediate as nextTurn } from "node:timers/promises";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { createTestDatabase } from "../../testing/database.ts";
import { createLive } from "../../testing/factories.ts";
import { createSpending, type Spend, type Spending } from "../../testing/ledger/spending.ts";
import { eventually } from "../../testing/work.ts";
import { type GroupCommit, groupCommitSlots } from "./group-commit.ts";

const { db } = await createTestDatabase(12);

let spending: Spending;
let environment: string;
let other: string;

beforeEach(async () => {
  spending = createSpending(db);
  [environment, other] = [await spending.openPurse(1_000n), await spending.openPurse(1_000n)];
});

function submitMany(group: GroupCommit, count: number, input: Spend = { amount: 1n }, id = environment) {
  return Array.from({ length: count }, () => group.submit(id, spending.kind, input));
}

const sizes = () => spending.batches.map(({ size }) => size);
const begun = (count: number) => eventually(`${count} batches have begun`, () => spending.batches.length === count);

describe("batching", () => {
  test("commands that arrive while a batch is under way share the next transaction", async () => {
    const open = spending.hold();
    const group = spending.groupCommit();
    const first = group.submit(environment, spending.kind, { amount: 1n });
    await begun(1);
    const rest = submitMany(group, 100);
    open();
    expect(await Promise.all([first, ...rest])).toEqual(Array(101).fill(1n));
    expect(sizes()).toEqual([1, 100]);
    expect(await spending.leftIn(environment)).toBe(899n);
  });

  test("commands of one turn of the event loop travel together", async () => {
    await Promise.all(submitMany(spending.groupCommit(), 40));
    expect(sizes()).toEqual([40]);
  });

  test("a batch holds 256 commands at most", async () => {
    await Promise.all(submitMany(spending.groupCommit({ perEnvironment: 1 }), 600));
    expect(sizes()).toEqual([256, 256, 88]);
    expect(await spending.leftIn(environment)).toBe(400n);
  });

  test("a lone command waits for no timer", async () => {
    // Time stands still: whatever waited for a timer would never end.
    vi.useFakeTimers({ toFake: ["setTimeout", "setInterval"] });
    try {
      expect(await spending.groupCommit().submit(environment, spending.kind, { amount: 7n })).toBe(7n);
    } finally {
      vi.useRealTimers();
    }
  });

  test("nobody is answered before COMMIT", async () => {
    const open = spending.hold();
    let answered = false;
    const spent = spending
      .groupCommit()
      .submit(environment, spending.kind, { amount: 7n })
      .then(() => {
        answered = true;
      });
    await begun(1);
    await nextTurn();
    expect([answered, await spending.leftIn(environment)]).toEqual([false, 1_000n]);
    open();
    await spent;
    expect(await spending.leftIn(environment)).toBe(993n);
  });
});

describe("refusals and failures", () => {
  test("a command without funds is refused and its neighbours go on", async () => {
    const group = spending.groupCommit();
    const outcomes = await Promise.allSettled(
      [600n, 500n, 300n, 101n, 100n].map((amount) => group.submit(environment, spending.kind, { amount })),
    );
    expect(outcomes.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    expect(outcomes[1]).toMatchObject({ reason: { code: "insufficient_funds", status: 422 } });
    expect(sizes()).toEqual([5]);
    expect(await spending.leftIn(environment)).toBe(0n);
  });

  test("a command that its plan refuses hears why, and its neighbours go on", async () => {
    const group = spending.groupCommit();
    const good = submitMany(group, 3);
    const bad = group.submit(environment, spending.kind, { amount: 1n, trouble: "refused" });
    await expect(bad).rejects.toMatchObject({ code: "invalid_state" });
    await Promise.all(good);
    expect(sizes()).toEqual([4]);
  });

  test.each(["bug in plan", "bug in write"] as const)(
    "a %s fails alone: the batch is halved around it",
    async (trouble) => {
      const group = spending.groupCommit();
      const before = submitMany(group, 5);
      const bad = group.submit(environment, spending.kind, { amount: 1n, trouble });
      const after = submitMany(group, 10);
      await expect(bad).rejects.toThrow(`a ${trouble}`);
      expect(await Promise.all([...before, ...after])).toEqual(Array(15).fill(1n));
      expect(sizes()).toEqual([16, 8, 4, 4, 2, 1, 1, 2, 8]);
      expect(await spending.leftIn(environment)).toBe(985n);
    },
  );

  test("when PostgreSQL is lost everybody hears it, and the batch is not halved", async () => {
    const bad = submitMany(spending.groupCommit(), 4, { amount: 1n, trouble: "connection lost" });
    const outcomes = await Promise.allSettled(bad);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ reason: { code: "unavailable", status: 503, headers: { "Retry-After": "1" } } });
    }
    expect(new Set(sizes())).toEqual(new Set([4]));
    expect(await spending.leftIn(environment)).toBe(1_000n);
  });
});

describe("back-pressure", () => {
  test("a full queue turns new commands away with Retry-After, and only in its own environment", async () => {
    const open = spending.hold();
    const group = spending.groupCommit({ perEnvironment: 1, queueBound: 3 });
    const held = group.submit(environment, spending.kind, { amount: 1n });
    await begun(1);
    const waiting = submitMany(group, 3);
    await expect(group.submit(environment, spending.kind, { amount: 1n })).rejects.toMatchObject({
      code: "ledger_busy",
      status: 503,
      headers: { "retry-after": "1" },
    });
    const elsewhere = group.submit(other, spending.kind, { amount: 1n });
    open();
    await Promise.all([held, ...waiting, elsewhere]);
    expect(await group.submit(environment, spending.kind, { amount: 1n })).toBe(1n);
    expect(await spending.leftIn(environment)).toBe(995n);
  });

  test("draining waits for what was submitted, and not when there is nothing", async () => {
    const open = spending.hold();
    const group = spending.groupCommit({ perEnvironment: 1 });
    await group.drain();
    const spent = submitMany(group, 3);
    await begun(1);
    const late = submitMany(group, 3);
    let drained = false;
    const draining = group.drain().then(() => {
      drained = true;
    });
    await nextTurn();
    expect(drained).toBe(false);
    open();
    await draining;
    expect(sizes()).toEqual([3, 3]);
    expect(await spending.leftIn(environment)).toBe(994n);
    await Promise.all([...spent, ...late]);
  });

  test("some connections of the pool are left to others", () => {
    expect([1, 5, 10, 20].map(groupCommitSlots)).toEqual([2, 2, 6, 16]);
  });
});

describe("fairness", () => {
  test("environments take turns, however long a queue is", async () => {
    const group = spending.groupCommit({ slots: 1, batchSize: 2 });
    const busy = submitMany(group, 6);
    const quiet = submitMany(group, 1, { amount: 1n }, other);
    await Promise.all([...busy, ...quiet]);
    expect(spending.batches).toEqual([
      { environment, size: 2 },
      { environment: other, size: 1 },
      { environment, size: 2 },
      { environment, size: 2 },
    ]);
  });

  test("one environment has one batch under way at most, and leaves the other slots free", async () => {
    const open = spending.hold();
    const group = spending.groupCommit({ slots: 4, batchSize: 1 });
    const busy = submitMany(group, 5);
    await begun(1);
    const quiet = submitMany(group, 1, { amount: 1n }, other);
    await begun(2);
    expect(spending.batches.map((batch) => batch.environment)).toEqual([environment, other]);
    open();
    await Promise.all([...busy, ...quiet]);
    expect(spending.batches).toHaveLength(6);
  });
});

test("hundreds of commands on two environments at once lose nothing", async () => {
  const group = spending.groupCommit({ batchSize: 16 });
  const amounts = Array.from({ length: 400 }, (_, place) => BigInt(1 + (place % 5)));
  const run = (id: string) => Promise.allSettled(amounts.map((amount) => group.submit(id, spending.kind, { amount })));
  const [mine, theirs] = await Promise.all([run(environment), run(other)]);
  for (const [id, outcomes] of [
    [environment, mine],
    [other, theirs],
  ] as const) {
    const spent = outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : 0n));
    const total = spent.reduce((sum, amount) => sum + amount, 0n);
    expect(total).toBe(1_000n);
    expect(await spending.leftIn(id)).toBe(0n);
  }
  expect(spending.batches.length).toBeLessThan(100);
});

test("a live environment's command is taken up while sandboxes hold all the slots they may have", async () => {
  const group = spending.groupCommit({ slots: 4 });
  const sandboxes = await Promise.all([1, 2, 3, 4].map(() => spending.openPurse(100n)));
  const live = await createLive(db);
  for (const id of sandboxes) await group.submit(id, spending.kind, { amount: 1n });
  spending.batches.length = 0;
  const open = spending.hold();
  const held = sandboxes.map((id) => group.submit(id, spending.kind, { amount: 1n }));
  await begun(3);
  // It has no purse, which shows only after it was taken up.
  const refused = expect(group.submit(live, spending.kind, { amount: 1n })).rejects.toMatchObject({
    code: "account_gone",
  });
  await begun(4);
  expect(spending.batches.at(-1)?.environment).toBe(live);
  open();
  await Promise.all(held);
  await refused;
});
