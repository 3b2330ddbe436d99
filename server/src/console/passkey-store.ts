/** SQL about passkeys and what devices are asked to sign, in the operator's scope. */
import { sql } from "kysely";
import { uuidv7 } from "uuidv7";
import type { Tx } from "../platform/database/database.ts";
import { consoleProblem } from "./errors.ts";
import type { PasskeyKey } from "./passkey.ts";

export interface KeptPasskey extends PasskeyKey {
  readonly id: string;
  readonly personId: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** What a challenge is bound to: a session or, before there is one, a browser's cookie. */
export type AskedOf =
  | { readonly purpose: "add" | "prove"; readonly sessionId: string }
  | { readonly purpose: "sign_in"; readonly browserHash: Buffer };

/** Oldest first; nobody has more than twenty. */
export async function listPasskeys(tx: Tx, personId: string): Promise<KeptPasskey[]> {
  const rows = await passkeys(tx).where("person_id", "=", personId).orderBy("created_at").limit(100).execute();
  return rows.map(keptOf);
}

export async function findPasskey(
  tx: Tx,
  credentialId: Buffer,
): Promise<(KeptPasskey & { email: string }) | undefined> {
  const row = await passkeys(tx)
    .innerJoin("people", "people.id", "person_passkeys.person_id")
    .select("people.email")
    .where("credential_id", "=", credentialId)
    .executeTakeFirst();
  return row && { ...keptOf(row), email: row.email };
}

/** Locked, so that of two at once the second counts the first. */
export async function countPasskeysForMore(tx: Tx, personId: string): Promise<number> {
  await tx.selectFrom("people").select("id").where("id", "=", personId).forUpdate().execute();
  return (await listPasskeys(tx, personId)).length;
}

export async function insertPasskey(tx: Tx, personId: string, name: string, key: PasskeyKey): Promise<KeptPasskey> {
  const kept = await tx
    .insertInto("person_passkeys")
    .values({
      id: uuidv7(),
      person_id: personId,
      credential_id: key.credentialId,
      public_key: key.publicKey,
      counter: BigInt(key.counter),
      transports: [...key.transports],
      name,
    })
    .onConflict((conflict) => conflict.column("credential_id").doNothing())
    .returningAll()
    .executeTakeFirst();
  if (kept === undefined) throw consoleProblem("passkey_exists");
  return keptOf(kept);
}

/** False for a counter that did not move on: the device was copied, or this very answer came twice. */
export async function usePasskey(tx: Tx, id: string, counter: number): Promise<boolean> {
  const used = await sql`
    update person_passkeys set counter = ${counter}, last_used_at = clock_timestamp()
    where id = ${id} and (counter < ${counter} or (counter = 0 and ${counter} = 0))`.execute(tx);
  return used.numAffectedRows === 1n;
}

/** The name of what was removed; undefined when the person has no such passkey. */
export async function deletePasskey(tx: Tx, personId: string, id: string): Promise<string | undefined> {
  const gone = await tx
    .deleteFrom("person_passkeys")
    .where("id", "=", id)
    .where("person_id", "=", personId)
    .returning("name")
    .executeTakeFirst();
  return gone?.name;
}

export async function deletePasskeys(tx: Tx, personId: string): Promise<void> {
  await tx.deleteFrom("person_passkeys").where("person_id", "=", personId).execute();
}

/** A session has one challenge of a kind at a time. Those that nobody came back for go along the way. */
export async function keepChallenge(tx: Tx, hash: Buffer, asked: AskedOf, expiresAt: Date): Promise<void> {
  // Locked rows are skipped: two who tidy up at once do not wait for each other.
  await sql`
    delete from passkey_challenges where hash in (
      select hash from passkey_challenges where expires_at < clock_timestamp()
      order by expires_at limit 100 for update skip locked)`.execute(tx);
  const { sessionId, browserHash } = boundTo(asked);
  await tx
    .deleteFrom("passkey_challenges")
    .where("session_id", "=", sessionId)
    .where("purpose", "=", asked.purpose)
    .execute();
  await tx
    .insertInto("passkey_challenges")
    .values({ hash, purpose: asked.purpose, session_id: sessionId, browser_hash: browserHash, expires_at: expiresAt })
    .execute();
}

/** Uses the challenge up, for who asked for it. False when it is unknown, another's, or too old. */
export async function takeChallenge(tx: Tx, hash: Buffer, asked: AskedOf): Promise<boolean> {
  const { sessionId, browserHash } = boundTo(asked);
  const taken = await sql<{ isFresh: boolean }>`
    delete from passkey_challenges
    where hash = ${hash} and purpose = ${asked.purpose}
      and session_id is not distinct from ${sessionId} and browser_hash is not distinct from ${browserHash}
    returning expires_at > clock_timestamp() as "isFresh"`.execute(tx);
  return taken.rows[0]?.isFresh === true;
}

function boundTo(asked: AskedOf): { readonly sessionId: string | null; readonly browserHash: Buffer | null } {
  return asked.purpose === "sign_in"
    ? { sessionId: null, browserHash: asked.browserHash }
    : { sessionId: asked.sessionId, browserHash: null };
}

function passkeys(tx: Tx) {
  return tx
    .selectFrom("person_passkeys")
    .select(["person_passkeys.id", "person_id", "credential_id", "public_key", "counter", "transports"])
    .select(["person_passkeys.name", "person_passkeys.created_at", "last_used_at"]);
}

interface Row {
  readonly id: string;
  readonly person_id: string;
  readonly credential_id: Buffer;
  readonly public_key: Buffer;
  readonly counter: bigint;
  readonly transports: string[];
  readonly name: string;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
}

function keptOf(row: Row): KeptPasskey {
  return {
    id: row.id,
    personId: row.person_id,
    credentialId: row.credential_id,
    publicKey: row.public_key,
    counter: Number(row.counter),
    transports: row.transports,
    name: row.name,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}
