import type { Tx } from "../platform/database/database.ts";
import { ensureMember, ensureOperator, ensurePerson } from "./console-store.ts";
import { makeSignInToken, signInAddress } from "./sign-in-link.ts";

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
