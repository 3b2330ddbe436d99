/** SQL about who works for a merchant, and who was asked to. In the operator's scope. */
import { sql } from "kysely";
import type { Tx } from "../platform/database/database.ts";
import type { MerchantRole } from "./roles.ts";
import type { Invitation, Member, OpenInvitation } from "./team.ts";

/** The role of a person at the merchant; undefined for a stranger, and for a merchant that nobody has. */
export async function findMemberRole(tx: Tx, merchantId: string, personId: string): Promise<MerchantRole | undefined> {
  const row = await tx
    .selectFrom("memberships")
    .select("role")
    .where("merchant_id", "=", merchantId)
    .where("person_id", "=", personId)
    .executeTakeFirst();
  return row?.role as MerchantRole | undefined;
}

/** Whole: a team has tens of people, and two hundred at most are shown. */
export async function listMembers(tx: Tx, merchantId: string): Promise<Member[]> {
  const rows = await tx
    .selectFrom("memberships")
    .innerJoin("people", "people.id", "memberships.person_id")
    .leftJoin("person_authenticators", "person_authenticators.person_id", "people.id")
    .select(["people.id", "people.email", "people.name", "memberships.role", "memberships.created_at"])
    .select("person_authenticators.confirmed_at")
    .where("memberships.merchant_id", "=", merchantId)
    .orderBy("memberships.created_at")
    .orderBy("people.id")
    .limit(200)
    .execute();
  return rows.map(({ id, email, name, role, created_at, confirmed_at }) => ({
    personId: id,
    email,
    name,
    role: role as MerchantRole,
    since: created_at,
    twoFactorEnabled: confirmed_at !== null,
  }));
}

/**
 * How many owners there are, none of whom changes until this transaction ends: of two owners who remove each other at
 * the same moment, the second finds one owner left.
 */
export async function lockOwners(tx: Tx, merchantId: string): Promise<number> {
  const owners = await sql`
    select person_id from memberships where merchant_id = ${merchantId} and role = 'owner'
    order by person_id for update`.execute(tx);
  return owners.rows.length;
}

export async function changeMember(tx: Tx, merchantId: string, personId: string, role: MerchantRole): Promise<void> {
  await tx
    .updateTable("memberships")
    .set({ role })
    .where("merchant_id", "=", merchantId)
    .where("person_id", "=", personId)
    .execute();
}

export async function removeMember(tx: Tx, merchantId: string, personId: string): Promise<void> {
  await tx.deleteFrom("memberships").where("merchant_id", "=", merchantId).where("person_id", "=", personId).execute();
}

export async function isMember(tx: Tx, merchantId: string, email: string): Promise<boolean> {
  const row = await tx
    .selectFrom("memberships")
    .innerJoin("people", "people.id", "memberships.person_id")
    .select("people.id")
    .where("memberships.merchant_id", "=", merchantId)
    .where("people.email", "=", email)
    .executeTakeFirst();
  return row !== undefined;
}

interface NewInvitation {
  readonly id: string;
  readonly hash: Buffer;
  readonly merchantId: string;
  readonly email: string;
  readonly role: MerchantRole;
  readonly invitedBy: string;
  readonly expiresAt: Date;
}

/** A new one ends those that the address had before at this merchant. */
export async function keepInvitation(tx: Tx, invitation: NewInvitation): Promise<void> {
  const { id, hash, merchantId, email, role, invitedBy, expiresAt } = invitation;
  await sql`
    update invitations set withdrawn_at = clock_timestamp()
    where merchant_id = ${merchantId} and email = ${email} and accepted_at is null and withdrawn_at is null`.execute(
    tx,
  );
  await tx
    .insertInto("invitations")
    .values({ id, hash, merchant_id: merchantId, email, role, invited_by: invitedBy, expires_at: expiresAt })
    .execute();
}

const isOpen = sql<boolean>`
  invitations.accepted_at is null and invitations.withdrawn_at is null and invitations.expires_at > clock_timestamp()`;

export async function listInvitations(tx: Tx, merchantId: string): Promise<Invitation[]> {
  const rows = await tx
    .selectFrom("invitations")
    .leftJoin("people", "people.id", "invitations.invited_by")
    .select(["invitations.id", "invitations.email", "invitations.role", "invitations.expires_at"])
    .select("people.email as invitedBy")
    .where("invitations.merchant_id", "=", merchantId)
    .where(isOpen)
    .orderBy("invitations.created_at", "desc")
    .orderBy("invitations.id", "desc")
    .limit(200)
    .execute();
  return rows.map(({ id, email, role, expires_at, invitedBy }) => ({
    id,
    email,
    role: role as MerchantRole,
    expiresAt: expires_at,
    invitedBy,
  }));
}

/** False when no such invitation is open. */
export async function withdrawInvitation(tx: Tx, merchantId: string, id: string): Promise<boolean> {
  const withdrawn = await sql`
    update invitations set withdrawn_at = clock_timestamp()
    where id = ${id} and merchant_id = ${merchantId} and ${isOpen}`.execute(tx);
  return withdrawn.numAffectedRows === 1n;
}

/** Who may invite no more leaves no links behind. */
export async function withdrawInvitationsOf(tx: Tx, merchantId: string, personId: string): Promise<void> {
  await sql`
    update invitations set withdrawn_at = clock_timestamp()
    where merchant_id = ${merchantId} and invited_by = ${personId} and ${isOpen}`.execute(tx);
}

/** The person whose address it is, or whoever joined this very merchant under it before. Nobody else is known here. */
const isTheirs = sql<boolean>`
  (people.email_verified or people.merchant_id = invitations.merchant_id)`;

export async function findInvitation(tx: Tx, hash: Buffer): Promise<OpenInvitation | undefined> {
  const row = await tx
    .selectFrom("invitations")
    .innerJoin("merchants", "merchants.id", "invitations.merchant_id")
    .leftJoin("people", (join) => join.onRef("people.email", "=", "invitations.email").on(isTheirs))
    .select(["invitations.id", "invitations.email", "invitations.role", "merchants.name", "people.id as personId"])
    .select("merchants.id as merchantId")
    .where("invitations.hash", "=", hash)
    .where(isOpen)
    .orderBy("people.email_verified", (order) => order.desc().nullsLast())
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { id, merchantId, name: merchantName, email, role, personId } = row;
  return { id, merchantId, merchantName, email, role: role as MerchantRole, personId };
}

/** Uses the invitation up. Of two at once, one finds it. */
export async function useInvitation(tx: Tx, hash: Buffer): Promise<boolean> {
  const used = await sql`
    update invitations set accepted_at = clock_timestamp() where hash = ${hash} and ${isOpen}`.execute(tx);
  return used.numAffectedRows === 1n;
}

interface Joined {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly merchantId: string;
}

/** Somebody whom only this merchant knows by the address. False when it has one already. */
export async function addJoined(tx: Tx, { id, email, name, merchantId }: Joined): Promise<boolean> {
  const made = await tx
    .insertInto("people")
    .values({ id, email, name, merchant_id: merchantId })
    .onConflict((conflict) => conflict.columns(["email", "merchant_id"]).doNothing())
    .executeTakeFirst();
  return made.numInsertedOrUpdatedRows === 1n;
}
