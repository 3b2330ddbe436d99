import { createHash, timingSafeEqual } from "node:crypto";
import { isEnvironmentKind } from "../merchants/merchant.ts";
import type { Database } from "../platform/database/database.ts";
import { retryRepeatable } from "../platform/database/retry-transient.ts";
import { type Caller, hasScope } from "../platform/http/caller.ts";
import { type Block, isAddressAllowed, parseBlock } from "../platform/http/guard/address-blocks.ts";
import { bearerToken } from "../platform/http/guard/guard.ts";
import { isExpired } from "./api-key.ts";
import { authProblem, unauthorized } from "./errors.ts";
import { findGrant, type KeyGrant, touchKeys } from "./key-store.ts";
import { hashSecretKey, isWellFormedKey } from "./secret-key.ts";

export interface Authenticator {
  /** The caller whose key this Authorization header carries; refuses with 401 or 403. */
  authenticate(header: string | undefined, address: string): Promise<Caller>;
  /** Writes the gathered last-used times now. */
  flush(): Promise<void>;
  /** To be called on shutdown: writes what is left. */
  close(): Promise<void>;
}

export interface AuthenticatorOptions {
  readonly db: Database;
  readonly onError?: (error: unknown) => void;
}

export function createAuthenticator({ db, onError = () => undefined }: AuthenticatorOptions): Authenticator {
  const grants = createGrantCache({ look: (hash) => retryRepeatable(() => findGrant(db, hash)) });
  const lastUsed = createLastUsed({ write: (uses) => retryRepeatable(() => touchKeys(db, uses)), onError });
  const enter = async (hash: Buffer, address: string): Promise<Caller> => {
    const caller = admit(await grants.find(hash), address, new Date());
    return { ...caller, recheck: async () => void (await enter(hash, address)) };
  };
  return {
    async authenticate(header, address) {
      const key = readBearer(header);
      if (!isWellFormedKey(key)) throw unauthorized("invalid_key");
      const caller = await enter(hashSecretKey(key), address);
      lastUsed.note(caller.holderId, new Date());
      return caller;
    },
    flush: lastUsed.flush,
    close: lastUsed.close,
  };
}

function admit(grant: KeyGrant | undefined, address: string, now: Date): Omit<Caller, "recheck"> {
  if (grant === undefined) throw unauthorized("invalid_key");
  if (grant.revokedAt !== null) throw unauthorized("key_revoked");
  if (isExpired(grant, now)) throw unauthorized("key_expired");
  if (!isAddressAllowed(blocksOf(grant), address)) throw authProblem("address_not_allowed");
  const { environmentId, environmentKind: kind, merchantId, keyId, scopes } = grant;
  if (!isEnvironmentKind(kind)) throw new Error(`environment ${environmentId} has the unknown kind ${kind}`);
  return { environmentId, kind, merchantId, holderId: keyId, scopes, person: null };
}

/** Entries were checked when the key was issued. One that no longer parses must shut the door, not open it. */
function blocksOf(grant: KeyGrant): Block[] {
  return grant.allowedAddresses.map((entry) => {
    const block = parseBlock(entry);
    if (block === undefined) throw new Error(`key ${grant.keyId} has the unreadable address ${entry}`);
    return block;
  });
}

/**
 * Notes when keys are used without writing on every request: uses are gathered and written once a minute, and when the
 * server stops. A crash loses at most that minute, of a figure that nothing depends on.
 */
const flushEveryMs = 60_000;
const keysPerWrite = 1_000;

export type KeyUse = readonly [keyId: string, at: Date];

interface LastUsed {
  note(keyId: string, at: Date): void;
  flush(): Promise<void>;
  /** Writes what is left and stops the timer. */
  close(): Promise<void>;
}

interface LastUsedOptions {
  readonly write: (uses: readonly KeyUse[]) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

export function createLastUsed({ write, onError }: LastUsedOptions): LastUsed {
  let gathered = new Map<string, Date>();

  const flush = async (): Promise<void> => {
    const uses = [...gathered];
    gathered = new Map();
    for (let start = 0; start < uses.length; start += keysPerWrite) {
      await write(uses.slice(start, start + keysPerWrite));
    }
  };
  // A write that fails loses this minute's figures; the next minute's follow.
  const flushQuietly = () => flush().catch(onError);
  const timer = setInterval(flushQuietly, flushEveryMs);
  timer.unref();

  return {
    note: (keyId, at) => gathered.set(keyId, at),
    flush,
    async close() {
      clearInterval(timer);
      await flushQuietly();
    },
  };
}

/**
 * Remembers for a moment what a key grants, so that a busy key does not ask PostgreSQL on every request. An answer is
 * trusted for three seconds from the moment the question was asked, which is how a revoked key stops working in every
 * process within five without anybody being told. Unknown keys are remembered too, in a room of their own, so that
 * guessing neither loads the database nor pushes out the keys that work.
 */
export const grantLifeMs = 3_000;

interface GrantCache {
  find(hash: Buffer): Promise<KeyGrant | undefined>;
}

interface GrantCacheOptions {
  readonly look: (hash: Buffer) => Promise<KeyGrant | undefined>;
  /** Milliseconds that only ever grow. */
  readonly now?: () => number;
  /** How many known keys are remembered, and as many unknown ones. */
  readonly size?: number;
}

interface Remembered {
  readonly grant: KeyGrant | undefined;
  readonly until: number;
}

export function createGrantCache({
  look,
  now = () => performance.now(),
  size = 10_000,
}: GrantCacheOptions): GrantCache {
  const known = new Map<string, Remembered>();
  const unknown = new Map<string, Remembered>();
  const asking = new Map<string, Promise<KeyGrant | undefined>>();

  const ask = async (id: string, hash: Buffer): Promise<KeyGrant | undefined> => {
    const until = now() + grantLifeMs;
    try {
      const grant = await look(hash);
      known.delete(id);
      unknown.delete(id);
      remember(grant === undefined ? unknown : known, id, { grant, until }, size);
      return grant;
    } finally {
      asking.delete(id);
    }
  };

  return {
    async find(hash) {
      const id = hash.toString("base64");
      const remembered = known.get(id) ?? unknown.get(id);
      if (remembered !== undefined && now() < remembered.until) return remembered.grant;
      const running = asking.get(id);
      if (running !== undefined) return running;
      const answer = ask(id, hash);
      asking.set(id, answer);
      return answer;
    },
  };
}

/** A Map keeps the order of writing, so its first entry is the oldest. */
function remember(room: Map<string, Remembered>, id: string, entry: Remembered, size: number): void {
  const oldest = room.size >= size ? room.keys().next().value : undefined;
  if (oldest !== undefined) room.delete(oldest);
  room.set(id, entry);
}

/** Never repeats what was sent: it may be a key. */
const bearerForm =
  "Write the header as Authorization: Bearer, one space, and the key. The word Bearer is missing or misplaced.";

/** The token of an Authorization header, or the refusal that fits. `missing` says what to send instead of nothing. */
function readBearer(header: string | undefined, missing?: string): string {
  if (header === undefined || header.trim() === "") {
    throw unauthorized("missing_key", missing === undefined ? {} : { message: missing });
  }
  const token = bearerToken(header);
  if (token === undefined) throw unauthorized("invalid_key", { message: bearerForm });
  return token;
}

type AuthenticateOperator = (header: string | undefined) => Promise<{ name: string }>;

const operatorForm = "Send the operator token in the header Authorization: Bearer op_…";

/** The operator's door. Without a configured token it stays shut. */
export function createOperatorAuthenticator(token: string | undefined): AuthenticateOperator {
  if (token === "") throw new Error("the operator token is empty");
  const expected = token === undefined ? undefined : digestOf(token);
  return async (header) => {
    const given = digestOf(readBearer(header, operatorForm));
    // Digests have one length and are compared in constant time: how long the answer takes tells nothing.
    if (expected === undefined || !timingSafeEqual(given, expected)) {
      throw unauthorized("invalid_key", { message: "This path takes the operator token, not a secret key." });
    }
    return { name: "operator" };
  };
}

function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

export function requireScope(caller: Pick<Caller, "scopes">, scope: string): void {
  if (!hasScope(caller, scope)) throw authProblem("scope_missing", { data: { scope } });
}
