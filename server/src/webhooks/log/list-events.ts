import type { Tx } from "../../platform/database/database.ts";
import { canBeUntil, isUuid } from "../../platform/database/ids.ts";
import type { Problem } from "../../platform/problem.ts";
import { type EventFloor, readEventFloor } from "../../platform/records/event-floor.ts";
import {
  type PageRequest,
  type Pagination,
  pageRange,
  paginationOf,
  readTotal,
} from "../../platform/records/pagination.ts";
import { eventProblem } from "./event-errors.ts";
import { countMatching, type EventFilter, eventList, findEvent, readEvents, readMatching } from "./event-log-store.ts";
import type { LoggedEvent } from "./present-event.ts";

/** One page of the environment's events, newest first. */
export async function listEvents(
  tx: Tx,
  filter: EventFilter,
  page: PageRequest,
): Promise<{ rows: LoggedEvent[]; pagination: Pagination; endsAtArchive: boolean }> {
  const floor = await readEventFloor(tx);
  const isWhole = Object.values(filter).every((value) => value === null);
  const online = { ...filter, floor: floor.position };
  const total = isWhole ? (await readTotal(tx, eventList)) - floor.position : await countMatching(tx, online);
  const pagination = paginationOf(total, page.page, page.limit);
  // Whoever has come to the end must not think that nothing happened before.
  const endsAtArchive = !pagination.hasNextPage && reachesArchive(floor, filter.from);
  return { rows: await readRows(), pagination, endsAtArchive };

  function readRows(): Promise<LoggedEvent[]> | LoggedEvent[] {
    if (isWhole) {
      const { first, last } = pageRange(total, page.page, page.limit);
      return last < first ? [] : readEvents(tx, { first: first + floor.position, last: last + floor.position });
    }
    const skip = BigInt(page.page - 1) * BigInt(page.limit);
    return skip >= total ? [] : readMatching(tx, online, { skip, limit: page.limit });
  }
}

/** Whether events of a span that begins then may be archived. Without a beginning it has all that ever were. */
export function reachesArchive({ until }: EventFloor, from: Date | null): boolean {
  return until !== null && (from === null || from <= until);
}

export async function requireEvent(tx: Tx, id: string): Promise<LoggedEvent> {
  if (!isUuid(id)) throw eventProblem("event_not_found");
  const floor = await readEventFloor(tx);
  const event = await findEvent(tx, id, floor.position);
  if (event !== undefined) return event;
  // Its row is gone, so only its id can tell whether it may have been one of those.
  if (floor.until !== null && canBeUntil(id, floor.until)) throw archived(floor);
  throw eventProblem("event_not_found");
}

export function archived({ until }: EventFloor): Problem {
  return eventProblem("event_archived", { data: { archivedUntil: until?.toISOString() } });
}
