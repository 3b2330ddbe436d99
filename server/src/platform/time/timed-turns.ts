/**
 * Long work of many environments goes on in turns: a piece of one, then a piece of the next, so that ten clocks that
 * are moved at once slow each other down and not everybody else. A piece that waits for a stranger gives its turn away.
 */
export interface TimedTurns {
  take<T>(piece: () => Promise<T>): Promise<T>;
}

const longestTurnMs = 200;

export function createTimedTurns(atOnce: number): TimedTurns {
  const waiting: (() => void)[] = [];
  let taken = 0;

  function pass(): void {
    const next = waiting.shift();
    if (next === undefined) taken -= 1;
    else next();
  }

  return {
    async take(piece) {
      if (taken < atOnce) taken += 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      let passed = false;
      const passOnce = (): void => {
        if (passed) return;
        passed = true;
        pass();
      };
      const timer = setTimeout(passOnce, longestTurnMs);
      try {
        return await piece();
      } finally {
        clearTimeout(timer);
        // Requests that came meanwhile are read before the next piece begins.
        setImmediate(passOnce);
      }
    },
  };
}
