/**
 * Reading from replicas: streaming standbys of PostgreSQL. A replica is always a little late, and whoever has just
 * written must see it. So a reading first asks the primary how far its log of changes is safe on disk, and a replica
 * serves the reading only when it has replayed as much: whatever anybody was told before the reading began is in it, no
 * matter who wrote it and through which process. A replica that is late, gone or on another time line is passed over,
 * and the primary serves. Nothing here makes a reading older than the primary would have made it.
 */
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { type Database, readEnvironment, type Tx } from "./database.ts";
import { hasCode, isConnectionLost, isTransient } from "./retry-transient.ts";

export interface Replica {
  /** For people: where it is, without its password. */
  readonly name: string;
  readonly db: Database;
}

/** What is known of a replica, for the figures. */
export interface ReplicaState {
  readonly name: string;
  readonly serves: boolean;
  /** How far it was behind the last reading that asked for it; null until one did. */
  readonly behindBytes: number | null;
}

export interface ReplicasOptions {
  /** Told when a replica is passed over from now on, and why; again only for another reason. */
  onTrouble(name: string, reason: unknown): void;
}

/** Longer than a healthy replica on the same network needs, and shorter than a person notices. */
const patienceMs = 50;
const betweenQuestionsMs = 2;
/** A replica in trouble is passed over for as long: otherwise each reading would wait for it. */
const restMs = 1_000;

/** A place in the log of changes. */
interface Mark {
  readonly position: bigint;
  readonly timeline: number;
}

interface Known {
  readonly replica: Replica;
  position: bigint;
  /** Undefined until it was seen to be a standby of this very database. */
  timeline: number | undefined;
  wanted: bigint | undefined;
  restsUntil: number;
  /** Why it is passed over; undefined while it serves. */
  trouble: string | undefined;
  /** Reads its position again: one question for everybody who waits. */
  refresh(): Promise<void>;
}

interface Replicas {
  /** A replica that has everything; undefined when the primary has to serve. */
  findAbreast(): Promise<Known | undefined>;
  giveRest(known: Known, reason: unknown): void;
  states(): ReplicaState[];
}

const replicasOf = new WeakMap<Database, Replicas>();

/** From now on readings of this database may be served by these replicas of it. */
export function attachReplicas(primary: Database, replicas: readonly Replica[], options: ReplicasOptions): void {
  if (replicas.length > 0) replicasOf.set(primary, createReplicas(primary, replicas, options));
}

export function replicaStates(primary: Database): ReplicaState[] {
  return replicasOf.get(primary)?.states() ?? [];
}

/** Like `readEnvironment`, on a replica that has everything which was committed before, or on the primary. */
export async function readFromReplica<T>(
  db: Database,
  environmentId: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const replicas = replicasOf.get(db);
  const found = await replicas?.findAbreast();
  if (replicas === undefined || found === undefined) return readEnvironment(db, environmentId, work);
  try {
    return await readEnvironment(found.replica.db, environmentId, work);
  } catch (error) {
    if (isConnectionLost(error)) replicas.giveRest(found, error);
    else if (!cannotBeReadThere(error)) throw error;
    return readEnvironment(db, environmentId, work);
  }
}

/** The primary removed rows that the reading still needed, or the question is about the primary itself. */
function cannotBeReadThere(error: unknown): boolean {
  return isTransient(error) || hasCode(error, "55000");
}

function createReplicas(primary: Database, replicas: readonly Replica[], { onTrouble }: ReplicasOptions): Replicas {
  const readMark = together(() => askPrimary(primary));
  const all = replicas.map(acquaint);
  let turn = 0;

  function giveRest(known: Known, reason: unknown): void {
    known.restsUntil = performance.now() + restMs;
    const trouble = String(reason);
    if (known.trouble !== trouble) onTrouble(known.replica.name, reason);
    known.trouble = trouble;
  }

  function nextInTurn(): Known | undefined {
    const now = performance.now();
    for (let tried = 0; tried < all.length; tried += 1) {
      turn = (turn + 1) % all.length;
      const known = all[turn];
      if (known !== undefined && known.restsUntil <= now) return known;
    }
    return undefined;
  }

  async function findAbreast(): Promise<Known | undefined> {
    const known = nextInTurn();
    if (known === undefined) return undefined;
    try {
      const mark = await readMark();
      known.wanted = mark.position;
      const reason = isAbreast(known, mark) ? undefined : await becomeAbreast(primary, known, mark);
      if (reason !== undefined) {
        giveRest(known, reason);
        return undefined;
      }
      known.trouble = undefined;
      return known;
    } catch (error) {
      giveRest(known, error);
      return undefined;
    }
  }

  const states = (): ReplicaState[] =>
    all.map(({ replica, position, wanted, trouble }) => ({
      name: replica.name,
      serves: trouble === undefined && wanted !== undefined,
      behindBytes: wanted === undefined ? null : Math.max(0, Number(wanted - position)),
    }));

  return { findAbreast, giveRest, states };
}

function acquaint(replica: Replica): Known {
  const known: Known = {
    replica,
    position: 0n,
    timeline: undefined,
    wanted: undefined,
    restsUntil: 0,
    trouble: undefined,
    refresh: together(async () => {
      known.position = await askPosition(replica.db);
    }),
  };
  return known;
}

function isAbreast({ position, timeline }: Known, mark: Mark): boolean {
  return timeline === mark.timeline && position >= mark.position;
}

/** Why it did not, or undefined. A replica that does not even reply is late as well. */
function becomeAbreast(primary: Database, known: Known, mark: Mark): Promise<string | undefined> {
  return Promise.race([follow(primary, known, mark), pause(patienceMs, "it is late", { ref: false })]);
}

/** Asks until the replica has replayed all that the primary had safe when it was asked. */
async function follow(primary: Database, known: Known, mark: Mark): Promise<string | undefined> {
  if (known.timeline !== mark.timeline) {
    const identity = await readIdentity(known.replica.db);
    if (identity.system !== (await readIdentity(primary)).system) return "it is no standby of this database";
    known.timeline = identity.timeline;
    // Its position means nothing before a restart point on the new time line says that it has followed.
    if (identity.timeline !== mark.timeline) return "it has not followed to the primary's time line yet";
  }
  const latest = performance.now() + patienceMs;
  for (;;) {
    await known.refresh();
    if (isAbreast(known, mark)) return undefined;
    if (performance.now() >= latest) return "it is late";
    await pause(betweenQuestionsMs);
  }
}

async function askPrimary(db: Database): Promise<Mark> {
  const found = await sql<{ position: bigint; file: string }>`
    select pg_wal_lsn_diff(w.flushed, '0/0')::bigint as position, pg_walfile_name(w.flushed) as file
    from pg_current_wal_flush_lsn() as w (flushed)`.execute(db);
  const [row] = found.rows;
  if (row === undefined) throw new Error("the primary did not say how far its log goes");
  // The first eight digits of a segment's name are its time line.
  return { position: row.position, timeline: Number.parseInt(row.file.slice(0, 8), 16) };
}

async function askPosition(db: Database): Promise<bigint> {
  const found = await sql<{ position: bigint | null }>`
    select case when pg_is_in_recovery() then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint end as position
    `.execute(db);
  const position = found.rows[0]?.position;
  if (typeof position !== "bigint") throw new Error("it is a primary itself, and no standby");
  return position;
}

async function readIdentity(db: Database): Promise<{ readonly system: string; readonly timeline: number }> {
  const found = await sql<{ system: string; timeline: number }>`
    select s.system_identifier::text as system, c.timeline_id as timeline
    from pg_control_system() s, pg_control_checkpoint() c`.execute(db);
  const [row] = found.rows;
  if (row === undefined) throw new Error("PostgreSQL did not say which one it is");
  return row;
}

/**
 * One question for everybody who came before it was asked. Who comes while it is under way waits for the next one: the
 * answer to an older question may be too old.
 */
function together<T>(ask: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  return () => {
    next ??= underWay.then(() => {
      const asked = ask();
      next = undefined;
      underWay = asked.catch(() => undefined);
      return asked;
    });
    return next;
  };
}
