/** What owners, and those whom they invite, do to a team. Every function wants a transaction in the operator's scope. */
import { createHash, randomBytes } from "node:crypto";
import { uuidv7 } from "uuidv7";
import type { Tx } from "../platform/database/database.ts";
import { keepPassword } from "./account-store.ts";
import { ensureMember } from "./console-store.ts";
import { consoleProblem } from "./errors.ts";
import type { MerchantRole } from "./roles.ts";
import type { OpenInvitation } from "./team.ts";
import {
  addJoined,
  changeMember,
  findInvitation,
  findMemberRole,
  isMember,
  keepInvitation,
  lockOwners,
  removeMember,
  useInvitation,
  withdrawInvitationsOf,
} from "./team-store.ts";

const lifeMs = 7 * 24 * 3_600_000;

interface Invite {
  readonly merchantId: string;
  readonly email: string;
  readonly role: MerchantRole;
  readonly invitedBy: string;
}

/** Returns what goes into the link. It is kept nowhere: the database has its hash. */
export async function invite(tx: Tx, { merchantId, email: typed, role, invitedBy }: Invite) {
  const email = typed.toLowerCase();
  if (await isMember(tx, merchantId, email)) throw consoleProblem("member_exists");
  const token = randomBytes(32).toString("base64url");
  const kept = { id: uuidv7(), email, role, expiresAt: new Date(Date.now() + lifeMs) };
  await keepInvitation(tx, { ...kept, hash: hashOf(token), merchantId, invitedBy });
  return { ...kept, token };
}

/** One answer for a used, a withdrawn, an expired and an unknown one. */
export async function lookAt(tx: Tx, token: string): Promise<OpenInvitation> {
  const found = await findInvitation(tx, hashOf(token));
  if (found === undefined) throw consoleProblem("invitation_invalid");
  return found;
}

/** A person who is signed in accepts what was sent to their address. */
export async function accept(tx: Tx, token: string, person: { readonly id: string }) {
  const invitation = await lookAt(tx, token);
  if (invitation.personId !== person.id) throw consoleProblem("invitation_for_other");
  await use(tx, token, invitation, person.id);
  return invitation;
}

/** Somebody new joins, and chooses a password. Returns the person's id. */
export async function join(tx: Tx, token: string, { name, hash }: { readonly name: string; readonly hash: string }) {
  const invitation = await lookAt(tx, token);
  const { email, merchantId } = invitation;
  const id = uuidv7();
  const isNew = invitation.personId === null && (await addJoined(tx, { id, email, name, merchantId }));
  if (!isNew) throw consoleProblem("person_exists");
  await keepPassword(tx, id, hash);
  await use(tx, token, invitation, id);
  return { ...invitation, personId: id };
}

async function use(tx: Tx, token: string, { merchantId, role }: OpenInvitation, personId: string): Promise<void> {
  if (!(await useInvitation(tx, hashOf(token)))) throw consoleProblem("invitation_invalid");
  await ensureMember(tx, merchantId, personId, role);
}

/** Undefined takes the person off the team. */
export async function setRole(tx: Tx, merchantId: string, personId: string, role: MerchantRole | undefined) {
  const owners = await lockOwners(tx, merchantId);
  const before = await findMemberRole(tx, merchantId, personId);
  if (before === undefined) throw consoleProblem("person_not_found");
  if (before === "owner" && role !== "owner" && owners === 1) throw consoleProblem("last_owner");
  if (role === undefined) await removeMember(tx, merchantId, personId);
  else await changeMember(tx, merchantId, personId, role);
  if (role !== "owner") await withdrawInvitationsOf(tx, merchantId, personId);
  return before;
}

function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
