/** Reads on and on, for what runs until Ctrl-C. A server that is away is waited for, and said to be away once. */
import { setTimeout as pause } from "node:timers/promises";
import { JaraApiError, JaraConnectionError } from "@jara/sdk";
import type { Given } from "./command.ts";

interface Reading<Reply> {
  read(): Promise<Reply>;
  /** False ends it. */
  take(reply: Reply): Promise<boolean>;
  /** Whether it was mended: then it is read again at once. */
  mend?(error: unknown): boolean;
}

const reconnectMs = 1_000;

export async function stayConnected<Reply>(
  { screen, stopped }: Pick<Given, "screen" | "stopped">,
  { read, take, mend = () => false }: Reading<Reply>,
): Promise<void> {
  let isAway = false;
  while (!stopped.aborted) {
    try {
      const reply = await read();
      if (isAway) screen.remark("The server is back.");
      isAway = false;
      if (!(await take(reply))) return;
    } catch (error) {
      if (stopped.aborted) return;
      if (mend(error)) continue;
      if (!isPassing(error)) throw error;
      if (!isAway) screen.remark("The server is away. Waiting for it; nothing is lost.");
      isAway = true;
      await pause(reconnectMs, undefined, { signal: stopped }).catch(() => undefined);
    }
  }
}

function isPassing(error: unknown): boolean {
  return (
    error instanceof JaraConnectionError ||
    (error instanceof JaraApiError && (error.status >= 500 || error.status === 429))
  );
}
