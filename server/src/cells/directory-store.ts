import { sql } from "kysely";
import { type Database, operatorScope, readEnvironment } from "../platform/database/database.ts";

/** The environments that do not live at home, each with its cell. */
export async function readDirectory(home: Database): Promise<ReadonlyMap<string, string>> {
  const found = await readEnvironment(home, operatorScope, (tx) =>
    tx.selectFrom("environments").select(["id", "cell"]).where("cell", "is not", null).execute(),
  );
  return new Map(found.flatMap(({ id, cell }) => (cell === null ? [] : [[id, cell]])));
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
