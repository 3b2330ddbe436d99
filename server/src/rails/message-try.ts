/**
 * Handing a message to a gateway. One that recognises our ids is asked until the answer is clear. One that does not
 * carries a message for every call: a try is counted before it is made, nobody else may try while it lasts, and the
 * second is the last.
 */
import { type MessageRails, openRail, type RailUser } from "./desk.ts";
import type { MessageRail } from "./message.ts";

const mostTries = 2;

export interface MessageTry {
  readonly rail: MessageRail;
  /** The try counts only if just so many have ended before; null where another one at the same time does no harm. */
  readonly after: number | null;
}

/** A try that began earlier has ended, even if its worker is gone: calls to a gateway have a limit far below this. */
export const tryLastsSeconds = 60;

/** Null when every further try could be one message too many. */
export async function openTry({ message }: MessageRails, user: RailUser, tries: number): Promise<MessageTry | null> {
  const { rail } = await openRail(message, user);
  if (rail.deduplicatesByMessage) return { rail, after: null };
  return tries < mostTries ? { rail, after: tries } : null;
}
