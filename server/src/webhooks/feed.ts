/**
 * The feed: every event of an environment in the order of the sequencer, for those who cannot receive webhooks. A
 * reader keeps a cursor, the place of the last event it has seen. Positions are given after commit, so whatever
 * commits late gets a later position: a cursor can never have passed it.
 *
 * The cursor holds the event's id besides its position. A sandbox that was reset counts from the start again, and an
 * old cursor must not silently skip what is new.
 */
export interface FeedPlace {
  /** 0 is before the first event. */
  readonly position: bigint;
  /** Null at position 0. */
  readonly eventId: string | null;
}

export const feedStart: FeedPlace = { position: 0n, eventId: null };

/** Instead of a cursor: after whatever is there now. */
export const feedEnd = "latest";

export function writeCursor({ position, eventId }: FeedPlace): string {
  return Buffer.from(`${position}/${eventId ?? ""}`).toString("base64url");
}

const form = /^(?:0\/|([1-9][0-9]{0,17})\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}))$/;

/** Undefined for what is not a cursor of ours. */
export function readCursor(text: string): FeedPlace | undefined {
  const plain = Buffer.from(text, "base64url").toString("latin1");
  const found = form.exec(plain);
  if (found === null) return undefined;
  const [, position, eventId] = found;
  return position === undefined || eventId === undefined ? feedStart : { position: BigInt(position), eventId };
}
