/**
 * Warnings that an outage repeats many times a second. The first is logged at once; of its repetitions one a minute is,
 * with how many there were.
 */
import type { Logger } from "./logger.ts";

const everyMs = 60_000;

type Fields = Readonly<Record<string, unknown>> & { readonly err: unknown };

interface Repeated {
  count: number;
  last: Fields;
}

const repeatedIn = new WeakMap<Logger, Map<string, Repeated>>();

/** Two warnings are the same when their messages and those of their errors are; the last one stands for all. */
export function warnSparingly(log: Logger, fields: Fields, message: string): void {
  const repeated = repeatedIn.get(log) ?? new Map<string, Repeated>();
  repeatedIn.set(log, repeated);
  const { err } = fields;
  const key = `${message}: ${err instanceof Error ? err.message : String(err)}`;
  const known = repeated.get(key);
  if (known === undefined) {
    log.warn(fields, message);
    countFor(key);
    return;
  }
  known.count += 1;
  known.last = fields;

  function countFor(key: string): void {
    repeated.set(key, { count: 0, last: fields });
    setTimeout(() => {
      const { count, last } = repeated.get(key) ?? { count: 0, last: fields };
      repeated.delete(key);
      if (count === 0) return;
      log.warn({ ...last, count }, message);
      countFor(key);
    }, everyMs).unref();
  }
}
