import type { Tx } from "../platform/database/database.ts";
import { isUuid } from "../platform/database/ids.ts";
import { type PageRequest, type Pagination, paginationOf, readPage } from "../platform/records/pagination.ts";
import { eventProblem } from "./event-errors.ts";
import { countMatching, type EventFilter, eventList, findEvent, readEvents, readMatching } from "./event-log-store.ts";
import type { LoggedEvent } from "./present-event.ts";

/** One page of the environment's events, newest first. */
export async function listEvents(
  tx: Tx,
  filter: EventFilter,
  page: PageRequest,
): Promise<{ rows: LoggedEvent[]; pagination: Pagination }> {
  if (Object.values(filter).every((value) => value === null)) {
    return readPage(tx, eventList, page, (range) => readEvents(tx, range));
  }
  const total = await countMatching(tx, filter);
  const skip = BigInt(page.page - 1) * BigInt(page.limit);
  const rows = skip >= total ? [] : await readMatching(tx, filter, { skip, limit: page.limit });
  return { rows, pagination: paginationOf(total, page.page, page.limit) };
}

export async function requireEvent(tx: Tx, id: string): Promise<LoggedEvent> {
  const event = isUuid(id) ? await findEvent(tx, id) : undefined;
  if (event === undefined) throw eventProblem("event_not_found");
  return event;
}
