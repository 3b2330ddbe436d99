/** Runs at most `atOnce` pieces of work at a time; the others wait in line. */
export function createTurns(atOnce: number): <T>(work: () => Promise<T>) => Promise<T> {
  const line: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= atOnce) await new Promise<void>((resolve) => line.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = line.shift();
      // The place is handed on, so that nobody can slip in between.
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
