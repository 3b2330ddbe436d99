/**
 * A second factor: an authenticator app, which shows another six digits every thirty seconds, made from a secret that
 * only it and we know (RFC 6238). A clock may be off by one step. A step is used once: who looked over a shoulder, or
 * listens on the line, comes too late.
 *
 *   none ──begin──▶ begun ──a first right code──▶ on ──turn off──▶ none
 *
 * With the app come ten recovery codes, each of which stands in for a code once.
 */
import { createHash, randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";

const stepSeconds = 30;
const recoveryCodes = 10;

/** In the alphabet of Base32, as apps take it by hand. */
export function newSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** What the QR code holds. */
export function otpAddress(secret: string, email: string): string {
  return authenticatorOf(secret, email).toString();
}

/** The step that the code is of; undefined when it is of none near now. */
export function stepOf(secret: string, code: string, nowMs = Date.now()): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const delta = authenticatorOf(secret, "").validate({ token: code, timestamp: nowMs, window: 1 });
  return delta === null ? undefined : Math.floor(nowMs / 1000 / stepSeconds) + delta;
}

function authenticatorOf(secret: string, label: string): TOTP {
  return new TOTP({ issuer: "Jara", label, secret: Secret.fromBase32(secret), period: stepSeconds, digits: 6 });
}

const letters = "abcdefghijklmnopqrstuvwxyz234567";

/** Eighty bits each: too many to be guessed, also from their hashes. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodes }, () => {
    const signs = [...randomBytes(16)].map((byte) => letters[byte % letters.length]).join("");
    return signs.match(/.{4}/g)?.join("-") ?? "";
  });
}

/** However it was typed: capitals, spaces and dashes do not matter. */
export function recoveryHash(code: string): Buffer | undefined {
  const signs = code.toLowerCase().replaceAll(/[\s-]/g, "");
  return /^[a-z2-7]{16}$/.test(signs) ? createHash("sha256").update(signs).digest() : undefined;
}
