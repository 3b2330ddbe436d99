/**
 * Pieces of work wait in memory, without a connection, until there is a place for them. Each piece waits in the line of
 * its owner (an environment, an address). Within a line the order of arrival holds; between lines places go round, so
 * that an owner with one piece of work waits for one of everybody else's, however many those have.
 */
export interface TurnOptions {
  /** Pieces of work at the same time, over all owners. Without it there is no bound. */
  readonly places?: number;
  /** Of these, how many one owner may have at the moment. */
  perOwner?(owner: string): number;
  /** Pieces that may wait in one line, and for how long. A piece beyond that fails with `refusal`. */
  readonly mostWaiting?: number;
  readonly longestWaitMs?: number;
  refusal?(): Error;
  /** A piece that takes longer gives its place to the next one and goes on. */
  readonly longestTurnMs?: number;
  /** A place is free again in the next turn of the event loop, after the events that have come in by then. */
  readonly yieldsToEvents?: boolean;
}

export interface Pass {
  /** Starts when nothing else of its owner is under way, and nothing else of the owner starts before it ends. */
  readonly alone?: boolean;
  /** Waits however long its line is. For background work: it would come back anyway, and there is never much of it. */
  readonly patient?: boolean;
}

export interface Turns {
  take<T>(owner: string, work: () => T | Promise<T>, pass?: Pass): Promise<T>;
  /** Whether something of the owner is under way or waits. */
  isBusy(owner: string): boolean;
}

interface Waiter {
  readonly alone: boolean;
  enter(): void;
}

interface Line {
  underWay: number;
  closed: boolean;
  readonly waiting: Waiter[];
}

const newLine = (): Line => ({ underWay: 0, closed: false, waiting: [] });
const noBound = Number.POSITIVE_INFINITY;
const unbounded = {
  places: noBound,
  perOwner: () => noBound,
  mostWaiting: noBound,
  longestWaitMs: undefined,
  refusal: () => new Error("no place was free in time"),
};

export function createTurns(options: TurnOptions): Turns {
  const { longestTurnMs, yieldsToEvents = false } = options;
  const places = createPlaces(options);
  return {
    async take(owner, work, pass = {}) {
      const wait = places.enter(owner, pass);
      if (wait !== undefined) await wait;
      const leave = once(() => places.leave(owner));
      const timer = longestTurnMs === undefined ? undefined : setTimeout(leave, longestTurnMs);
      try {
        return await work();
      } finally {
        clearTimeout(timer);
        if (yieldsToEvents) setImmediate(leave);
        else leave();
      }
    },
    isBusy: places.isBusy,
  };
}

function createPlaces(options: TurnOptions) {
  const { places, perOwner, mostWaiting, longestWaitMs, refusal } = { ...unbounded, ...options };
  const lines = new Map<string, Line>();
  // Lines in which somebody waits, in the order of their turns: a line that was served goes to the end.
  const turn = new Map<string, Line>();
  let taken = 0;
  const admits = (owner: string, line: Line, alone: boolean): boolean =>
    taken < places && !line.closed && (alone ? line.underWay === 0 : line.underWay < perOwner(owner));

  function occupy(line: Line, alone: boolean): void {
    taken += 1;
    line.underWay += 1;
    line.closed = alone;
  }

  /** Strictly in line, so that a piece which wants to be alone gets its turn however many follow it. */
  function serve(): void {
    for (const [owner, line] of turn) {
      if (taken >= places) return;
      const [next] = line.waiting;
      if (next === undefined || !admits(owner, line, next.alone)) continue;
      line.waiting.shift();
      turn.delete(owner);
      if (line.waiting.length > 0) turn.set(owner, line);
      occupy(line, next.alone);
      next.enter();
    }
  }

  /** After somebody left: work that stood behind a piece which wanted to be alone may start, too. */
  function goOn(owner: string, line: Line): void {
    if (line.waiting.length === 0) turn.delete(owner);
    if (line.waiting.length + line.underWay === 0) lines.delete(owner);
    serve();
  }

  function refuse(owner: string, line: Line): Error {
    goOn(owner, line);
    return refusal();
  }

  return {
    /** Undefined when there is a place at once: the work starts in this turn of the event loop. */
    enter(owner: string, { alone = false, patient = false }: Pass): Promise<void> | undefined {
      const line = lines.getOrInsertComputed(owner, newLine);
      if (line.waiting.length === 0 && admits(owner, line, alone)) return void occupy(line, alone);
      if (!patient && line.waiting.length >= mostWaiting) return Promise.reject(refuse(owner, line));
      turn.set(owner, line);
      return standInLine(line, alone, longestWaitMs, () => refuse(owner, line));
    },
    leave(owner: string): void {
      const line = lines.getOrInsertComputed(owner, newLine);
      taken -= 1;
      line.underWay -= 1;
      line.closed = false;
      goOn(owner, line);
    },
    isBusy: (owner: string) => lines.has(owner),
  };
}

/** Rejects with what `giveUp` returns when the wait is too long. */
function standInLine(
  { waiting }: Line,
  alone: boolean,
  longestWaitMs: number | undefined,
  giveUp: () => Error,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const outOfTime = (): void => {
      waiting.splice(waiting.indexOf(waiter), 1);
      reject(giveUp());
    };
    const timer = longestWaitMs === undefined ? undefined : setTimeout(outOfTime, longestWaitMs);
    const waiter: Waiter = {
      alone,
      enter: () => {
        clearTimeout(timer);
        resolve();
      },
    };
    waiting.push(waiter);
  });
}

function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (!done) work();
    done = true;
  };
}

/**
 * Many small pieces of work become possible at the same moment: the replies of a batch, its webhooks. Done in one turn
 * of the event loop they would keep it for tens of milliseconds, while what the database has answered by then, and the
 * next batch that waits for it, stand still. So each turn of the loop does a few of them.
 */
export const eventLoopTurns = { places: 16, yieldsToEvents: true } as const satisfies TurnOptions;
