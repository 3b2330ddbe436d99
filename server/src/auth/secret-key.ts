/**
 * The form of a secret key: `sk_test_` or `sk_live_`, 30 random characters, and a checksum of 6. The checksum lets us
 * refuse a mistyped or made-up key without asking the database, and lets secret scanners tell our keys from noise. It
 * guards nothing: the 178 random bits do.
 */

import { createHash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import type { EnvironmentKind } from "../platform/database/database.ts";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const form = /^(sk_(?:test|live)_[0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;
const shownCharacters = 12;

const prefixes = { SANDBOX: "sk_test_", LIVE: "sk_live_" } as const satisfies Record<EnvironmentKind, string>;

export function makeSecretKey(kind: EnvironmentKind): string {
  const random = Array.from({ length: 30 }, () => alphabet.charAt(randomInt(alphabet.length))).join("");
  const start = prefixes[kind] + random;
  return start + checksumOf(start);
}

/** True when the text has a key's form and its checksum is right. */
export function isWellFormedKey(text: string): boolean {
  const [, start, checksum] = form.exec(text) ?? [];
  return start !== undefined && checksumOf(start) === checksum;
}

/** What is stored in place of the key. The key is random and long, so a plain hash cannot be reversed. */
export function hashSecretKey(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

/** Enough for a person to tell keys apart: the kind and four random characters. */
export function shownPrefix(key: string): string {
  return key.slice(0, shownCharacters);
}

/** CRC32 in base 62. Six digits hold it: 62^6 is more than 2^32. */
function checksumOf(start: string): string {
  let rest = crc32(start);
  let digits = "";
  for (let place = 0; place < 6; place += 1) {
    digits = alphabet.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
