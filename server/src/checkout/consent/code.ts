/**
 * The digits of a code. They are not drawn and kept but derived, with the master key, from the code's random id: a
 * message that a killed process did not send can be sent by another, though only a keyed hash was ever stored.
 * A thief who has that key could try out all million codes against the hash anyway, so nothing is given away by it.
 */

import { timingSafeEqual } from "node:crypto";
import type { EnvironmentKind } from "../../platform/database/database.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import { type CodeSubject, codeDigits } from "./consent.ts";

interface CodeKey {
  readonly id: string;
  readonly subject: CodeSubject;
}

export const sandboxDigits = "123456";
const digitsPurpose = "consent_codes.digits";
const hashPurpose = "consent_codes.code_hash";

/** A sandbox's code is always the same, so that a test can answer it. */
export function newDigits(sealer: Sealer, kind: EnvironmentKind, id: string): string {
  return kind === "SANDBOX" ? sandboxDigits : digitsOf(sealer.blindIndex(id, digitsPurpose));
}

/** The digits that a stored hash was made of: during an exchange of the master key that may be the older one's. */
export function digitsFor(sealer: Sealer, key: CodeKey & { readonly codeHash: Buffer }): string | undefined {
  const candidates = [sandboxDigits, ...sealer.blindIndexes(key.id, digitsPurpose).map(digitsOf)];
  return candidates.find((digits) => matches(sealer, key, digits));
}

export function hashDigits(sealer: Sealer, key: CodeKey, digits: string): Buffer {
  return sealer.blindIndex(hashed(key, digits), hashPurpose);
}

/** Compares in constant time. */
export function matches(sealer: Sealer, key: CodeKey & { readonly codeHash: Buffer }, digits: string): boolean {
  const hashes = sealer.blindIndexes(hashed(key, digits), hashPurpose);
  return hashes.some((hash) => timingSafeEqual(hash, key.codeHash));
}

/** Bound to what is answered for and to this one code. */
function hashed({ id, subject }: CodeKey, digits: string): string {
  return `${subject.id}/${id}/${digits}`;
}

/** 256 bits over a million leave no bias that anybody could measure. */
function digitsOf(hash: Buffer): string {
  const number = BigInt(`0x${hash.toString("hex")}`) % 10n ** BigInt(codeDigits);
  return String(number).padStart(codeDigits, "0");
}
