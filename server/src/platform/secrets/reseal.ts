/**
 * Exchanging the master key: every sealed value is opened with the key that made it and sealed again under the newest.
 * The walk goes environment by environment and batch by batch, each batch a transaction of its own. It can be killed
 * at any moment and started again: what is already under the newest key is passed over.
 *
 * No row is locked while it is worked on. A value is only replaced when it still is what was read, so that a writer who
 * came in between wins; that writer seals under the newest key anyway.
 */
import { sql } from "kysely";
import { besideEnvironment, type Database, operatorScope, readEnvironment, type Tx } from "../database/database.ts";
import { SealError, type Sealer } from "./crypto.ts";

/** A column of sealed bytes in a table whose rows are known by their environment and a key. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  readonly key: string;
  /** The column of the environment, where it has another name: the operator's own rows are in no environment. */
  readonly scope?: string;
  /** The column that holds the blind index of the same value, where it can be searched for. */
  readonly index?: { readonly column: string; readonly purpose: string };
}

export interface ResealReport {
  readonly resealed: number;
  /** Values that no known key opens: "table.column/environment/key". */
  readonly unreadable: readonly string[];
}

export interface ResealOptions {
  readonly batchSize?: number;
  /** Only these; all unless they are named. */
  readonly environments?: readonly string[];
  readonly onBatch?: (resealedSoFar: number) => void;
}

/** What a value is bound to. Everybody who seals a column that is resealed must use this form. */
export function sealedContext(column: SealedColumn, environmentId: string, key: string): string {
  return `${column.table}.${column.column}/${environmentId}/${key}`;
}

export async function resealAll(
  db: Database,
  sealer: Sealer,
  columns: readonly SealedColumn[],
  options: ResealOptions = {},
): Promise<ResealReport> {
  let resealed = 0;
  const unreadable: string[] = [];
  const environments = options.environments ?? [operatorScope, ...(await listEnvironments(db))];
  for (const environmentId of environments) {
    for (const column of columns) {
      for await (const batch of batches(db, sealer, column, environmentId, options.batchSize ?? 500)) {
        resealed += batch.resealed;
        unreadable.push(...batch.unreadable);
        if (batch.resealed > 0) options.onBatch?.(resealed);
      }
    }
  }
  return { resealed, unreadable };
}

/** Ids only: even many thousands of environments are little to hold. */
function listEnvironments(db: Database): Promise<string[]> {
  return readEnvironment(db, operatorScope, async (tx) => {
    const rows = await tx.selectFrom("environments").select("id").orderBy("id").execute();
    return rows.map((row) => row.id);
  });
}

interface Batch extends ResealReport {
  /** The last key that was read, or undefined when there was nothing more. */
  readonly last: string | undefined;
}

async function* batches(
  db: Database,
  sealer: Sealer,
  column: SealedColumn,
  environmentId: string,
  size: number,
): AsyncGenerator<Batch> {
  let after: string | undefined;
  do {
    // Not an event of the sandbox: entering as a reader leaves a frozen sandbox's order of writes untouched.
    const batch = await besideEnvironment(db, environmentId, (tx) => resealBatch(tx, sealer, column, after, size));
    yield batch;
    after = batch.last;
  } while (after !== undefined);
}

interface SealedRow {
  readonly key: string;
  readonly sealed: Buffer;
}

async function resealBatch(
  tx: Tx,
  sealer: Sealer,
  column: SealedColumn,
  after: string | undefined,
  size: number,
): Promise<Batch> {
  const rows = await readOldRows(tx, sealer.keyVersion, column, after, size);
  const opened = rows.map((row) => ({ ...row, plain: tryOpen(sealer, column, tx.environment.id, row) }));
  const readable = opened.flatMap((row) => (row.plain === undefined ? [] : [{ ...row, plain: row.plain }]));
  const replaced = await replace(tx, sealer, column, readable);
  return {
    resealed: replaced,
    unreadable: opened
      .filter((row) => row.plain === undefined)
      .map((row) => sealedContext(column, tx.environment.id, row.key)),
    last: rows.length < size ? undefined : rows.at(-1)?.key,
  };
}

function scopeOf({ scope = "environment_id" }: SealedColumn) {
  return sql.ref(scope);
}

/** The version stands in the second and third byte of what `seal` writes. */
async function readOldRows(
  tx: Tx,
  newestVersion: number,
  column: SealedColumn,
  after: string | undefined,
  size: number,
): Promise<SealedRow[]> {
  const version = Buffer.alloc(2);
  version.writeUInt16BE(newestVersion);
  const key = sql.ref(column.key);
  const sealed = sql.ref(column.column);
  const found = await sql<SealedRow>`
    select ${key}::text as key, ${sealed} as sealed from ${sql.table(column.table)}
    where ${scopeOf(column)} = ${tx.environment.id} and ${sealed} is not null
      and (substring(${sealed} from 2 for 2) <> ${version}
        ${column.index === undefined ? sql`` : sql`or ${sql.ref(column.index.column)} is null`})
      ${after === undefined ? sql`` : sql`and ${key} > ${after}`}
    order by ${key} limit ${size}`.execute(tx);
  return found.rows;
}

function tryOpen(sealer: Sealer, column: SealedColumn, environmentId: string, row: SealedRow): Buffer | undefined {
  try {
    return sealer.open(row.sealed, sealedContext(column, environmentId, row.key));
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}

async function replace(
  tx: Tx,
  sealer: Sealer,
  column: SealedColumn,
  rows: readonly (SealedRow & { readonly plain: Buffer })[],
): Promise<number> {
  const { index } = column;
  const key = sql.ref(column.key);
  const sealed = sql.ref(column.column);
  const keys = rows.map((row) => row.key);
  const before = rows.map((row) => row.sealed);
  const after = rows.map((row) => sealer.seal(row.plain, sealedContext(column, tx.environment.id, row.key)));
  const indexes = rows.map((row) =>
    index === undefined ? null : sealer.blindIndex(row.plain.toString("utf8"), index.purpose),
  );
  const result = await sql`
    update ${sql.table(column.table)} as t
    set ${sealed} = r.after ${index === undefined ? sql`` : sql`, ${sql.ref(index.column)} = r.index`}
    from unnest(${keys}::text[], ${before}::bytea[], ${after}::bytea[], ${indexes}::bytea[])
      as r (key, before, after, index)
    where t.${scopeOf(column)} = ${tx.environment.id} and t.${key}::text = r.key and t.${sealed} = r.before`.execute(
    tx,
  );
  return Number(result.numAffectedRows ?? 0n);
}
