import { describe, expect, test } from "vitest";
import { eventOf, openEventBook } from "../../../testing/platform/event-book.ts";
import { inEnvironment } from "../database/database.ts";
import { setClock } from "../time/clock-setting.ts";
import { gatherEvents, recordEvents } from "./outbox.ts";
import { sequenceEvents } from "./sequencer.ts";

const { database, createSandbox, record, readAfter } = await openEventBook();

describe("a batch that gathers its events", () => {
  const gather = (environmentId: string, ...names: string[]): Promise<void> =>
    inEnvironment(database.db, environmentId, (tx) =>
      gatherEvents(tx, async () => {
        for (const name of names) await recordEvents(tx, [eventOf(name)]);
      }),
    );

  test("numbers them itself, after everything that was committed before", async () => {
    const id = await createSandbox();
    await gather(id, "a", "b");
    expect(await readAfter(id, 0n)).toEqual([
      { position: 1n, event: "a" },
      { position: 2n, event: "b" },
    ]);
    await record(id, "c", "d");
    await gather(id, "e");
    expect((await readAfter(id, 2n)).map(({ event }) => event)).toEqual(["c", "d", "e"]);
    expect(await sequenceEvents(database.db)).toBe(0);
  });

  test("leaves them to the sequencer where very much waits, and they come after it", async () => {
    const id = await createSandbox();
    await record(id, ...Array.from({ length: 1_000 }, (_, place) => `early/${place}`));
    await gather(id, "last");
    expect(await readAfter(id, 0n)).toEqual([]);
    while ((await sequenceEvents(database.db)) > 0);
    expect(await readAfter(id, 1_000n)).toEqual([{ position: 1_001n, event: "last" }]);
  });

  test("is passed over by the sequencer while it numbers, and nobody waits in a circle", async () => {
    const [id, other] = [await createSandbox(), await createSandbox()];
    await gather(id, "before");
    const gate = Promise.withResolvers<void>();
    const numbering = Promise.withResolvers<void>();
    const slow = inEnvironment(database.db, id, async (tx) => {
      await gatherEvents(tx, () => recordEvents(tx, [eventOf("slow")]));
      numbering.resolve();
      await gate.promise;
    });
    await numbering.promise;
    await record(id, "single");
    await record(other, "elsewhere");
    expect(await sequenceEvents(database.db)).toBe(1);
    expect(await readAfter(other, 0n)).toHaveLength(1);
    gate.resolve();
    await slow;
    expect(await sequenceEvents(database.db)).toBe(1);
    expect((await readAfter(id, 1n)).map(({ event }) => event)).toEqual(["slow", "single"]);
  });

  test("leaves no gap and numbers nothing twice beside single events and the sequencer", async () => {
    const id = await createSandbox();
    let isOver = false;
    const sequencing = (async () => {
      while (!isOver) await sequenceEvents(database.db);
    })();
    const lanes = Array.from({ length: 6 }, async (_, lane) => {
      for (let turn = 0; turn < 40; turn += 1)
        await (lane % 2 === 0 ? gather(id, `${lane}/${turn}`) : record(id, `${lane}/${turn}`));
    });
    await Promise.all(lanes);
    isOver = true;
    await sequencing;
    while ((await sequenceEvents(database.db)) > 0);
    const positions = (await readAfter(id, 0n)).map(({ position }) => position);
    expect(positions).toEqual(Array.from({ length: 240 }, (_, place) => BigInt(place + 1)));
  });

  test("has no events when it is rolled back", async () => {
    const id = await createSandbox();
    const failed = inEnvironment(database.db, id, (tx) =>
      gatherEvents(tx, async () => {
        await recordEvents(tx, [eventOf("a")]);
        throw new Error("no");
      }),
    );
    await expect(failed).rejects.toThrow("no");
    await gather(id, "b");
    expect(await readAfter(id, 0n)).toEqual([{ position: 1n, event: "b" }]);
  });
});

describe("the outbox", () => {
  test("an event of a transaction that rolls back never was", async () => {
    const id = await createSandbox();
    const failed = inEnvironment(database.db, id, async (tx) => {
      await recordEvents(tx, [eventOf("a")]);
      throw new Error("no");
    });
    await expect(failed).rejects.toThrow("no");
    await sequenceEvents(database.db);
    expect(await readAfter(id, 0n)).toEqual([]);
  });

  test("an event carries the environment's time and an id from its clock", async () => {
    const id = await createSandbox();
    const now = new Date("2027-03-04T05:06:07.089Z");
    await inEnvironment(database.db, id, (tx) => setClock(tx, id, { mode: "frozen", now, seed: "x" }));
    const [eventId] = await record(id, "a");
    const row = await inEnvironment(database.db, id, (tx) =>
      tx.selectFrom("events").selectAll().executeTakeFirstOrThrow(),
    );
    expect(row).toMatchObject({ id: eventId, created_at: now, data: { name: "a" } });
    expect(Number.parseInt(row.id.replaceAll("-", "").slice(0, 12), 16)).toBe(now.getTime());
  });
});
