/** SQL about the people who run the service. In the operator's scope. */
import { sql } from "kysely";
import type { Tx } from "../platform/database/database.ts";
import type { OperatorPerson } from "./person.ts";
import type { OperatorRole } from "./roles.ts";

/** Whole: an operator has tens of people, and two hundred at most are shown. */
export async function listOperatorPeople(tx: Tx): Promise<OperatorPerson[]> {
  const found = await sql<Omit<OperatorPerson, "role"> & { role: string }>`
    select p.id, p.email, p.name, o.role, o.created_at as since, a.confirmed_at is not null as "twoFactorEnabled",
      (select max(s.updated_at) from person_sessions s where s.person_id = p.id) as "lastSeenAt"
    from operator_people o join people p on p.id = o.person_id
      left join person_authenticators a on a.person_id = p.id
    order by o.created_at, p.id limit 200`.execute(tx);
  return found.rows.map((row) => ({ ...row, role: row.role as OperatorRole }));
}

/**
 * Who the admins are, none of whom changes until this transaction ends: of two admins who remove each other at the same
 * moment, the second finds one admin left.
 */
export async function lockAdmins(tx: Tx): Promise<string[]> {
  const admins = await sql<{ id: string }>`
    select person_id as id from operator_people where role = 'admin' order by person_id for update`.execute(tx);
  return admins.rows.map(({ id }) => id);
}

/** What the person was; undefined for somebody who was not among them. */
export async function deleteOperator(tx: Tx, personId: string): Promise<OperatorRole | undefined> {
  const removed = await tx
    .deleteFrom("operator_people")
    .where("person_id", "=", personId)
    .returning("role")
    .executeTakeFirst();
  return removed?.role as OperatorRole | undefined;
}

/** Puts a person out of every browser, and makes a link that is on its way useless. */
export async function endSessionsOf(tx: Tx, personId: string): Promise<void> {
  await tx.deleteFrom("person_sessions").where("person_id", "=", personId).execute();
  await tx.deleteFrom("sign_in_links").where("person_id", "=", personId).execute();
}
