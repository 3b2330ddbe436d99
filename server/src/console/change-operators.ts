/** What admins do to the people who run the service. There is always an admin. In the operator's scope. */
import type { Tx } from "../platform/database/database.ts";
import { findOperatorRole, setOperator } from "./console-store.ts";
import { consoleProblem } from "./errors.ts";
import { deleteOperator, endSessionsOf, lockAdmins } from "./operator-people-store.ts";
import type { OperatorRole } from "./roles.ts";

/** Throws last_admin. Somebody who is not among them yet becomes one of them. */
export async function giveOperatorRole(tx: Tx, personId: string, role: OperatorRole): Promise<void> {
  if (role !== "admin") await keepAnAdmin(tx, personId);
  await setOperator(tx, personId, role);
}

/** Returns the role before. Throws operator_person_not_found and last_admin. */
export async function changeOperatorRole(tx: Tx, personId: string, role: OperatorRole): Promise<OperatorRole> {
  const before = await findOperatorRole(tx, personId);
  if (before === null) throw consoleProblem("operator_person_not_found");
  await giveOperatorRole(tx, personId, role);
  return before;
}

/** The person is signed out everywhere. Returns the role before; throws what a change of role does. */
export async function removeOperator(tx: Tx, personId: string): Promise<OperatorRole> {
  await keepAnAdmin(tx, personId);
  const before = await deleteOperator(tx, personId);
  if (before === undefined) throw consoleProblem("operator_person_not_found");
  await endSessionsOf(tx, personId);
  return before;
}

async function keepAnAdmin(tx: Tx, personId: string): Promise<void> {
  const admins = await lockAdmins(tx);
  if (admins.length === 1 && admins[0] === personId) throw consoleProblem("last_admin");
}
