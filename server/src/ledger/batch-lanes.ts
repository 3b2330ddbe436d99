/**
 * Gathers items by lane and serves each lane in batches. There is no timer: an item that finds a free slot starts in
 * this turn of the event loop, and a batch is whatever gathered in its lane while earlier ones were under way. Lanes
 * take turns, so a busy one does not starve the others.
 */
export interface LaneOptions<Item> {
  /** Batches under way at the same time, over all lanes. */
  readonly slots: number;
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
}

export function createLanes<Item>(options: LaneOptions<Item>): Lanes<Item> {
  const { slots, batchSize, perLane, laneBound } = options;
  // Insertion order is the turn: a lane that was served goes to the end.
  const lanes = new Map<string, Lane<Item>>();
  const idle: (() => void)[] = [];
  let underWay = 0;
  let pumpPlanned = false;

  function planPump(): void {
    if (pumpPlanned) return;
    pumpPlanned = true;
    // After the events of this turn of the loop, so that requests read together travel together.
    setImmediate(() => {
      pumpPlanned = false;
      pump();
    });
  }

  function pump(): void {
    while (underWay < slots) {
      const next = lanes.values().find((lane) => lane.waiting.length > 0 && lane.underWay < perLane);
      if (next === undefined) return;
      lanes.delete(next.name);
      lanes.set(next.name, next);
      void start(next);
    }
  }

  async function start(lane: Lane<Item>): Promise<void> {
    underWay += 1;
    lane.underWay += 1;
    await options.serve(lane.name, lane.waiting.splice(0, batchSize));
    underWay -= 1;
    lane.underWay -= 1;
    if (lane.waiting.length === 0 && lane.underWay === 0) lanes.delete(lane.name);
    if (lanes.size === 0) for (const wake of idle.splice(0)) wake();
    pump();
  }

  return {
    offer(name, item) {
      const lane = lanes.get(name) ?? { name, waiting: [], underWay: 0 };
      if (lane.waiting.length >= laneBound) return false;
      lanes.set(name, lane);
      lane.waiting.push(item);
      planPump();
      return true;
    },
    drain: () => (lanes.size === 0 ? Promise.resolve() : new Promise((resolve) => idle.push(resolve))),
  };
}
