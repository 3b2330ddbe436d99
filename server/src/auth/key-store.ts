import { sql } from "kysely";
import type { Database, PlainTx, Tx } from "../platform/database/database.ts";
import type { PositionRange } from "../platform/records/pagination.ts";
import type { ApiKey } from "./api-key.ts";

/** What the guard needs to know of a key. */
export interface KeyGrant {
  readonly keyId: string;
  readonly environmentId: string;
  readonly environmentKind: string;
  readonly merchantId: string;
  readonly scopes: readonly string[];
  readonly allowedAddresses: readonly string[];
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

/** Looks across environments, because the key tells which one it belongs to. */
export async function findGrant(db: Database, hash: Buffer): Promise<KeyGrant | undefined> {
  const found = await sql<KeyGrant>`
    select key_id as "keyId", environment_id as "environmentId", environment_kind as "environmentKind",
      merchant_id as "merchantId", scopes, allowed_addresses as "allowedAddresses",
      expires_at as "expiresAt", revoked_at as "revokedAt"
    from find_api_key(${hash})`.execute(db);
  return found.rows[0];
}

export async function findKeyEnvironment(tx: PlainTx, keyId: string): Promise<string | undefined> {
  const found = await sql<{ environment: string | null }>`
    select find_key_environment(${keyId}) as environment`.execute(tx);
  return found.rows[0]?.environment ?? undefined;
}

export async function touchKeys(db: Database, uses: readonly (readonly [keyId: string, at: Date])[]): Promise<void> {
  const ids = uses.map(([keyId]) => keyId);
  const times = uses.map(([, at]) => at);
  await sql`select touch_api_keys(${ids}::uuid[], ${times}::timestamptz[])`.execute(db);
}

export async function insertKey(tx: Tx, key: ApiKey, hash: Buffer, listPosition: bigint): Promise<void> {
  await tx
    .insertInto("api_keys")
    .values({
      environment_id: key.environmentId,
      id: key.id,
      name: key.name,
      prefix: key.prefix,
      hash,
      scopes: [...key.scopes],
      allowed_addresses: [...key.allowedAddresses],
      expires_at: key.expiresAt,
      created_at: key.createdAt,
      list_position: listPosition,
    })
    .execute();
}

/** Locks the key's row until the transaction ends, so that two changes of one key follow each other. */
export async function lockKey(tx: Tx, id: string): Promise<ApiKey | undefined> {
  const row = await keyColumns(tx).where("id", "=", id).forNoKeyUpdate().executeTakeFirst();
  return row === undefined ? undefined : keyFrom(row);
}

export async function readKeys(tx: Tx, range: PositionRange): Promise<ApiKey[]> {
  const rows = await keyColumns(tx)
    .where("list_position", ">=", range.first)
    .where("list_position", "<=", range.last)
    .orderBy("list_position", "desc")
    .limit(Number(range.last - range.first) + 1)
    .execute();
  return rows.map(keyFrom);
}

export async function updateKey(
  tx: Tx,
  id: string,
  change: Partial<Pick<ApiKey, "expiresAt" | "revokedAt" | "replacedBy">>,
): Promise<void> {
  await tx
    .updateTable("api_keys")
    .set({
      ...(change.expiresAt === undefined ? {} : { expires_at: change.expiresAt }),
      ...(change.revokedAt === undefined ? {} : { revoked_at: change.revokedAt }),
      ...(change.replacedBy === undefined ? {} : { replaced_by: change.replacedBy }),
    })
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .execute();
}

function keyColumns(tx: Tx) {
  return tx
    .selectFrom("api_keys")
    .select(["id", "environment_id", "name", "prefix", "scopes", "allowed_addresses"])
    .select(["expires_at", "revoked_at", "last_used_at", "replaced_by", "created_at"])
    .where("environment_id", "=", tx.environment.id);
}

type KeyRow = Awaited<ReturnType<ReturnType<typeof keyColumns>["executeTakeFirstOrThrow"]>>;

function keyFrom(row: KeyRow): ApiKey {
  return {
    id: row.id,
    environmentId: row.environment_id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes,
    allowedAddresses: row.allowed_addresses,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    replacedBy: row.replaced_by,
    createdAt: row.created_at,
  };
}
