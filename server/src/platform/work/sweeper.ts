/**
 * The last net: a record that is not in a final state and that neither a job nor an agenda entry will ever move
 * again is given a new task. Jobs are given up after a bounded number of tries, and this is what makes that safe.
 */
import { sql } from "kysely";
import { type Database, inEnvironment } from "../database/database.ts";
import type { Logger } from "../logger.ts";
import { schedule } from "./agenda.ts";

export interface SweptRecord {
  readonly environmentId: string;
  readonly subject: string;
}

export interface SweepSource {
  /** For the log: "transfers in processing". */
  readonly name: string;
  /** The task that takes such a record further. */
  readonly kind: string;
  /**
   * Records of all environments that are not final and have not changed for a while, in the order of
   * (environmentId, subject), starting after the given one. Crossing environments takes a look-up function.
   */
  find(db: Database, after: SweptRecord | undefined, atMost: number): Promise<readonly SweptRecord[]>;
}

const lowest = "00000000-0000-0000-0000-000000000000";

/**
 * A source whose records are named by their id. The look-up function takes the `wanted` values, the place to start
 * after (environment and id) and at most how many.
 */
export function recordsById(
  source: Pick<SweepSource, "name" | "kind">,
  lookup: `find_${string}`,
  ...wanted: readonly (string | number | boolean)[]
): SweepSource {
  return {
    ...source,
    find: async (db, { environmentId, subject } = { environmentId: lowest, subject: lowest }, atMost) => {
      const values = [...wanted.map((value) => sql`${value}`), sql`${environmentId}::uuid`, sql`${subject}::uuid`];
      const found = await sql<{ environment_id: string; id: string }>`
        select environment_id, id from ${sql.raw(lookup)}(${sql.join(values)}, ${atMost})`.execute(db);
      return found.rows.map((row) => ({ environmentId: row.environment_id, subject: row.id }));
    },
  };
}

const pageSize = 500;

export interface SweepOptions {
  /**
   * For how long nobody must have written in a frozen sandbox: whenever somebody is at work there, a record may be
   * between two steps of its own, and a task for it would come at a moment that no input decided.
   */
  readonly idleSeconds?: number;
}

/** Goes through all sources once and returns how many tasks were scheduled. */
export async function sweep(
  db: Database,
  sources: readonly SweepSource[],
  log: Logger,
  { idleSeconds = 0 }: SweepOptions = {},
): Promise<number> {
  let restarted = 0;
  for (const source of sources) {
    const count = await sweepSource(db, source, idleSeconds);
    if (count > 0) log.warn({ source: source.name, kind: source.kind, count }, "stranded records were given a task");
    restarted += count;
  }
  return restarted;
}

async function sweepSource(db: Database, source: SweepSource, idleSeconds: number): Promise<number> {
  let restarted = 0;
  let after: SweptRecord | undefined;
  for (;;) {
    const page = await source.find(db, after, pageSize);
    const stranded = page.length === 0 ? [] : await withoutWork(db, source.kind, page, idleSeconds);
    for (const [environmentId, records] of Map.groupBy(stranded, (record) => record.environmentId)) {
      const entries = records.map((record) => ({ kind: source.kind, subject: record.subject }));
      await inEnvironment(db, environmentId, (tx) => schedule(tx, entries));
    }
    restarted += stranded.length;
    after = page.at(-1);
    if (page.length < pageSize) return restarted;
  }
}

async function withoutWork(
  db: Database,
  kind: string,
  records: readonly SweptRecord[],
  idleSeconds: number,
): Promise<SweptRecord[]> {
  const environments = records.map((record) => record.environmentId);
  const subjects = records.map((record) => record.subject);
  const found = await sql<SweptRecord>`
    select environment_id as "environmentId", subject
    from find_records_without_work(${kind}, ${environments}::uuid[], ${subjects}::text[], ${idleSeconds})`.execute(db);
  return found.rows;
}
