/**
 * Runs at most `atOnce` pieces of work at a time. The others wait, each in the line of its owner, and the lines take
 * turns: an owner with one piece of work waits for one of everybody else's, however many those have.
 */
export type FairTurns = <T>(owner: string, work: () => Promise<T>) => Promise<T>;

export interface Patience {
  readonly longestWaitMs: number;
  /** What a piece of work is told that has waited for too long. */
  tooLong(): Error;
}

interface Waiter {
  enter(): void;
}

export function createFairTurns(atOnce: number, patience?: Patience): FairTurns {
  // Insertion order is the turn: a line that was served goes to the end.
  const lines = new Map<string, Waiter[]>();
  let running = 0;

  function wait(owner: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const line = lines.get(owner) ?? [];
      lines.set(owner, line);
      const waiter: Waiter = {
        enter: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const giveUp = ({ tooLong }: Patience): void => {
        line.splice(line.indexOf(waiter), 1);
        if (line.length === 0) lines.delete(owner);
        reject(tooLong());
      };
      const timer = patience && setTimeout(() => giveUp(patience), patience.longestWaitMs);
      line.push(waiter);
    });
  }

  function nextInLine(): Waiter | undefined {
    const [first] = lines;
    if (first === undefined) return undefined;
    const [owner, line] = first;
    const next = line.shift();
    lines.delete(owner);
    if (line.length > 0) lines.set(owner, line);
    return next;
  }

  return async (owner, work) => {
    if (running >= atOnce) await wait(owner);
    else running += 1;
    try {
      return await work();
    } finally {
      const next = nextInLine();
      // The place is handed on, so that nobody can slip in between.
      if (next === undefined) running -= 1;
      else next.enter();
    }
  };
}
