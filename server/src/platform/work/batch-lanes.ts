/**
 * Gathers items by lane and serves each lane in batches. There is no timer: an item that finds a free slot starts in
 * this turn of the event loop, and a batch is whatever gathered in its lane while earlier ones were under way. Lanes
 * take turns, so a busy one does not starve the others. Some lanes come first, and a part of the slots is theirs alone.
 */
export interface LaneOptions<Item> {
  /** Batches under way at the same time, over all lanes. */
  readonly slots: number;
  /** Of these, how many only lanes that come first may take. */
  readonly reserved: number;
  readonly comesFirst: (lane: string) => boolean;
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
  const { slots, reserved, batchSize, perLane, laneBound, comesFirst } = options;
  // Insertion order is the turn: a lane that was served goes to the end.
  const lanes = new Map<string, Lane<Item>>();
  const idle: (() => void)[] = [];
  let [underWay, othersUnderWay] = [0, 0];
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
      const next = nextLane();
      if (next === undefined) return;
      lanes.delete(next.name);
      lanes.set(next.name, next);
      void start(next);
    }
  }

  function nextLane(): Lane<Item> | undefined {
    const waiting = [...lanes.values()].filter((lane) => lane.waiting.length > 0 && lane.underWay < perLane);
    const first = waiting.find(({ name }) => comesFirst(name));
    return first ?? (othersUnderWay < slots - reserved ? waiting[0] : undefined);
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
