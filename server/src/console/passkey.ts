/**
 * A passkey: a key pair that a person's phone, laptop or security key has made for this console (WebAuthn). The private
 * half never leaves the device, which signs for the console's own address and for no other, so there is nothing to
 * guess and nothing to fish for. Each time the device asks for a fingerprint or a PIN: what somebody has and who they
 * are make two factors, so no code is asked for besides.
 *
 *   begin: a challenge, kept for three minutes ──▶ the device signs it ──▶ the challenge is used up, then looked at
 */
import { createHash } from "node:crypto";
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import type { Person } from "../platform/http/caller.ts";

export const challengeLifeMs = 3 * 60_000;
export const mostPasskeys = 20;
/** EdDSA, ES256 and RS256: every device speaks one of them, and Node calls none of them experimental. */
const algorithms = [-8, -7, -257];

/** For whom devices sign: the host of the console's address, and pages of exactly that address. */
export interface Site {
  readonly id: string;
  readonly origin: string;
}

export function siteOf(publicUrl: string): Site {
  const { hostname, origin } = new URL(publicUrl);
  return { id: hostname, origin };
}

/** What is kept of a device's key, and what is asked of the device by it. */
export interface PasskeyKey {
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: readonly string[];
}

type Known = Pick<PasskeyKey, "credentialId" | "transports">;

export function optionsToAdd(
  site: Site,
  { id, email, name }: Pick<Person, "id" | "email" | "name">,
  known: readonly Known[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  return generateRegistrationOptions({
    rpName: "Jara",
    rpID: site.id,
    userID: new Uint8Array(Buffer.from(id)),
    userName: email,
    userDisplayName: name,
    timeout: challengeLifeMs,
    supportedAlgorithmIDs: algorithms,
    // A device that can be found without an e-mail address, and that asks who holds it.
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    excludeCredentials: known.map(described),
  });
}

/** Without `known` the device offers whatever it has for this site. */
export function optionsToSign(
  site: Site,
  known: readonly Known[] = [],
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return generateAuthenticationOptions({
    rpID: site.id,
    timeout: challengeLifeMs,
    userVerification: "required",
    allowCredentials: known.map(described),
  });
}

function described({ credentialId, transports }: Known) {
  return { id: credentialId.toString("base64url"), transports: [...transports] };
}

/** The challenge that a device says it has signed; undefined for what no device says. */
export function challengeOf(clientDataJson: string): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJson, "base64url").toString()) as { challenge?: unknown };
    return typeof challenge === "string" ? challenge : undefined;
  } catch {
    return undefined;
  }
}

export function hashOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

/** The key of a device that answered the challenge; undefined when anything about it is wrong. */
export async function verifyAdded(
  site: Site,
  response: RegistrationResponseJSON,
  challenge: string,
): Promise<PasskeyKey | undefined> {
  const { verified, registrationInfo } = await orRefused(
    verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    }),
  );
  if (!verified || registrationInfo === undefined) return undefined;
  const { id, publicKey, counter } = registrationInfo.credential;
  const transports = response.response.transports ?? [];
  return { credentialId: Buffer.from(id, "base64url"), publicKey: Buffer.from(publicKey), counter, transports };
}

/** The device's counter after it signed the challenge; undefined when anything about it is wrong. */
export async function verifySigned(
  site: Site,
  response: AuthenticationResponseJSON,
  challenge: string,
  { credentialId, publicKey, counter }: PasskeyKey,
): Promise<number | undefined> {
  const { verified, authenticationInfo } = await orRefused(
    verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: true,
      credential: { id: credentialId.toString("base64url"), publicKey: new Uint8Array(publicKey), counter },
    }),
  );
  return verified ? authenticationInfo?.newCounter : undefined;
}

/** The library throws what it refuses: another origin, a counter that goes back, a body that no device sends. */
async function orRefused<Verified>(verifying: Promise<Verified>): Promise<Verified | Refused> {
  return verifying.catch(() => ({ verified: false }));
}

interface Refused {
  readonly verified: false;
  readonly registrationInfo?: never;
  readonly authenticationInfo?: never;
}
