/**
 * Personal data and secrets are sealed before they reach the database: AES-256-GCM under a master key that lives
 * outside it. Sealed bytes carry the version of the key that made them, so that keys can be exchanged while old rows
 * are still readable, and they are bound to a context (which column of which record), so that bytes copied to
 * another row or tenant do not open there.
 *
 *   sealed = format (1 byte) | key version (2) | nonce (12) | ciphertext | tag (16)
 *
 * Every context has a key of its own, derived from the master key. With a single key, random nonces would be safe for
 * some four billion messages only, which a busy service seals within weeks.
 *
 * A sealed value cannot be searched. Where a value must be found again, its blind index (a keyed hash) is stored
 * beside it; without the key it cannot be reversed by trying out all eleven-digit numbers.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";

export interface MasterKey {
  readonly version: number;
  readonly bytes: Buffer;
}

/** The first key seals; every key opens. */
export type MasterKeys = readonly [MasterKey, ...MasterKey[]];

export interface Sealer {
  /** The version that `seal` writes. */
  readonly keyVersion: number;
  seal(plain: string | Buffer, context: string): Buffer;
  /** Throws a SealError when the bytes were changed, come from another context or need a key that is gone. */
  open(sealed: Buffer, context: string): Buffer;
  /** The same content under the newest key. */
  reseal(sealed: Buffer, context: string): Buffer;
  blindIndex(value: string, purpose: string): Buffer;
  /** What `blindIndex` gives under each known key, newest first: what a search has to look for during a rotation. */
  blindIndexes(value: string, purpose: string): Buffer[];
}

export class SealError extends Error {
  override readonly name = "SealError";
}

const format = 1;
const headerBytes = 3;
const nonceBytes = 12;
const tagBytes = 16;
const keyBytes = 32;
const largestVersion = 65_535;
const masterKeyForm = /^v([1-9]\d{0,4}):([A-Za-z0-9+/]+={0,2})$/;

/** Reads JARA_MASTER_KEY: `v1:base64` or, during a rotation, `v2:base64,v1:base64`. Never repeats a key in an error. */
export function parseMasterKeys(text: string): MasterKeys {
  const [first, ...others] = text.split(",").map((part, index) => parseMasterKey(part.trim(), index + 1));
  if (first === undefined) throw new Error("JARA_MASTER_KEY holds no key.");
  const keys: MasterKeys = [first, ...others];
  const versions = keys.map((key) => key.version);
  const twice = versions.find((version, index) => versions.indexOf(version) !== index);
  if (twice !== undefined) throw new Error(`JARA_MASTER_KEY names version v${twice} twice. Each version has one key.`);
  return keys;
}

function parseMasterKey(part: string, place: number): MasterKey {
  const [, version, encoded] = masterKeyForm.exec(part) ?? [];
  if (version === undefined || encoded === undefined) {
    throw new Error(
      `JARA_MASTER_KEY: entry ${place} is not of the form v1:<base64>. Make one with: openssl rand -base64 32`,
    );
  }
  if (Number(version) > largestVersion) {
    throw new Error(`JARA_MASTER_KEY: the version of entry ${place} is above v${largestVersion}.`);
  }
  const bytes = Buffer.from(encoded, "base64");
  if (bytes.length !== keyBytes) {
    throw new Error(`JARA_MASTER_KEY: the key of entry ${place} has ${bytes.length} bytes; it must have ${keyBytes}.`);
  }
  return { version: Number(version), bytes };
}

/** A fresh value for JARA_MASTER_KEY. */
export function generateMasterKey(version = 1): string {
  return `v${version}:${randomBytes(keyBytes).toString("base64")}`;
}

/**
 * Tells whether two keys are the same, and nothing about the key: a thief who wants to find the key from it has to try
 * all keys of 32 bytes.
 */
export function keyCheck(key: MasterKey): Buffer {
  return Buffer.from(hkdfSync("sha256", key.bytes, "", "jara/check", keyBytes));
}

/** A check value as people compare it. */
export function keyId(check: Buffer): string {
  return check.toString("hex", 0, 4);
}

/** What a key may be called in a log or a sentence. */
export function nameKey(key: MasterKey): string {
  return `v${key.version} (id ${keyId(keyCheck(key))})`;
}

/** Undefined when the bytes were not made by `seal`. */
export function sealedKeyVersion(sealed: Buffer): number | undefined {
  if (sealed.length < headerBytes + nonceBytes + tagBytes || sealed.readUInt8(0) !== format) return undefined;
  return sealed.readUInt16BE(1);
}

interface DerivedKeys {
  readonly version: number;
  readonly seal: Buffer;
  readonly index: Buffer;
}

export function createSealer(keys: MasterKeys): Sealer {
  const [newest, ...older] = keys;
  const current = derive(newest);
  const known = [current, ...older.map(derive)];
  const byVersion = new Map(known.map((key) => [key.version, key]));
  const seal = (plain: string | Buffer, context: string) => sealWith(current, plain, context);
  const open = (sealed: Buffer, context: string) => openWith(byVersion, sealed, context);
  return {
    keyVersion: current.version,
    seal,
    open,
    reseal: (sealed, context) => seal(open(sealed, context), context),
    blindIndex: (value, purpose) => keyedHash(keyedHash(current.index, purpose), value),
    blindIndexes: (value, purpose) => known.map((key) => keyedHash(keyedHash(key.index, purpose), value)),
  };
}

function derive(key: MasterKey): DerivedKeys {
  const purpose = (name: string) => Buffer.from(hkdfSync("sha256", key.bytes, "", `jara/${name}`, keyBytes));
  return { version: key.version, seal: purpose("seal"), index: purpose("blind-index") };
}

function keyedHash(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text, "utf8").digest();
}

function sealWith(key: DerivedKeys, plain: string | Buffer, context: string): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt8(format, 0);
  header.writeUInt16BE(key.version, 1);
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", keyedHash(key.seal, context), nonce);
  cipher.setAAD(authenticated(header, context));
  const content = typeof plain === "string" ? Buffer.from(plain, "utf8") : plain;
  return Buffer.concat([header, nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()]);
}

function openWith(keys: ReadonlyMap<number, DerivedKeys>, sealed: Buffer, context: string): Buffer {
  const version = sealedKeyVersion(sealed);
  if (version === undefined) throw new SealError("These bytes were not sealed by this program.");
  const key = keys.get(version);
  if (key === undefined) {
    throw new SealError(`Sealed under master key v${version}, which JARA_MASTER_KEY does not hold.`);
  }
  const nonce = sealed.subarray(headerBytes, headerBytes + nonceBytes);
  const opener = createDecipheriv("aes-256-gcm", keyedHash(key.seal, context), nonce, { authTagLength: tagBytes });
  opener.setAAD(authenticated(sealed.subarray(0, headerBytes), context));
  opener.setAuthTag(sealed.subarray(sealed.length - tagBytes));
  const content = sealed.subarray(headerBytes + nonceBytes, sealed.length - tagBytes);
  try {
    return Buffer.concat([opener.update(content), opener.final()]);
  } catch (cause) {
    throw new SealError("Sealed bytes do not open: they were changed, or belong to another record.", { cause });
  }
}

function authenticated(header: Buffer, context: string): Buffer {
  return Buffer.concat([header, Buffer.from(context, "utf8")]);
}
