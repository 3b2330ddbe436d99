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
