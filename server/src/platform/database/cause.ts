/**
 * Why a transaction happens, as far as its ids must know. What is made up on a frozen clock is a function of that and
 * never of timing: a request's transactions are counted in the database, a task draws from the stream that its booking
 * named, and a background loop, which comes when it comes, draws from neither and so cannot move the ids of others.
 */
import { AsyncLocalStorage } from "node:async_hooks";

/** Where one transaction's draws come from. */
export type Origin =
  | { readonly is: "request" }
  | { readonly is: "task"; readonly stream: string }
  | { readonly is: "background" }
  /** Takes no place in the order of writes and may not make anything up. */
  | { readonly is: "reader" };

interface Cause {
  readonly stream: string | null;
  transactions: number;
}

const causes = new AsyncLocalStorage<Cause>();

/** The transactions of `work` draw from this stream, each from its own part, in the order in which they begin. */
export function becauseOf<T>(stream: string, work: () => T): T {
  return causes.run({ stream, transactions: 0 }, work);
}

/** For loops and jobs, whose moment depends on the machine. */
export function inBackground<T>(work: () => T): T {
  return causes.run({ stream: null, transactions: 0 }, work);
}

/** Whether a task of a moved clock is running. */
export function isTask(): boolean {
  return typeof causes.getStore()?.stream === "string";
}

/** To be taken once for a transaction, however often it is tried. */
export function nextOrigin(): Origin {
  const cause = causes.getStore();
  if (cause === undefined) return { is: "request" };
  if (cause.stream === null) return { is: "background" };
  cause.transactions += 1;
  return { is: "task", stream: partOf(cause.stream, cause.transactions) };
}

/** The stream of a task's n-th transaction. */
export function partOf(stream: string, transaction: number): string {
  return `${stream}/${transaction}`;
}
