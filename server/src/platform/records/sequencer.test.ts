import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { eventOf, openEventBook } from "../../../testing/platform/event-book.ts";
import { asOwner, eventually } from "../../../testing/work.ts";
import { inEnvironment } from "../database/database.ts";
import { gatherEvents, recordEvents } from "./outbox.ts";
import { createSequencer, sequenceEvents } from "./sequencer.ts";

const { database, createSandbox, record, readAfter } = await openEventBook();

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

describe("a sandbox that is being emptied", () => {
  /** Emptied, and not committed until the returned function is called. */
  async function startReset(environmentId: string): Promise<() => Promise<void>> {
    const gate = Promise.withResolvers<void>();
    const emptied = Promise.withResolvers<void>();
    const reset = database.db.transaction().execute(async (tx) => {
      await sql`select set_config('jara.environment_id', ${environmentId}, true)`.execute(tx);
      await sql`select reset_sandbox(${environmentId})`.execute(tx);
      emptied.resolve();
      await gate.promise;
    });
    await Promise.race([emptied.promise, reset]);
    return () => {
      gate.resolve();
      return reset;
    };
  }

  const someoneWaitsForLock = async (): Promise<boolean> => {
    const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return (await waiting.execute(database.db)).rows.length > 0;
  };

  test.each([
    { what: "of which nothing was numbered yet", numbered: 0n },
    { what: "of which something was numbered before", numbered: 1n },
  ])("and $what keeps nobody waiting, and begins anew", async ({ numbered }) => {
    const [id, other] = [await createSandbox(), await createSandbox()];
    if (numbered > 0n) {
      await record(id, "numbered");
      await sequenceEvents(database.db);
    }
    await record(id, "gone");
    const commit = await startReset(id);
    await record(other, "elsewhere");
    expect(await sequenceEvents(database.db)).toBe(1);
    expect(await readAfter(other, 0n)).toHaveLength(1);
    await commit();
    await record(id, "new");
    expect(await sequenceEvents(database.db)).toBe(1);
    expect(await readAfter(id, 0n)).toEqual([{ position: 1n, event: "new" }]);
  });

  test("waits for who numbers its events, and takes away what they numbered", async () => {
    const id = await createSandbox();
    await record(id, "a");
    const reset = await database.db.transaction().execute(async (elected) => {
      await sql`select sequence_events(100)`.execute(elected);
      const started = startReset(id);
      await eventually("the reset waits", someoneWaitsForLock);
      return { started };
    });
    await (await reset.started)();
    expect(await readAfter(id, 0n)).toEqual([]);
    await record(id, "new");
    await sequenceEvents(database.db);
    expect(await readAfter(id, 0n)).toEqual([{ position: 1n, event: "new" }]);
  });
});
