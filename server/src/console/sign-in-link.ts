/** Links that sign a person in once: `npm start` prints one, so that a newcomer needs no password. */
import { createHash, randomBytes } from "node:crypto";
import type { Tx } from "../platform/database/database.ts";
import { ensureMember, ensureOperator, ensurePerson, findLink, replaceLink, useLink } from "./console-store.ts";
import { notSignedIn } from "./errors.ts";

const lifeMs = 12 * 3_600_000;

/** What goes into the link. It is kept nowhere: the database has its hash. */
export async function makeSignInToken(tx: Tx, personId: string): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await replaceLink(tx, personId, hashOf(token), new Date(Date.now() + lifeMs));
  return token;
}

/** Whose link it is. One answer for a used, an expired and an unknown one. */
export async function findLinked(tx: Tx, token: string): Promise<{ personId: string; email: string }> {
  const linked = await findLink(tx, hashOf(token));
  if (linked === undefined) throw notSignedIn("sign_in_link_invalid");
  return linked;
}

/** Uses the link up. */
export async function takeSignInToken(tx: Tx, token: string): Promise<string> {
  const personId = await useLink(tx, hashOf(token));
  if (personId === undefined) throw notSignedIn("sign_in_link_invalid");
  return personId;
}

export function signInAddress(publicUrl: string, token: string): string {
  return `${publicUrl}/console/sign-in?token=${token}`;
}

function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

export interface FirstPerson {
  readonly email: string;
  readonly name: string;
  readonly merchantId: string;
  readonly publicUrl: string;
}

/** Makes a merchant's owner, who is the operator's admin too, if there is none yet, and an address that signs in once. */
export async function openConsoleTo(tx: Tx, { email, name, merchantId, publicUrl }: FirstPerson): Promise<string> {
  const personId = await ensurePerson(tx, { email, name, merchantId });
  await ensureMember(tx, merchantId, personId, "owner");
  await ensureOperator(tx, personId, "admin");
  return signInAddress(publicUrl, await makeSignInToken(tx, personId));
}
