/** SQL about authenticator apps and recovery codes, in the operator's scope. */
import { sql } from "kysely";
import type { Tx } from "../platform/database/database.ts";

export interface KeptAuthenticator {
  readonly sealedSecret: Buffer;
  readonly isOn: boolean;
}

export async function readAuthenticator(tx: Tx, personId: string): Promise<KeptAuthenticator | undefined> {
  const row = await tx
    .selectFrom("person_authenticators")
    .select(["sealed_secret", "confirmed_at"])
    .where("person_id", "=", personId)
    .executeTakeFirst();
  return row && { sealedSecret: row.sealed_secret, isOn: row.confirmed_at !== null };
}

/** A second beginning replaces the first; one that is on stays, and false is returned. */
export async function beginAuthenticator(tx: Tx, personId: string, sealedSecret: Buffer): Promise<boolean> {
  const kept = await sql`
    insert into person_authenticators as known (person_id, sealed_secret) values (${personId}, ${sealedSecret})
    on conflict (person_id) do update set sealed_secret = excluded.sealed_secret, last_step = 0
    where known.confirmed_at is null`.execute(tx);
  return kept.numAffectedRows === 1n;
}

/** Of two with the same code one is first. */
export async function confirmAuthenticator(tx: Tx, personId: string, step: number): Promise<boolean> {
  const moved = await sql`
    update person_authenticators set confirmed_at = clock_timestamp(), last_step = ${step}
    where person_id = ${personId} and confirmed_at is null`.execute(tx);
  return moved.numAffectedRows === 1n;
}

/** A step is used once, and none that lies before it afterwards. */
export async function useStep(tx: Tx, personId: string, step: number): Promise<boolean> {
  const moved = await sql`
    update person_authenticators set last_step = ${step}
    where person_id = ${personId} and confirmed_at is not null and last_step < ${step}`.execute(tx);
  return moved.numAffectedRows === 1n;
}

export async function useRecoveryCode(tx: Tx, personId: string, hash: Buffer): Promise<boolean> {
  const used = await sql`
    update person_recovery_codes set used_at = clock_timestamp()
    where hash = ${hash} and person_id = ${personId} and used_at is null`.execute(tx);
  return used.numAffectedRows === 1n;
}

export async function replaceRecoveryCodes(tx: Tx, personId: string, hashes: readonly Buffer[]): Promise<void> {
  await tx.deleteFrom("person_recovery_codes").where("person_id", "=", personId).execute();
  await tx
    .insertInto("person_recovery_codes")
    .values(hashes.map((hash) => ({ hash, person_id: personId })))
    .execute();
}

export async function countRecoveryCodes(tx: Tx, personId: string): Promise<number> {
  const row = await tx
    .selectFrom("person_recovery_codes")
    .select((of) => of.fn.countAll<string>().as("left"))
    .where("person_id", "=", personId)
    .where("used_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(row.left);
}

/** False when there was none. */
export async function deleteAuthenticator(tx: Tx, personId: string): Promise<boolean> {
  await tx.deleteFrom("person_recovery_codes").where("person_id", "=", personId).execute();
  const gone = await tx.deleteFrom("person_authenticators").where("person_id", "=", personId).executeTakeFirst();
  return gone.numDeletedRows === 1n;
}
