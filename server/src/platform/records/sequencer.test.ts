import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../testing/database.ts";
import { createMerchant } from "../../../testing/factories.ts";
import { asOwner } from "../../../testing/work.ts";
import { inEnvironment } from "../database/database.ts";
import { setClock } from "../time/clock-setting.ts";
import { gatherEvents, type NewEvent, recordEvents } from "./outbox.ts";
import { createSequencer, sequenceEvents } from "./sequencer.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

async function createSandbox(): Promise<string> {
  return (await createMerchant(database.db)).environment.id;
}

function eventOf(name: string): NewEvent {
  const resourceId = "00000000-0000-7000-8000-000000000001";
  return { event: name, resourceType: "test", resourceId, resourceVersion: 1, data: { name } };
}

function record(environmentId: string, ...names: string[]): Promise<string[]> {
  return inEnvironment(database.db, environmentId, (tx) => recordEvents(tx, names.map(eventOf)));
}

/** As a feed reads: everything after the position it has seen. */
async function readAfter(environmentId: string, cursor: bigint): Promise<{ position: bigint; event: string }[]> {
  const rows = await inEnvironment(database.db, environmentId, (tx) =>
    tx
      .selectFrom("events")
      .select(["list_position", "event"])
      .where("list_position", ">", cursor)
      .orderBy("list_position")
      .execute(),
  );
  return rows.map((row) => ({ position: row.list_position ?? 0n, event: row.event }));
}

/** Opens a transaction that has written an event and waits before it commits. */
async function recordAndWait(environmentId: string, name: string) {
  const gate = Promise.withResolvers<void>();
  const written = Promise.withResolvers<void>();
  const committed = inEnvironment(database.db, environmentId, async (tx) => {
    await recordEvents(tx, [eventOf(name)]);
    written.resolve();
    await gate.promise;
  });
  await written.promise;
  return {
    commit: () => {
      gate.resolve();
      return committed;
    },
  };
}

/** Without the outbox, which would take long for so many. */
async function recordMany(environmentId: string, count: number): Promise<void> {
  await asOwner(
    database.ownerUrl,
    `insert into events (environment_id, id, event, resource_type, resource_id, resource_version, data, created_at)
     select '${environmentId}', gen_random_uuid(), 'many', 'test', gen_random_uuid(), 1, '{}', now()
     from generate_series(1, ${count})`,
  );
}

describe("a sandbox that writes much", () => {
  test("keeps neither live events nor another sandbox waiting, and is numbered to its end", async () => {
    const [busy, neighbour, live] = [await createSandbox(), await createSandbox(), await createSandbox()];
    await asOwner(database.ownerUrl, `update environments set kind = 'LIVE' where id = '${live}'`);
    await recordMany(busy, 6_000);
    for (const environmentId of [neighbour, live]) await record(environmentId, "small");
    // One pass has no room for all of it.
    await sequenceEvents(database.db);
    for (const environmentId of [neighbour, live]) expect(await readAfter(environmentId, 0n)).toHaveLength(1);
    expect((await readAfter(busy, 0n)).length).toBeLessThan(6_000);
    while ((await sequenceEvents(database.db)) > 0);
    const positions = (await readAfter(busy, 0n)).map(({ position }) => position);
    expect(positions).toEqual(Array.from({ length: 6_000 }, (_, place) => BigInt(place + 1)));
  });

  test("is numbered without a rest while it has more than its part of a pass", async () => {
    const busy = await createSandbox();
    await recordMany(busy, 1_010);
    const step = createSequencer(database.db);
    expect([await step(), await step()]).toEqual([0, 10]);
    expect(await readAfter(busy, 0n)).toHaveLength(1_010);
  });

  test("does not keep live events waiting when they alone are more than a pass takes", async () => {
    const [busy, live] = [await createSandbox(), await createSandbox()];
    await asOwner(database.ownerUrl, `update environments set kind = 'LIVE' where id = '${live}'`);
    await recordMany(busy, 10);
    await recordMany(live, 5_010);
    expect(await sequenceEvents(database.db)).toBe(5_000);
    expect([await readAfter(live, 0n), await readAfter(busy, 0n)].map((rows) => rows.length)).toEqual([5_000, 0]);
    while ((await sequenceEvents(database.db)) > 0);
    expect([await readAfter(live, 0n), await readAfter(busy, 0n)].map((rows) => rows.length)).toEqual([5_010, 10]);
  });
});

describe("the sequencer", () => {
  test("numbers the events of each environment without gaps, in the order of writing", async () => {
    const [first, second] = [await createSandbox(), await createSandbox()];
    await record(first, "a", "b");
    await record(second, "x");
    await record(first, "c");
    expect(await sequenceEvents(database.db)).toBe(4);
    expect(await readAfter(first, 0n)).toEqual([
      { position: 1n, event: "a" },
      { position: 2n, event: "b" },
      { position: 3n, event: "c" },
    ]);
    expect(await readAfter(second, 0n)).toEqual([{ position: 1n, event: "x" }]);
  });

  test("an event that was written first and committed last comes after what was already seen", async () => {
    const id = await createSandbox();
    const slow = await recordAndWait(id, "slow");
    await record(id, "fast");
    await sequenceEvents(database.db);
    const seen = await readAfter(id, 0n);
    expect(seen).toEqual([{ position: 1n, event: "fast" }]);
    await slow.commit();
    await sequenceEvents(database.db);
    expect(await readAfter(id, 1n)).toEqual([{ position: 2n, event: "slow" }]);
  });

  test("a reader with a cursor misses nothing and sees nothing twice while many write and sequence", async () => {
    const id = await createSandbox();
    const names = Array.from({ length: 200 }, (_, index) => `event-${index}`);
    const seen: string[] = [];
    let cursor = 0n;
    let writing = true;
    const read = async (): Promise<void> => {
      const rows = await readAfter(id, cursor);
      seen.push(...rows.map((row) => row.event));
      cursor = rows.at(-1)?.position ?? cursor;
    };
    const reading = (async () => {
      while (writing) await read();
    })();
    const sequencing = [1, 2].map(async () => {
      const step = createSequencer(database.db);
      while (writing) await step();
    });
    await Promise.all(
      names.map((name, index) =>
        inEnvironment(database.db, id, async (tx) => {
          const work = async () => {
            await recordEvents(tx, [eventOf(name)]);
            await sql`select pg_sleep(${Math.random() / 50})`.execute(tx);
          };
          // Half of them number their own.
          await (index % 2 === 0 ? work() : gatherEvents(tx, work));
        }),
      ),
    );
    writing = false;
    await Promise.all([reading, ...sequencing]);
    await sequenceEvents(database.db);
    await read();
    expect(seen.toSorted()).toEqual(names.toSorted());
    expect(cursor).toBe(200n);
  });

  test("the elected one works and the other returns at once", async () => {
    const id = await createSandbox();
    await record(id, "a");
    await database.db.transaction().execute(async (elected) => {
      const done = await sql<{ count: number }>`select sequence_events(100) as count`.execute(elected);
      expect(done.rows[0]?.count).toBe(1);
      await record(id, "b");
      expect(await sequenceEvents(database.db)).toBe(0);
    });
    expect(await sequenceEvents(database.db)).toBe(1);
    expect((await readAfter(id, 0n)).map((row) => row.event)).toEqual(["a", "b"]);
  });
});

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
    await recordMany(id, 1_000);
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
