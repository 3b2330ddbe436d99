/**
 * Remembers for a moment what a key grants, so that a busy key does not ask PostgreSQL on every request. An answer is
 * trusted for three seconds from the moment the question was asked, which is how a revoked key stops working in every
 * process within five without anybody being told. Unknown keys are remembered too, in a room of their own, so that
 * guessing neither loads the database nor pushes out the keys that work.
 */
import type { KeyGrant } from "./key-store.ts";

export const grantLifeMs = 3_000;

export interface GrantCache {
  find(hash: Buffer): Promise<KeyGrant | undefined>;
}

export interface GrantCacheOptions {
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
