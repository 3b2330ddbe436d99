/**
 * Brings the demo merchant to life in the background: a handful of payouts, bills, loans and purchases in several
 * states, made through the API. It plays in a sandbox that nobody has used yet, or carries on where it was cut off;
 * a developer's own sandbox is left alone.
 */
import type { Logger } from "../platform/logger.ts";
import { createDemoCaller, type DemoCaller, Refused } from "./demo-call.ts";
import { begin, firstReference, lastReference, steps } from "./demo-records.ts";
import { playHistory } from "./history.ts";

export interface Demo {
  /** Settles once nothing is asked any more. */
  stop(): Promise<void>;
}

export function startDemo(options: { baseUrl: string; secretKey: string; log: Logger }): Demo {
  const { baseUrl, secretKey, log } = options;
  const end = new AbortController();
  const demo = createDemoCaller(baseUrl, secretKey, end.signal);
  const playing = playDemo(demo, log).catch((error: unknown) => {
    if (!end.signal.aborted) log.warn({ err: error }, "the demo merchant is not complete; the next start carries on");
  });
  return {
    stop: async () => {
      end.abort();
      await playing;
    },
  };
}

async function playDemo(demo: DemoCaller, log: Logger): Promise<void> {
  if ((await playHistory(demo, begin, (date) => log.debug({ date }, "a day of history"))) === "played")
    log.info("the demo merchant has sixty days behind it");
  if (await hasNothingToDo(demo)) return log.debug("the demo merchant has nothing to do");
  for (const [step, play] of Object.entries(steps)) {
    log.debug({ step }, "the demo merchant acts");
    await play(demo);
  }
  log.info("the demo merchant has something to show");
}

async function hasNothingToDo(demo: DemoCaller): Promise<boolean> {
  if (await hasPaid(demo, lastReference)) return true;
  if (await hasPaid(demo, firstReference)) return false;
  const used = await Promise.all(["/transfers", "/bills", "/loans"].map((list) => demo.list(`${list}?limit=1`)));
  return used.some((records) => records.length > 0);
}

async function hasPaid(demo: DemoCaller, reference: string): Promise<boolean> {
  try {
    await demo.get(`/transfers/verify?reference=${reference}`);
    return true;
  } catch (error) {
    if (error instanceof Refused && error.code.includes("not_found")) return false;
    throw error;
  }
}
