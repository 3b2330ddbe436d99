/** What is done with authenticator apps and recovery codes. Every function wants a transaction in the operator's scope. */
import { operatorScope, type Tx } from "../platform/database/database.ts";
import type { Sealer } from "../platform/secrets/crypto.ts";
import { type SealedColumn, sealedContext } from "../platform/secrets/reseal.ts";
import { newRecoveryCodes, newSecret, recoveryHash, stepOf } from "./authenticator.ts";
import { consoleProblem } from "./errors.ts";
import {
  beginAuthenticator,
  confirmAuthenticator,
  readAuthenticator,
  replaceRecoveryCodes,
  useRecoveryCode,
  useStep,
} from "./second-factor-store.ts";

export const sealedAuthenticator: SealedColumn = {
  table: "person_authenticators",
  column: "sealed_secret",
  key: "person_id",
  scope: "scope_id",
};

const contextOf = (personId: string) => sealedContext(sealedAuthenticator, operatorScope, personId);

export async function hasAuthenticator(tx: Tx, personId: string): Promise<boolean> {
  return (await readAuthenticator(tx, personId))?.isOn === true;
}

/** Makes the secret of an app that is not on yet. */
export async function startAuthenticator(tx: Tx, sealer: Sealer, personId: string): Promise<string> {
  const secret = newSecret();
  const begun = await beginAuthenticator(tx, personId, sealer.seal(secret, contextOf(personId)));
  if (!begun) throw consoleProblem("authenticator_exists");
  return secret;
}

/** Turns the app on with its first code, and returns the recovery codes, which are shown once. */
export async function turnOnAuthenticator(tx: Tx, sealer: Sealer, personId: string, code: string): Promise<string[]> {
  const kept = await readAuthenticator(tx, personId);
  if (kept === undefined) throw consoleProblem("authenticator_not_found");
  if (kept.isOn) throw consoleProblem("authenticator_exists");
  const step = stepOf(sealer.open(kept.sealedSecret, contextOf(personId)).toString(), code);
  if (step === undefined) throw consoleProblem("code_wrong");
  if (!(await confirmAuthenticator(tx, personId, step))) throw consoleProblem("authenticator_exists");
  return renewRecoveryCodes(tx, personId);
}

export async function renewRecoveryCodes(tx: Tx, personId: string): Promise<string[]> {
  const codes = newRecoveryCodes();
  await replaceRecoveryCodes(
    tx,
    personId,
    codes.flatMap((code) => recoveryHash(code) ?? []),
  );
  return codes;
}

/** Uses up a code of the app, or a recovery code. False for a wrong one, and for one that was used before. */
export async function takeCode(tx: Tx, sealer: Sealer, personId: string, code: string): Promise<boolean> {
  const recovery = recoveryHash(code);
  if (recovery !== undefined) return useRecoveryCode(tx, personId, recovery);
  const kept = await readAuthenticator(tx, personId);
  if (kept?.isOn !== true) return false;
  const step = stepOf(sealer.open(kept.sealedSecret, contextOf(personId)).toString(), code.replaceAll(/\s/g, ""));
  return step !== undefined && useStep(tx, personId, step);
}
