/**
 * How the environments of one kind share a worker's rounds over their orders. The orders of an environment for one
 * counterparty (a bank, a biller) are a lane. A round looks which lanes have something due, shares its places out among
 * the environments, and claims that much.
 *
 * Nobody fills the worker. An environment may have as much under way as there are places left, and one counterparty
 * half of what its environment may have: the more there is under way, the less anybody may add, so a newcomer always
 * finds a place. What a counterparty of one environment keeps waiting costs the places of that environment only.
 *
 * Where the counterparty is our own simulation, everything that is under way works on our own machine, and what is in
 * hand shares its transactions. Beyond a few batches, more in hand makes nothing faster and every neighbour slower;
 * while others work, less is in hand than alone.
 *
 * An order that is started as it is accepted costs less than one that has to be claimed. So a queue does not end that:
 * the rounds have their share, new orders have one next to it, and an environment that fell behind for a moment comes
 * back to the cheaper way.
 */
import { createRounds, type Lane, type Rounds, type Started, type Taker } from "../platform/work/rounds.ts";

export interface WaitingLane extends Lane {
  /** Since when the first in this lane has waited. */
  readonly since: Date;
}

/** A row that was claimed, and whether it counts against what one environment may have in hand. */
export interface UnderWay extends Lane {
  readonly isInHand: boolean;
}

/** How many rows of a lane this round takes. */
export interface Take extends Lane {
  readonly take: number;
}

/** How much a worker may have under way. */
export interface Room {
  readonly places: number;
  /** How many quick rows of one environment rounds may add to, while no other has anything done. */
  readonly inHand: number;
  /** The same while others have: their single orders share the machine with each of these. */
  readonly inHandBeside: number;
  /** The same for rows that are started as they are accepted: they come no faster than their callers send them. */
  readonly inHandAtOnce: number;
  /** How many of those there may be while others of their environment wait for a round. */
  readonly besideQueue: number;
}

export interface OrderRoundsOptions<Row> extends Room {
  /** The lanes that have something due. */
  look(): Promise<readonly WaitingLane[]>;
  claim(takes: readonly Take[]): Promise<readonly Row[]>;
  laneOf(row: Row): Lane;
  /** Never rejects: what could not be taken further comes back with its lease. */
  advance(row: Row): Promise<void>;
}

const noBound = Number.POSITIVE_INFINITY;

/**
 * A live environment waits for strangers, who should not get more at a time; a sandbox waits for ourselves. What waits
 * in a live one may wait for a rail that is closed, and nothing goes past it.
 */
export const roomBy = {
  LIVE: { places: 600, inHand: noBound, inHandBeside: noBound, inHandAtOnce: noBound, besideQueue: 0 },
  SANDBOX: { places: 1_500, inHand: 320, inHandBeside: 80, inHandAtOnce: 800, besideQueue: 480 },
} as const satisfies Readonly<Record<string, Room>>;

const claimAtOnce = 100;
const quickMs = 1_000;
/** So long an environment counts as having something done after its last row was started. */
const activeMs = 1_000;
const idleMs = 100;
const fullMs = 20;

export function createOrderRounds<Row>(options: OrderRoundsOptions<Row>): Rounds & Taker<Row> {
  const { places, inHand, inHandBeside, inHandAtOnce, besideQueue, laneOf } = options;
  /** Environments of which the last round has left something. */
  let leftOver: ReadonlySet<string> = new Set();
  const activity = trackActivity();
  const rounds = createRounds<Row>({
    claim,
    advance: (row) => {
      activity.note(laneOf(row));
      return options.advance(row);
    },
  });

  /** A row is in hand until it has taken so long that it must be waiting for the outside. */
  function inHandOf(underWay: readonly Started<Row>[], by?: Started<Row>["by"]): UnderWay[] {
    const slowBefore = performance.now() - quickMs;
    return underWay.map((one) => {
      const counts = by === undefined || one.by === by;
      return { ...laneOf(one.row), isInHand: counts && one.startedAt > slowBefore };
    });
  }

  async function claim(underWay: readonly Started<Row>[]) {
    const waiting = await options.look();
    leftOver = new Set(waiting.map(environmentOf));
    if (waiting.length === 0) return { rows: [], restMs: idleMs };
    // Together with what acceptance started there is no more in hand than acceptance alone may have.
    const inAll = roomBeside(inHandOf(underWay), { places, inHand: inHandAtOnce });
    const takes = shareOut(
      waiting.filter((lane) => inAll.ofLane(lane) > 0),
      inHandOf(underWay, "round"),
      { places, atMost: claimAtOnce, inHand: activity.isOfOne(waiting) ? inHand : inHandBeside },
    );
    const rows = takes.length === 0 ? [] : await options.claim(takes);
    const given = countBy(rows.map(laneOf), keyOf);
    const asked = new Map(takes.map((lane) => [keyOf(lane), lane.take]));
    const left = waiting.filter((lane) => (asked.get(keyOf(lane)) ?? 0) === given(keyOf(lane)));
    leftOver = new Set(left.map(environmentOf));
    // Until some have ended: a round for each that does would cost more than it brings.
    const restMs = left.length > 0 ? fullMs : idleMs;
    return { rows, restMs: rows.length >= claimAtOnce ? 0 : restMs };
  }

  return {
    ...rounds,
    room(lane) {
      const underWay = rounds.underWay();
      const room = roomBeside(inHandOf(underWay), { places, inHand: inHandAtOnce }).ofLane(lane);
      if (!leftOver.has(lane.environmentId)) return Math.max(0, room);
      const past = inHandOf(underWay, "acceptance");
      return Math.max(0, Math.min(room, roomBeside(past, { places, inHand: besideQueue }).ofLane(lane)));
    },
  };
}

/** Which environments have something done: something waits, or was started a moment ago. */
function trackActivity() {
  const lastStarts = new Map<string, number>();
  return {
    note: ({ environmentId }: Lane) => void lastStarts.set(environmentId, performance.now()),
    isOfOne(waiting: readonly Lane[]): boolean {
      const before = performance.now() - activeMs;
      for (const [id, at] of lastStarts) if (at < before) lastStarts.delete(id);
      return new Set([...lastStarts.keys(), ...waiting.map(environmentOf)]).size <= 1;
    },
  };
}

export interface Limits {
  /** How much may be under way. */
  readonly places: number;
  /** How much of it may be in hand, for one environment. */
  readonly inHand: number;
  /** How much one round takes. */
  readonly atMost: number;
}

/** Equal shares for environments, and within each for its lanes; the one that has waited longest comes first. */
export function shareOut(waiting: readonly WaitingLane[], underWay: readonly UnderWay[], limits: Limits): Take[] {
  const free = limits.places - underWay.length;
  const { ofEnvironment, ofLane } = roomBeside(underWay, limits);
  const open = waiting.filter((lane) => ofLane(lane) > 0).sort((a, b) => a.since.getTime() - b.since.getTime());
  const environments = Map.groupBy(open, environmentOf);
  const takes: Take[] = [];
  let left = Math.min(limits.atMost, free);
  const share = atLeastOne(left / environments.size);
  for (const [environmentId, lanes] of environments) {
    let own = Math.min(share, left, ofEnvironment(environmentId));
    const laneShare = atLeastOne(own / lanes.length);
    for (const lane of lanes) {
      const take = Math.min(laneShare, own, ofLane(lane));
      if (take <= 0) continue;
      takes.push({ environmentId, counterparty: lane.counterparty, take });
      own -= take;
      left -= take;
    }
  }
  return takes;
}

/** How much more may be added beside what is under way. */
function roomBeside(underWay: readonly UnderWay[], limits: Omit<Limits, "atMost">) {
  const free = limits.places - underWay.length;
  const counted = underWay.filter(({ isInHand }) => isInHand);
  const [held, inHand] = [countBy(underWay, environmentOf), countBy(counted, environmentOf)];
  const [laneHeld, laneInHand] = [countBy(underWay, keyOf), countBy(counted, keyOf)];
  const ofEnvironment = (id: string): number => Math.min(free - held(id), limits.inHand - inHand(id));
  const ofLane = (lane: Lane): number =>
    Math.min(
      ofEnvironment(lane.environmentId),
      Math.ceil(free / 2) - laneHeld(keyOf(lane)),
      Math.ceil(limits.inHand / 2) - laneInHand(keyOf(lane)),
    );
  return { ofEnvironment, ofLane };
}

function atLeastOne(share: number): number {
  return Math.max(1, Math.floor(share));
}

function environmentOf({ environmentId }: Lane): string {
  return environmentId;
}

function keyOf({ environmentId, counterparty }: Lane): string {
  return `${environmentId} ${counterparty}`;
}

/** How many of the items have a key. */
function countBy<T>(items: readonly T[], keyOfItem: (item: T) => string): (key: string) => number {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOfItem(item), (counts.get(keyOfItem(item)) ?? 0) + 1);
  return (key) => counts.get(key) ?? 0;
}
