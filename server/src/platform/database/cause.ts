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

interface TaskCause {
  readonly stream: string;
  transactions: number;
}

/** A background loop has no stream. */
const causes = new AsyncLocalStorage<TaskCause | "background">();

/** The transactions of `work` draw from this stream, each from its own part, in the order in which they begin. */
export function becauseOf<T>(stream: string, work: () => T): T {
  return openCause(stream).run(work);
}

/** A cause whose work is done in several pieces: a part that was drawn from is passed by the next piece. */
export interface OpenCause {
  run<T>(work: () => T): T;
  /** The part of a transaction that it shares with others. */
  nextPart(): string;
}

export function openCause(stream: string): OpenCause {
  const cause = { stream, transactions: 0 };
  return { run: (work) => causes.run(cause, work), nextPart: () => nextPartOf(cause) };
}

/** For loops and jobs, whose moment depends on the machine. */
export function inBackground<T>(work: () => T): T {
  return causes.run("background", work);
}

/** Whether a task of a moved clock is running. */
export function isTask(): boolean {
  return typeof causes.getStore() === "object";
}

/** To be taken once for a transaction, however often it is tried. */
export function nextOrigin(): Origin {
  const cause = causes.getStore();
  if (cause === undefined) return { is: "request" };
  if (cause === "background") return { is: "background" };
  return { is: "task", stream: nextPartOf(cause) };
}

function nextPartOf(cause: TaskCause): string {
  cause.transactions += 1;
  return `${cause.stream}/${cause.transactions}`;
}
