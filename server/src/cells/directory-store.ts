import { sql } from "kysely";
import { type Database, operatorScope, readEnvironment } from "../platform/database/database.ts";

export interface Directory {
  /** The environments that do not live at home, each with its cell. */
  readonly cells: ReadonlyMap<string, string>;
  /** Those that are on their way to another. */
  readonly moving: ReadonlySet<string>;
}

export async function readDirectory(home: Database): Promise<Directory> {
  const found = await readEnvironment(home, operatorScope, (tx) =>
    tx
      .selectFrom("environments")
      .select(["id", "cell", "moving_to"])
      .where((row) => row.or([row("cell", "is not", null), row("moving_to", "is not", null)]))
      .execute(),
  );
  return {
    cells: new Map(found.flatMap(({ id, cell }) => (cell === null ? [] : [[id, cell]]))),
    moving: new Set(found.flatMap(({ id, moving_to: to }) => (to === null ? [] : [id]))),
  };
}

/** The cells in which environments live. */
export async function readCellNames(home: Database): Promise<string[]> {
  const found = await readEnvironment(home, operatorScope, (tx) =>
    tx.selectFrom("environments").select("cell").distinct().where("cell", "is not", null).execute(),
  );
  return found.flatMap(({ cell }) => (cell === null ? [] : [cell]));
}

/** The environments that this very database lets everybody into. */
export async function readOpen(cell: Database): Promise<string[]> {
  const found = await readEnvironment(cell, operatorScope, (tx) =>
    tx.selectFrom("environments").select("id").where("closed", "is", null).execute(),
  );
  return found.map(({ id }) => id);
}

export interface MovingEnvironment {
  readonly id: string;
  readonly to: string;
  readonly hasMover: boolean;
}

/** Environments on their way. Whoever moves one holds a lock for as long as it lives: see takeMoveLock. */
export async function readMoving(home: Database): Promise<readonly MovingEnvironment[]> {
  const found = await readEnvironment(home, operatorScope, (tx) =>
    sql<MovingEnvironment>`
      select e.id, e.moving_to as "to", exists (
        select from pg_locks l
        where l.locktype = 'advisory' and l.objsubid = 1 and l.granted
          and l.database = (select d.oid from pg_database d where d.datname = current_database())
          and (l.classid::bigint << 32) | l.objid::bigint = hashtextextended('jara.move/' || e.id, 0)
      ) as "hasMover"
      from environments e where e.moving_to is not null`.execute(tx),
  );
  return found.rows;
}
