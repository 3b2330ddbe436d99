/**
 * Who is at work in this process: long work of one environment steps back while others have something under way. Tasks
 * of a moved clock do not count, because they are such long work themselves.
 */
import { isTask } from "./cause.ts";

export interface Activity {
  /** Notes that a transaction of the environment is under way, until what it returns is called. */
  begin(environmentId: string): () => void;
  /** Whether another environment has a transaction under way, or had one a moment ago. */
  othersThan(environmentId: string): boolean;
}

/** A request is several transactions with a little in between. */
const lingersMs = 25;
const mostRemembered = 100;

export function createActivity(now: () => number = () => performance.now()): Activity {
  const underWay = new Map<string, { count: number; until: number }>();
  const forgetIdle = (): void => {
    const moment = now();
    for (const [id, { count, until }] of underWay) if (count === 0 && until < moment) underWay.delete(id);
  };
  return {
    begin(environmentId) {
      if (isTask()) return () => undefined;
      const own = underWay.get(environmentId) ?? { count: 0, until: 0 };
      underWay.set(environmentId, own);
      own.count += 1;
      return () => {
        own.count -= 1;
        own.until = now() + lingersMs;
        if (underWay.size > mostRemembered) forgetIdle();
      };
    },
    othersThan(environmentId) {
      forgetIdle();
      return underWay.size > (underWay.has(environmentId) ? 1 : 0);
    },
  };
}
