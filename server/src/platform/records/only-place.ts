import { sql } from "kysely";
import type { Tx } from "../database/database.ts";
import { commonProblem } from "../problem.ts";

/**
 * The environment of a record that an operator names by its id alone. Sandboxes that stand still draw their ids from a
 * seed, so two of them can hold the same one; an operator's word must not reach either of them by chance. Throws
 * invalid_state then.
 */
export async function findOnlyPlace(tx: Tx, table: string, id: string): Promise<string | undefined> {
  const found = await sql<{ environment_id: string }>`
    select environment_id from find_environments_of_record(${[table]}::text[], ${id}::uuid)`.execute(tx);
  return onlyOf(found.rows.map((row) => row.environment_id));
}

/** Throws invalid_state when there are several. */
export function onlyOf(places: readonly string[]): string | undefined {
  if (places.length <= 1) return places[0];
  throw commonProblem("invalid_state", {
    message: "Several sandboxes have a record with this id, because their clocks stand still under the same seed.",
  });
}
