/** SQL about a person's own account: name, password, sessions. In the operator's scope. */
import { sql } from "kysely";
import { uuidv7 } from "uuidv7";
import type { Tx } from "../platform/database/database.ts";

export interface KeptSession {
  readonly id: string;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly signedInAt: Date;
  readonly expiresAt: Date;
}

/** Newest first; more than a hundred at once is nobody's. */
export async function listSessions(tx: Tx, personId: string): Promise<KeptSession[]> {
  const rows = await tx
    .selectFrom("person_sessions")
    .select(["id", "ip_address", "user_agent", "created_at", "expires_at"])
    .where("person_id", "=", personId)
    .where("expires_at", ">", sql<Date>`clock_timestamp()`)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(100)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    address: row.ip_address,
    userAgent: row.user_agent,
    signedInAt: row.created_at,
    expiresAt: row.expires_at,
  }));
}

/** False when the person has no such session. */
export async function endSession(tx: Tx, personId: string, id: string): Promise<boolean> {
  const gone = await tx
    .deleteFrom("person_sessions")
    .where("id", "=", id)
    .where("person_id", "=", personId)
    .executeTakeFirst();
  return gone.numDeletedRows === 1n;
}

/** Ends all but this one, and says how many that were. */
export async function endOtherSessions(tx: Tx, personId: string, sessionId: string): Promise<number> {
  const gone = await tx
    .deleteFrom("person_sessions")
    .where("person_id", "=", personId)
    .where("id", "<>", sessionId)
    .executeTakeFirst();
  return Number(gone.numDeletedRows);
}

export async function keepPassword(tx: Tx, personId: string, hash: string): Promise<void> {
  await tx
    .insertInto("person_credentials")
    .values({ id: uuidv7(), person_id: personId, provider_id: "credential", account_id: personId, password: hash })
    .onConflict((conflict) =>
      conflict.columns(["provider_id", "account_id"]).doUpdateSet({ password: hash, updated_at: new Date() }),
    )
    .execute();
}

export async function renamePerson(tx: Tx, personId: string, name: string): Promise<void> {
  await tx.updateTable("people").set({ name, updated_at: new Date() }).where("id", "=", personId).execute();
}
