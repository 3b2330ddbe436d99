/**
 * The feed: every event of an environment in the order of the sequencer, for those who cannot receive webhooks. A
 * reader keeps a cursor, the place of the last event it has seen. Positions are given after commit, so whatever
 * commits late gets a later position: a cursor can never have passed it.
 *
 * A reader may ask for resends too. Then an event comes again each time that somebody has it sent again, after the last
 * event that was numbered by then. Resends are a list of their own beside the events, so the plain feed, its pages and
 * its positions know nothing of them, and the cursor of such a reader has a place in both lists.
 *
 * The cursor holds the event's id besides its position. A sandbox that was reset counts from the start again, and an
 * old cursor must not silently skip what is new.
 */
export interface FeedPlace {
  /** 0 is before the first event. */
  readonly position: bigint;
  /** Null at position 0. */
  readonly eventId: string | null;
  /** The last resend that was seen. Undefined for a reader who did not ask for them. */
  readonly resend?: bigint | undefined;
}

/** The last positions of an environment's two lists. */
export interface FeedTotals {
  readonly events: bigint;
  readonly resends: bigint;
}

/** Whether nothing came after this place. Resends are news only for a reader who asked for them. */
export function areLastAt({ position, resend }: Pick<FeedPlace, "position" | "resend">) {
  return (totals: FeedTotals | undefined): boolean =>
    position === (totals?.events ?? 0n) && (resend === undefined || resend === (totals?.resends ?? 0n));
}

export const feedStart: FeedPlace = { position: 0n, eventId: null };

/** Instead of a cursor: after whatever is there now. */
export const feedEnd = "latest";

export function writeCursor({ position, eventId, resend }: FeedPlace): string {
  const inResends = resend === undefined || eventId === null ? "" : `/${resend}`;
  return Buffer.from(`${position}/${eventId ?? ""}${inResends}`).toString("base64url");
}

const form = /^(?:0\/|([1-9][0-9]{0,17})\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\/(0|[1-9][0-9]{0,17}))?)$/;

/** Undefined for what is not a cursor of ours. */
export function readCursor(text: string): FeedPlace | undefined {
  const plain = Buffer.from(text, "base64url").toString("latin1");
  const found = form.exec(plain);
  if (found === null) return undefined;
  const [, position, eventId, resend] = found;
  if (position === undefined || eventId === undefined) return feedStart;
  return { position: BigInt(position), eventId, ...(resend === undefined ? {} : { resend: BigInt(resend) }) };
}

/** An event at its place; `resentAt` is null where it comes for the first time. */
export interface FeedItem<Event> {
  readonly place: FeedPlace;
  readonly event: Event;
  readonly resentAt: Date | null;
}

export interface Numbered<Event> {
  readonly position: bigint;
  readonly id: string;
  readonly event: Event;
}

export interface Resent<Event> {
  readonly position: bigint;
  /** The position of the event after which it comes. */
  readonly afterEvent: bigint;
  readonly at: Date;
  readonly event: Event;
}

/** Both lists in one order. A resend that was committed late, after the reader had passed its place, comes first. */
export function mergeResends<Event>(
  from: FeedPlace,
  events: readonly Numbered<Event>[],
  resends: readonly Resent<Event>[],
): FeedItem<Event>[] {
  const merged: FeedItem<Event>[] = [];
  let place = from;
  const rest = [...resends];
  const takeResends = (before: bigint | null): void => {
    for (let next = rest[0]; next && (before === null || next.afterEvent < before); next = rest[0]) {
      place = { ...place, resend: next.position };
      merged.push({ place, event: next.event, resentAt: next.at });
      rest.shift();
    }
  };
  for (const { position, id, event } of events) {
    takeResends(position);
    place = { ...place, position, eventId: id };
    merged.push({ place, event, resentAt: null });
  }
  takeResends(null);
  return merged;
}
