import type pg from "pg";
import type { EventCatalogue } from "../../src/platform/records/event-catalogue.ts";

/** Throws for an event that was written and that no catalogue declares: nobody could ask to have it sent. */
export async function refuseUndeclaredEvents(owner: pg.Client, declared: EventCatalogue): Promise<void> {
  const found = await owner.query<{ event: string }>("select distinct event from events");
  const undeclared = found.rows.map(({ event }) => event).filter((name) => declared[name] === undefined);
  if (undeclared.length > 0) throw new Error(`no catalogue declares these events: ${undeclared.join(", ")}`);
}
