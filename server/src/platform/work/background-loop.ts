/** Work that a process does again and again beside its requests: one step at a time, never two at once. */
import { inBackground } from "../database/cause.ts";
import type { Logger } from "../logger.ts";
import { warnSparingly } from "../warn-sparingly.ts";

export interface BackgroundLoop {
  /** Lets a running step finish and starts no other. */
  stop(): Promise<void>;
}

export interface LoopOptions {
  readonly name: string;
  readonly log: Logger;
  /** Returns how many milliseconds to rest before the next step. */
  step(): Promise<number>;
}

/** A loop of a domain, as a worker process runs it. */
export interface DomainLoop extends Omit<LoopOptions, "log"> {
  /** Resolves when nothing that a step began is under way any more. */
  drain?(): Promise<void>;
  /** Lets go of what is still under way when the grace is over. */
  close?(): Promise<void>;
}

/** A step that does the same work at fixed distances. */
export function every(ms: number, work: () => Promise<unknown>): () => Promise<number> {
  return async () => {
    await work();
    return ms;
  };
}

const restAfterErrorMs = 1_000;

export function startLoop(options: LoopOptions): BackgroundLoop {
  const stopping = new AbortController();
  const finished = inBackground(() => run(options, stopping.signal));
  return {
    stop: () => {
      stopping.abort();
      return finished;
    },
  };
}

async function run(options: LoopOptions, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    await rest(await stepSafely(options), stopped);
  }
}

/** A step that fails (the database is away) is logged and tried again; the loop itself never ends by an error. */
async function stepSafely(options: LoopOptions): Promise<number> {
  try {
    return await options.step();
  } catch (error) {
    const about = { err: error, loop: options.name };
    warnSparingly(options.log, about, "a background step failed and will be repeated");
    return restAfterErrorMs;
  }
}

function rest(ms: number, stopped: AbortSignal): Promise<void> {
  if (stopped.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer);
      stopped.removeEventListener("abort", wake);
      resolve();
    };
    const timer = setTimeout(wake, ms);
    stopped.addEventListener("abort", wake);
  });
}
