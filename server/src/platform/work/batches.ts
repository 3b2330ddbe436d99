/**
 * Items gather by lane and are served in batches. An item that finds a free slot starts in this turn of the event loop,
 * and a batch is whatever gathered in its lane while earlier ones were under way. Lanes take turns, so a busy one does
 * not starve the others. Some lanes come first, and a part of the slots is theirs alone.
 *
 * Only a few batches start at once. With more under way a lane waits for one of them to end, and gathers meanwhile: two
 * processors do ten small batches at a time no sooner than four larger ones, and each batch has its own wait for the
 * disk. A lane that has waited for long takes any slot that is free, so a database far away is kept busy too.
 *
 * A batch belongs to its first caller: it runs in that caller's asynchronous context. Outcomes are handed out a few in
 * each turn of the event loop, while the next batch is under way.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { createTurns, eventLoopTurns } from "./turns.ts";

interface Scheduling {
  /** Batches under way at the same time, over all lanes. */
  readonly slots: number;
  /** Of these, how many only lanes that come first may take. */
  readonly reserved: number;
  comesFirst(lane: string): boolean;
  /** Batches under way beside which another starts at once: of lanes that come first, and as many of the others. */
  readonly atOnce: number;
  /** How long a lane waits for one of these to end. */
  readonly patienceMs: number;
  readonly batchSize: number;
  readonly perLane: number;
  /** Items that may wait in one lane before new ones are refused. */
  readonly laneBound: number;
}

const standard = {
  reserved: 0,
  comesFirst: () => false,
  patienceMs: 0,
  perLane: 1,
  laneBound: Number.POSITIVE_INFINITY,
} as const satisfies Partial<Scheduling>;

export interface BatchOptions<Item, Outcome>
  extends Omit<Scheduling, keyof typeof standard>,
    Partial<Pick<Scheduling, keyof typeof standard>> {
  /** The outcomes of the items, in their order. An item without one fails. */
  serve(lane: string, items: readonly Item[]): Promise<readonly (Outcome | undefined)[]>;
  /**
   * What every item of a batch fails with that failed like this. Undefined: one of them may be to blame, so the halves
   * of the batch are served apart, until that item stands alone. Without it no batch is halved.
   */
  failsAll?(error: unknown): unknown;
  /** A batch of so many items keeps its slot until this resolves, so that the next ones gather. */
  rest?(served: number): Promise<unknown> | undefined;
  /** What an item is refused with whose lane is full. */
  full?(): Error;
}

export interface Batches<Item, Outcome> {
  submit(lane: string, item: Item): Promise<Outcome>;
  /** Resolves when nothing waits, nothing is under way and every outcome was handed out. No slot rests meanwhile. */
  drain(): Promise<void>;
}

interface Waiting<Item, Outcome> {
  readonly item: Item;
  readonly asCaller: ReturnType<typeof AsyncLocalStorage.snapshot>;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

export function createBatches<Item, Outcome>(options: BatchOptions<Item, Outcome>): Batches<Item, Outcome> {
  const { serve, failsAll = (error) => error, full = () => new Error("too much waits already") } = options;
  type Batch = readonly Waiting<Item, Outcome>[];
  const lanes = createLanes<Waiting<Item, Outcome>>({ ...standard, ...options }, async (lane, batch) => {
    await serveOrBisect(lane, batch);
    const resting = options.rest?.(batch.length);
    if (resting !== undefined) await Promise.race([resting, draining.promise]);
  });
  const turns = createTurns(eventLoopTurns);
  const telling = new Set<Promise<void>>();
  let draining = Promise.withResolvers<void>();

  /** Sees to it that every item gets an outcome; never rejects. */
  async function serveOrBisect(lane: string, batch: Batch): Promise<void> {
    const items = batch.map(({ item }) => item);
    const served = () => serve(lane, items);
    try {
      const outcomes = await (batch[0]?.asCaller(served) ?? served());
      tellBesideNext(lane, batch, (one, place) => {
        const outcome = outcomes[place];
        if (outcome === undefined) one.reject(new Error("a batch gave no outcome for one of its items"));
        else one.resolve(outcome);
      });
    } catch (error) {
      const reason = failsAll(error);
      if (reason !== undefined || batch.length === 1) {
        return tellBesideNext(lane, batch, (one) => one.reject(reason ?? error));
      }
      const middle = Math.ceil(batch.length / 2);
      await serveOrBisect(lane, batch.slice(0, middle));
      await serveOrBisect(lane, batch.slice(middle));
    }
  }

  function tellBesideNext(lane: string, batch: Batch, tell: (one: Batch[number], place: number) => void): void {
    const told = tellAll(lane, batch, tell).finally(() => telling.delete(told));
    telling.add(told);
  }

  async function tellAll(lane: string, batch: Batch, tell: (one: Batch[number], place: number) => void): Promise<void> {
    for (const [place, one] of batch.entries()) await turns.take(lane, () => tell(one, place));
  }

  return {
    submit: (lane, item) =>
      new Promise((resolve, reject) => {
        if (!lanes.offer(lane, { item, asCaller: AsyncLocalStorage.snapshot(), resolve, reject })) reject(full());
      }),
    async drain() {
      draining.resolve();
      await lanes.drain();
      draining = Promise.withResolvers();
      await Promise.all(telling);
    },
  };
}

interface Lane<Item> {
  readonly name: string;
  readonly waiting: Item[];
  underWay: number;
  /** Since when it could have been served. */
  readySince: number;
}

/** `serve` never rejects. */
function createLanes<Item>(options: Scheduling, serve: (lane: string, batch: readonly Item[]) => Promise<void>) {
  const { slots, reserved, batchSize, perLane, laneBound, comesFirst } = options;
  // Insertion order is the turn: a lane that was served goes to the end.
  const lanes = new Map<string, Lane<Item>>();
  const idle: (() => void)[] = [];
  const patience = createPatience<Item>(options, pump);
  let [underWay, othersUnderWay] = [0, 0];
  const planPump = oncePerTurn(pump);

  function pump(): void {
    patience.forget();
    while (underWay < slots) {
      const next = nextLane();
      if (next === undefined) return;
      lanes.delete(next.name);
      lanes.set(next.name, next);
      void start(next);
    }
  }

  function nextLane(): Lane<Item> | undefined {
    const waiting = [...lanes.values()].filter((lane) => lane.waiting.length > 0 && lane.underWay < perLane);
    const [first, others] = [true, false].map((wanted) => waiting.filter(({ name }) => comesFirst(name) === wanted));
    const chosen = patience.choose(first, underWay - othersUnderWay);
    return chosen ?? (othersUnderWay < slots - reserved ? patience.choose(others, othersUnderWay) : undefined);
  }

  async function start(lane: Lane<Item>): Promise<void> {
    const other = comesFirst(lane.name) ? 0 : 1;
    underWay += 1;
    othersUnderWay += other;
    lane.underWay += 1;
    await serve(lane.name, lane.waiting.splice(0, batchSize));
    underWay -= 1;
    othersUnderWay -= other;
    lane.underWay -= 1;
    lane.readySince = performance.now();
    if (lane.waiting.length === 0 && lane.underWay === 0) lanes.delete(lane.name);
    if (lanes.size === 0) for (const wake of idle.splice(0)) wake();
    pump();
  }

  return {
    /** False when the lane is full. */
    offer(name: string, item: Item): boolean {
      const lane = lanes.get(name) ?? { name, waiting: [], underWay: 0, readySince: 0 };
      if (lane.waiting.length >= laneBound) return false;
      lanes.set(name, lane);
      if (lane.waiting.length === 0) lane.readySince = performance.now();
      lane.waiting.push(item);
      planPump();
      return true;
    },
    drain: () => (lanes.size === 0 ? Promise.resolve() : new Promise<void>((resolve) => idle.push(resolve))),
  };
}

/** After the events of this turn of the loop, so that requests read together travel together. */
function oncePerTurn(work: () => void): () => void {
  let planned = false;
  return () => {
    if (planned) return;
    planned = true;
    setImmediate(() => {
      planned = false;
      work();
    });
  };
}

interface Patience<Item> {
  /** The lane that starts now beside so many batches. If none does, `wake` is called when one should. */
  choose(from: readonly Lane<Item>[] | undefined, beside: number): Lane<Item> | undefined;
  /** Nobody has to be woken any more. */
  forget(): void;
}

function createPatience<Item>(
  { atOnce, patienceMs }: Pick<Scheduling, "atOnce" | "patienceMs">,
  wake: () => void,
): Patience<Item> {
  let alarm: { readonly at: number; readonly timer: NodeJS.Timeout } | undefined;
  const forget = (): void => {
    clearTimeout(alarm?.timer);
    alarm = undefined;
  };
  return {
    choose([next, ...behind] = [], beside) {
      if (next === undefined || beside < atOnce) return next;
      const longest = behind.reduce((one, other) => (other.readySince < one.readySince ? other : one), next);
      const now = performance.now();
      const at = longest.readySince + patienceMs;
      if (at <= now) return longest;
      if (alarm === undefined || at < alarm.at) {
        forget();
        alarm = { at, timer: setTimeout(wake, at - now) };
      }
      return undefined;
    },
    forget,
  };
}
