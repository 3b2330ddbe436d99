/** Events of the simplest kind, written and read without any slice. */
import { inEnvironment } from "../../src/platform/database/database.ts";
import { type NewEvent, recordEvents } from "../../src/platform/records/outbox.ts";
import { createTestDatabase, type TestDatabase } from "../database.ts";
import { createMerchant } from "../factories.ts";

export interface EventBook {
  readonly database: TestDatabase;
  createSandbox(): Promise<string>;
  /** Leaves them to the sequencer. Returns their ids. */
  record(environmentId: string, ...names: string[]): Promise<string[]>;
  /** As a feed reads: everything after the position it has seen. */
  readAfter(environmentId: string, cursor: bigint): Promise<{ position: bigint; event: string }[]>;
}

export async function openEventBook(): Promise<EventBook> {
  const database = await createTestDatabase();
  return {
    database,
    createSandbox: async () => (await createMerchant(database.db)).environment.id,
    record: (environmentId, ...names) =>
      inEnvironment(database.db, environmentId, (tx) => recordEvents(tx, names.map(eventOf))),
    readAfter: async (environmentId, cursor) => {
      const rows = await inEnvironment(database.db, environmentId, (tx) =>
        tx
          .selectFrom("events")
          .select(["list_position", "event"])
          .where("list_position", ">", cursor)
          .orderBy("list_position")
          .execute(),
      );
      return rows.map((row) => ({ position: row.list_position ?? 0n, event: row.event }));
    },
  };
}

export function eventOf(name: string): NewEvent {
  const resourceId = "00000000-0000-7000-8000-000000000001";
  return { event: name, resourceType: "test", resourceId, resourceVersion: 1, data: { name } };
}
