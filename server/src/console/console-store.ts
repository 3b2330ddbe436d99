/** All SQL about people. Every function wants the operator's scope. */
import { sql } from "kysely";
import { uuidv7 } from "uuidv7";
import { merchantProblem } from "../merchants/errors.ts";
import type { EnvironmentKind, Tx } from "../platform/database/database.ts";
import { deletePasskeys, listPasskeys } from "./passkey-store.ts";
import type { Belongings, Membership, Place, WaysIn } from "./person.ts";
import type { MerchantRole, OperatorRole } from "./roles.ts";
import { countRecoveryCodes, deleteAuthenticator, readAuthenticator } from "./second-factor-store.ts";

export async function readSecret(tx: Tx, id: string): Promise<Buffer | undefined> {
  const row = await tx.selectFrom("console_secrets").select("sealed_secret").where("id", "=", id).executeTakeFirst();
  return row?.sealed_secret;
}

export async function insertSecret(tx: Tx, id: string, sealed: Buffer): Promise<void> {
  await tx
    .insertInto("console_secrets")
    .values({ id, sealed_secret: sealed })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Undefined for a stranger's environment, and for one that nobody has. */
export async function findPlace(tx: Tx, personId: string, environmentId: string): Promise<Place | undefined> {
  const row = await tx
    .selectFrom("environments")
    .innerJoin("memberships", "memberships.merchant_id", "environments.merchant_id")
    .select(["environments.merchant_id", "environments.kind", "memberships.role"])
    .where("environments.id", "=", environmentId)
    .where("memberships.person_id", "=", personId)
    .executeTakeFirst();
  return row && { merchantId: row.merchant_id, kind: row.kind as EnvironmentKind, role: row.role as MerchantRole };
}

/** Of any merchant on this server. */
export async function hasLiveEnvironment(tx: Tx): Promise<boolean> {
  const row = await tx.selectFrom("environments").select("id").where("kind", "=", "LIVE").limit(1).executeTakeFirst();
  return row !== undefined;
}

export async function findOperatorRole(tx: Tx, personId: string): Promise<OperatorRole | null> {
  const row = await tx
    .selectFrom("operator_people")
    .select("role")
    .where("person_id", "=", personId)
    .executeTakeFirst();
  return (row?.role as OperatorRole | undefined) ?? null;
}

/** Whole, without a limit: a person works for a handful of merchants. */
export async function readBelongings(tx: Tx, personId: string): Promise<Belongings> {
  const rows = await tx
    .selectFrom("memberships")
    .innerJoin("merchants", "merchants.id", "memberships.merchant_id")
    .innerJoin("environments", "environments.merchant_id", "memberships.merchant_id")
    .select(["merchants.id as merchantId", "merchants.name as merchantName", "memberships.role"])
    .select(["environments.id", "environments.kind", "environments.name"])
    .where("memberships.person_id", "=", personId)
    .orderBy("memberships.created_at")
    .orderBy("environments.created_at")
    .orderBy("environments.id")
    .execute();
  const byMerchant = Map.groupBy(rows, ({ merchantId }) => merchantId);
  const memberships = [...byMerchant.values()].flatMap(([first, ...others]): Membership[] => {
    if (first === undefined) return [];
    const { merchantId, merchantName, role } = first;
    const environments = [first, ...others].map(({ id, kind, name }) => ({ id, kind: kind as EnvironmentKind, name }));
    return [{ merchantId, merchantName, role: role as MerchantRole, environments }];
  });
  return { memberships, operatorRole: await findOperatorRole(tx, personId) };
}

/**
 * The newest hundred are enough to know where a person sits. Where the address is confirmed only its person counts, so
 * nobody who has it at some merchant gets more guesses at that person's password.
 */
export async function readSessionAddresses(tx: Tx, email: string): Promise<string[]> {
  const rows = await tx
    .selectFrom("person_sessions")
    .innerJoin("people", "people.id", "person_sessions.person_id")
    .select("person_sessions.ip_address")
    .where("people.email", "=", email)
    .where(sql<boolean>`
      (people.email_verified or not exists (select from people p where p.email = ${email} and p.email_verified))`)
    .orderBy("person_sessions.created_at", "desc")
    .limit(100)
    .execute();
  return rows.flatMap((row) => (row.ip_address === null ? [] : [row.ip_address]));
}

/** The hash of it; undefined for a person who came by a link and has none yet. */
export async function readPassword(tx: Tx, personId: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom("person_credentials")
    .select("password")
    .where("person_id", "=", personId)
    .where("provider_id", "=", "credential")
    .executeTakeFirst();
  return row?.password ?? undefined;
}

/**
 * Of the person whose address it is, and of those for whom a merchant alone says so. They are few: each is at another
 * merchant.
 */
export async function findPasswords(tx: Tx, email: string): Promise<{ personId: string; hash: string }[]> {
  const rows = await tx
    .selectFrom("people")
    .innerJoin("person_credentials", "person_credentials.person_id", "people.id")
    .select(["people.id", "person_credentials.password"])
    .where("people.email", "=", email)
    .where("person_credentials.provider_id", "=", "credential")
    .orderBy("people.email_verified", "desc")
    .orderBy("people.created_at")
    .limit(20)
    .execute();
  return rows.flatMap(({ id, password }) => (password === null ? [] : [{ personId: id, hash: password }]));
}

export async function readWaysIn(tx: Tx, personId: string): Promise<WaysIn> {
  return {
    hasPassword: (await readPassword(tx, personId)) !== undefined,
    twoFactorEnabled: (await readAuthenticator(tx, personId))?.isOn === true,
    recoveryCodesLeft: await countRecoveryCodes(tx, personId),
    hasPasskey: (await listPasskeys(tx, personId)).length > 0,
  };
}

/** Of a session that has ended meanwhile nothing is kept, and its next request says so. */
export async function keepProof(tx: Tx, sessionId: string): Promise<Date> {
  const provenAt = new Date();
  await tx.updateTable("person_sessions").set({ proven_at: provenAt }).where("id", "=", sessionId).execute();
  return provenAt;
}

/**
 * The person whom an operator lets in under this address, which confirms it. Somebody who joined this merchant under it
 * by an invitation becomes that person, as the operator's link decides. Somebody who joined another merchant does not.
 */
export async function ensurePerson(
  tx: Tx,
  { email: typed, name, merchantId }: { readonly email: string; readonly name: string; readonly merchantId?: string },
): Promise<string> {
  const email = typed.toLowerCase();
  const confirmed = await findConfirmed(tx, email);
  if (confirmed !== undefined) return confirmed;
  const joined = merchantId === undefined ? undefined : await findJoined(tx, merchantId, email);
  if (joined !== undefined) {
    await vouchFor(tx, joined, name);
    return joined;
  }
  await tx
    .insertInto("people")
    .values({ id: uuidv7(), email, name })
    .onConflict((conflict) => conflict.columns(["email", "merchant_id"]).doNothing())
    .execute();
  const made = await findConfirmed(tx, email);
  if (made === undefined) throw new Error("a person who was just let in is not there");
  return made;
}

async function findConfirmed(tx: Tx, email: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom("people")
    .select("id")
    .where("email", "=", email)
    .where("merchant_id", "is", null)
    .executeTakeFirst();
  return row?.id;
}

async function findJoined(tx: Tx, merchantId: string, email: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom("people")
    .select("id")
    .where("email", "=", email)
    .where("merchant_id", "=", merchantId)
    .executeTakeFirst();
  return row?.id;
}

/**
 * An operator confirms the address of somebody who had joined by an invitation, which proved nothing. What was set up
 * then ends, the name too: the operator's link decides who it is.
 */
async function vouchFor(tx: Tx, personId: string, name: string): Promise<void> {
  await tx.deleteFrom("person_sessions").where("person_id", "=", personId).execute();
  await tx.deleteFrom("person_credentials").where("person_id", "=", personId).execute();
  await deleteAuthenticator(tx, personId);
  await deletePasskeys(tx, personId);
  await tx.updateTable("people").set({ name, merchant_id: null }).where("id", "=", personId).execute();
}

/** The merchant's own word about an address ends when the person is there whose address it is. */
export async function removeNamesakes(tx: Tx, merchantId: string, personId: string): Promise<void> {
  await sql`
    delete from memberships m using people p, people confirmed
    where confirmed.id = ${personId} and p.email = confirmed.email and p.id <> confirmed.id
      and m.person_id = p.id and m.merchant_id = ${merchantId}`.execute(tx);
}

/** A role that is there already stays. */
export async function ensureMember(tx: Tx, merchantId: string, personId: string, role: MerchantRole): Promise<void> {
  await tx
    .insertInto("memberships")
    .values({ merchant_id: merchantId, person_id: personId, role })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function ensureOperator(tx: Tx, personId: string, role: OperatorRole): Promise<void> {
  await tx
    .insertInto("operator_people")
    .values({ person_id: personId, role })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Gives a person this role at the merchant, whatever it was before. */
export async function setMember(tx: Tx, merchantId: string, personId: string, role: MerchantRole): Promise<void> {
  try {
    await tx
      .insertInto("memberships")
      .values({ merchant_id: merchantId, person_id: personId, role })
      .onConflict((conflict) => conflict.columns(["merchant_id", "person_id"]).doUpdateSet({ role }))
      .execute();
  } catch (error) {
    const constraint = error instanceof Error && "constraint" in error ? error.constraint : undefined;
    if (constraint === "memberships_merchant_id_fkey") throw merchantProblem("merchant_not_found", { cause: error });
    throw error;
  }
}

export async function setOperator(tx: Tx, personId: string, role: OperatorRole): Promise<void> {
  await tx
    .insertInto("operator_people")
    .values({ person_id: personId, role })
    .onConflict((conflict) => conflict.column("person_id").doUpdateSet({ role }))
    .execute();
}

/** A new link ends those that the person had before: one is enough, and an old terminal is not a key. */
export async function replaceLink(tx: Tx, personId: string, hash: Buffer, expiresAt: Date): Promise<void> {
  await tx.deleteFrom("sign_in_links").where("person_id", "=", personId).execute();
  await tx.insertInto("sign_in_links").values({ hash, person_id: personId, expires_at: expiresAt }).execute();
}

/** Uses the link up. Of two at once, one finds it. */
export async function useLink(tx: Tx, hash: Buffer): Promise<string | undefined> {
  const used = await sql<{ personId: string }>`
    update sign_in_links set used_at = clock_timestamp()
    where hash = ${hash} and used_at is null and expires_at > clock_timestamp()
    returning person_id as "personId"`.execute(tx);
  return used.rows[0]?.personId;
}

/** Whose link it is, without using it. */
export async function findLink(tx: Tx, hash: Buffer): Promise<{ personId: string; email: string } | undefined> {
  return tx
    .selectFrom("sign_in_links")
    .innerJoin("people", "people.id", "sign_in_links.person_id")
    .select(["people.id as personId", "people.email"])
    .where("hash", "=", hash)
    .where("used_at", "is", null)
    .where("expires_at", ">", sql<Date>`clock_timestamp()`)
    .executeTakeFirst();
}
