/** Puts a time limit on every call to a message rail. */
import { answerWithin } from "./answer-within.ts";
import type { MessageRail } from "./message.ts";

/** Somebody sits before a page and waits for the code. */
export const messageTimeLimitMs = 10_000;

export function withMessageTimeLimit(
  rail: MessageRail,
  limitMs: number,
  onError: (error: unknown) => void,
): MessageRail {
  const unknown = { outcome: "unknown" } as const;
  return { ...rail, send: (message) => answerWithin(limitMs, () => rail.send(message), unknown, onError) };
}
