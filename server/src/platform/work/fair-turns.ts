/**
 * Runs at most `atOnce` pieces of work at a time. The others wait, each in the line of its owner, and the lines take
 * turns: an owner with one piece of work waits for one of everybody else's, however many those have.
 */
export function createFairTurns(atOnce: number): <T>(owner: string, work: () => Promise<T>) => Promise<T> {
  // Insertion order is the turn: a line that was served goes to the end.
  const lines = new Map<string, (() => void)[]>();
  let running = 0;

  function wait(owner: string): Promise<void> {
    return new Promise((resolve) => {
      const line = lines.get(owner);
      if (line === undefined) lines.set(owner, [resolve]);
      else line.push(resolve);
    });
  }

  function nextInLine(): (() => void) | undefined {
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
      else next();
    }
  };
}
