/**
 * Gathers items by lane and serves each lane in batches. An item that finds a free slot starts in this turn of the
 * event loop, and a batch is whatever gathered in its lane while earlier ones were under way. Lanes take turns, so a
 * busy one does not starve the others. Some lanes come first, and a part of the slots is theirs alone.
 *
 * Only a few batches start at once. With more under way a lane waits for one of them to end, and gathers meanwhile: two
 * processors do ten small batches at a time no sooner than four larger ones, and each batch has its own wait for the
 * disk. A lane that has waited for long takes any slot that is free, so a database far away is kept busy too.
 */
export interface LaneOptions<Item> {
  /** Batches under way at the same time, over all lanes. */
  readonly slots: number;
  /** Of these, how many only lanes that come first may take. */
  readonly reserved: number;
  readonly comesFirst: (lane: string) => boolean;
  /** Batches under way beside which another starts at once: of lanes that come first, and as many of the others. */
  readonly atOnce: number;
  /** How long a lane waits for one of these to end. */
  readonly patienceMs: number;
  readonly batchSize: number;
  readonly perLane: number;
  /** Items that may wait in one lane before new ones are turned away. */
  readonly laneBound: number;
  /** Never rejects: it answers every item itself. */
  serve(lane: string, batch: readonly Item[]): Promise<void>;
}

export interface Lanes<Item> {
  /** False when the lane is full. */
  offer(lane: string, item: Item): boolean;
  /** Resolves when nothing waits and nothing is under way. */
  drain(): Promise<void>;
}

interface Lane<Item> {
  readonly name: string;
  readonly waiting: Item[];
  underWay: number;
  /** Since when it could have been served. */
  readySince: number;
}

export function createLanes<Item>(options: LaneOptions<Item>): Lanes<Item> {
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
    await options.serve(lane.name, lane.waiting.splice(0, batchSize));
    underWay -= 1;
    othersUnderWay -= other;
    lane.underWay -= 1;
    lane.readySince = performance.now();
    if (lane.waiting.length === 0 && lane.underWay === 0) lanes.delete(lane.name);
    if (lanes.size === 0) for (const wake of idle.splice(0)) wake();
    pump();
  }

  return {
    offer(name, item) {
      const lane = lanes.get(name) ?? { name, waiting: [], underWay: 0, readySince: 0 };
      if (lane.waiting.length >= laneBound) return false;
      lanes.set(name, lane);
      if (lane.waiting.length === 0) lane.readySince = performance.now();
      lane.waiting.push(item);
      planPump();
      return true;
    },
    drain: () => (lanes.size === 0 ? Promise.resolve() : new Promise((resolve) => idle.push(resolve))),
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
  /** The lane that starts now beside so many batches. If none does, the alarm rings when one should. */
  choose(from: readonly Lane<Item>[] | undefined, beside: number): Lane<Item> | undefined;
  /** No alarm is wanted any more. */
  forget(): void;
}

function createPatience<Item>(
  { atOnce, patienceMs }: Pick<LaneOptions<Item>, "atOnce" | "patienceMs">,
  ring: () => void,
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
        alarm = { at, timer: setTimeout(ring, at - now) };
      }
      return undefined;
    },
    forget,
  };
}
