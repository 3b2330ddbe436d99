/** What is done with passkeys: asking a device to sign, and taking what it signed. */
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { type Database, inEnvironment, operatorScope, type Tx } from "../platform/database/database.ts";
import type { Person } from "../platform/http/caller.ts";
import { consoleProblem } from "./errors.ts";
import {
  challengeLifeMs,
  challengeOf,
  hashOf,
  mostPasskeys,
  optionsToAdd,
  optionsToSign,
  type Site,
  verifyAdded,
  verifySigned,
} from "./passkey.ts";
import {
  type AskedOf,
  countPasskeysForMore,
  insertPasskey,
  type KeptPasskey,
  keepChallenge,
  listPasskeys,
  takeChallenge,
  usePasskey,
} from "./passkey-store.ts";

export async function askToAdd(tx: Tx, site: Site, person: Person): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const known = await listPasskeys(tx, person.id);
  if (known.length >= mostPasskeys) throw consoleProblem("passkeys_full");
  const options = await optionsToAdd(site, person, known);
  await keep(tx, options.challenge, { purpose: "add", sessionId: person.sessionId });
  return options;
}

/** `personId` names whose passkeys may be used; without it, whoever comes. */
export async function askToSign(
  tx: Tx,
  site: Site,
  asked: AskedOf,
  personId?: string,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const options = await optionsToSign(site, personId === undefined ? [] : await listPasskeys(tx, personId));
  await keep(tx, options.challenge, asked);
  return options;
}

function keep(tx: Tx, challenge: string, asked: AskedOf): Promise<void> {
  return keepChallenge(tx, hashOf(challenge), asked, new Date(Date.now() + challengeLifeMs));
}

/** Makes the person's passkey of what a device returned. `record` writes it down in the same transaction. */
export async function addPasskey(
  db: Database,
  site: Site,
  { person, name, response }: { person: Person; name: string; response: RegistrationResponseJSON },
  record: (tx: Tx) => Promise<void>,
): Promise<KeptPasskey> {
  const asked = { purpose: "add", sessionId: person.sessionId } as const;
  const challenge = await useUp(db, response.response.clientDataJSON, asked);
  const key = challenge === undefined ? undefined : await verifyAdded(site, response, challenge);
  if (key === undefined) throw consoleProblem("passkey_not_added");
  return inEnvironment(db, operatorScope, async (tx) => {
    if ((await countPasskeysForMore(tx, person.id)) >= mostPasskeys) throw consoleProblem("passkeys_full");
    const kept = await insertPasskey(tx, person.id, name, key);
    await record(tx);
    return kept;
  });
}

/** Whether the passkey has signed what was asked; `use` runs in the transaction that moves its counter. */
export async function takeSigned(
  db: Database,
  site: Site,
  { passkey, response, asked }: { passkey: KeptPasskey; response: AuthenticationResponseJSON; asked: AskedOf },
  use: (tx: Tx) => Promise<void> = async () => {},
): Promise<boolean> {
  const challenge = await useUp(db, response.response.clientDataJSON, asked);
  if (challenge === undefined) return false;
  const counter = await verifySigned(site, response, challenge, passkey);
  if (counter === undefined) return false;
  return inEnvironment(db, operatorScope, async (tx) => {
    if (!(await usePasskey(tx, passkey.id, counter))) return false;
    await use(tx);
    return true;
  });
}

/** Gone before it is looked at, in a transaction of its own: a refusal must not bring it back. */
async function useUp(db: Database, clientDataJson: string, asked: AskedOf): Promise<string | undefined> {
  const challenge = challengeOf(clientDataJson);
  if (challenge === undefined) return undefined;
  const isTaken = await inEnvironment(db, operatorScope, (tx) => takeChallenge(tx, hashOf(challenge), asked));
  return isTaken ? challenge : undefined;
}
