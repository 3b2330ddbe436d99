/** Pages look again by themselves when something has happened: the server tells each event as it is numbered. */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Room } from "./place.ts";

/** Many events of one moment, such as those of a bulk, are one reason to look again. */
const gatherMs = 400;

export function useLiveEvents(room: Room | null): void {
  const queries = useQueryClient();
  useEffect(() => (room === null ? undefined : follow(room, queries)), [room, queries]);
}

/** Returns what ends it. A stream that breaks or ends is opened again by the browser, which names its place. */
function follow({ door, key }: Room, queries: QueryClient): () => void {
  const stream = new EventSource(`${door.prefix}/events/stream`);
  const lookAgain = gather(() => queries.invalidateQueries({ queryKey: [key] }), gatherMs);
  stream.onmessage = lookAgain.ask;
  return () => {
    stream.close();
    lookAgain.cancel();
  };
}

/** Acts once for all that is asked within the time, and not at all once it was cancelled. */
export function gather(act: () => void, withinMs: number): { ask(): void; cancel(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    ask: () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        act();
      }, withinMs);
    },
    cancel: () => clearTimeout(timer),
  };
}
