import { isEnvironmentKind } from "../merchants/merchant.ts";
import type { Database } from "../platform/database/database.ts";
import { retryRepeatable } from "../platform/database/retry-transient.ts";
import { type Block, isAddressAllowed, parseBlock } from "../platform/http/address-blocks.ts";
import type { Caller } from "../platform/http/caller.ts";
import { isExpired } from "./api-key.ts";
import { readBearer } from "./bearer.ts";
import { authProblem, unauthorized } from "./errors.ts";
import { createGrantCache } from "./grant-cache.ts";
import { findGrant, type KeyGrant, touchKeys } from "./key-store.ts";
import { createLastUsed } from "./last-used.ts";
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
