/**
 * What an environment may do only at home (cells.ts). What a person owes is looked up in one database, and money that
 * comes in is booked there: a debt or an account number that was made in a cell would be seen by nobody else.
 */
import { commonProblem } from "../problem.ts";
import type { Tx } from "./database.ts";

/** Throws `unavailable` where the environment lives in a cell. `undone` is what cannot be done there. */
export async function requireHome(tx: Tx, undone: string): Promise<void> {
  const own = await tx.selectFrom("environments").select("cell").where("id", "=", tx.environment.id).executeTakeFirst();
  if (own === undefined || own.cell === null) return;
  const asked = "Nothing was changed; ask the operator of this service to move it home.";
  const message = `From the database that this environment lives in, ${undone}. ${asked}`;
  throw commonProblem("unavailable", { message, headers: { "retry-after": "3600" } });
}
