/** What a sender of webhooks has under way, and how long it rests between its rounds. */
import type { EnvironmentKind } from "../platform/database/database.ts";
import type { Claim } from "./claim-store.ts";

/** How many messages may be under way at once. */
export interface WebhookSlots {
  readonly all: number;
  /** Of these so many are never taken by sandboxes, whose receivers may all hang. */
  readonly live: number;
}

export const standardSlots: WebhookSlots = { all: 2_000, live: 500 };
const claimAtOnce = 500;
/** A claim for each message that is settled would cost more than the message: so many wake the next round at most. */
const wakesAtMost = 250;

/** New work comes with the next event, or when something under way was settled. */
export function createRest() {
  let wake = (): void => undefined;
  let settled = 0;
  return {
    noteSettled(underWay: number): void {
      settled += 1;
      if (settled >= Math.min(wakesAtMost, Math.ceil(underWay / 2))) wake();
    },
    async take(ms: number): Promise<void> {
      settled = 0;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      wake = () => undefined;
    },
  };
}

export function trackUnderWay({ all, live }: WebhookSlots) {
  const works = { LIVE: new Set<Promise<void>>(), SANDBOX: new Set<Promise<void>>() };
  const count = () => works.LIVE.size + works.SANDBOX.size;
  return {
    count,
    add(kind: EnvironmentKind, work: Promise<void>): void {
      const tracked = work.finally(() => works[kind].delete(tracked));
      works[kind].add(tracked);
    },
    /** What a round may claim: live may fill every slot, sandboxes all but those of live. */
    free(): Claim["most"] {
      const most = Math.max(0, Math.min(claimAtOnce, all - count()));
      const ofSandboxes = all - live - works.SANDBOX.size;
      return { LIVE: most, SANDBOX: Math.max(0, Math.min(most, ofSandboxes)) };
    },
    async drain(): Promise<void> {
      while (count() > 0) await Promise.all([...works.LIVE, ...works.SANDBOX]);
    },
  };
}
