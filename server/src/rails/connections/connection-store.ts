/** Connections and routes. They are the operator's: every transaction here is in the operator's scope. */
import { sql } from "kysely";
import { type Kobo, kobo } from "../../money/kobo.ts";
import { type EnvironmentKind, type Tx, visitEnvironment } from "../../platform/database/database.ts";
import type { Row } from "../../platform/database/row.ts";
import type { SealedColumn } from "../../platform/secrets/reseal.ts";
import type { Hold, HoldReason } from "../answer.ts";
import type { ConnectionCheck, ConnectionMode, Port } from "../provider.ts";
import type { RouteList } from "./choose-connection.ts";
import { type Connection, type ConnectionState, hasPassed } from "./connection.ts";

export const sealedCredentials: SealedColumn = {
  table: "rail_connections",
  column: "sealed_credentials",
  key: "id",
  scope: "scope_id",
};

const columns = [
  "id",
  "provider",
  "name",
  "mode",
  "ports",
  "base_url",
  "sealed_credentials",
  "state",
  "hold_reason",
  "hold_message",
  "held_at",
  "checks",
  "checks_passed",
  "checked_at",
  "float_kobo",
  "float_read_at",
  "version",
  "created_at",
  "updated_at",
] as const;

function toConnection(row: Row<"rail_connections", (typeof columns)[number]>): Connection {
  const { hold_reason: reason, held_at: since, float_kobo: available, float_read_at: readAt } = row;
  return {
    id: row.id,
    provider: row.provider,
    name: row.name,
    mode: row.mode as ConnectionMode,
    ports: row.ports as Port[],
    baseUrl: row.base_url,
    sealedCredentials: row.sealed_credentials,
    state: row.state as ConnectionState,
    hold:
      reason === null || since === null
        ? null
        : { reason: reason as HoldReason, message: row.hold_message ?? reason, since },
    checks: row.checks as unknown as ConnectionCheck[],
    checksPassed: row.checks_passed,
    checkedAt: row.checked_at,
    float: available === null || readAt === null ? null : { available: kobo(available), readAt },
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export async function listConnections(tx: Tx): Promise<Connection[]> {
  const rows = await tx.selectFrom("rail_connections").select(columns).orderBy("id").execute();
  return rows.map(toConnection);
}

export async function findConnection(
  tx: Tx,
  id: string,
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<Connection | undefined> {
  const query = tx.selectFrom("rail_connections").select(columns).where("id", "=", id);
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst();
  return row && toConnection(row);
}

export async function insertConnection(tx: Tx, connection: Connection): Promise<void> {
  const { checks, ...others } = connection;
  await tx
    .insertInto("rail_connections")
    .values({
      id: others.id,
      provider: others.provider,
      name: others.name,
      mode: others.mode,
      ports: [...others.ports],
      base_url: others.baseUrl,
      sealed_credentials: others.sealedCredentials,
      state: others.state,
      checks: JSON.stringify(checks),
      checks_passed: others.checksPassed,
      checked_at: others.checkedAt,
      float_kobo: others.float?.available ?? null,
      float_read_at: others.float?.readAt ?? null,
      created_at: others.createdAt,
      updated_at: others.updatedAt,
    })
    .execute();
}

export interface ConnectionChange {
  readonly name?: string;
  readonly state?: ConnectionState;
  /** New credentials make another connection of it. */
  readonly sealedCredentials?: Buffer;
}

export async function changeConnection(tx: Tx, id: string, change: ConnectionChange): Promise<void> {
  const { name = null, state = null, sealedCredentials: sealed = null } = change;
  await sql`
    update rail_connections set name = coalesce(${name}, name), state = coalesce(${state}, state),
      sealed_credentials = coalesce(${sealed}::bytea, sealed_credentials),
      version = version + case when ${sealed}::bytea is null then 0 else 1 end, updated_at = clock_timestamp()
    where id = ${id}`.execute(tx);
}

/** What a round of checks has found. If all is well, a hold is over. */
export async function recordChecks(tx: Tx, id: string, checks: readonly ConnectionCheck[]): Promise<void> {
  const passed = hasPassed(checks);
  await sql`
    update rail_connections set checks = ${JSON.stringify(checks)}::jsonb, checks_passed = ${passed},
      checked_at = clock_timestamp(), updated_at = clock_timestamp(),
      hold_reason = case when ${passed} then null else hold_reason end,
      hold_message = case when ${passed} then null else hold_message end,
      held_at = case when ${passed} then null else held_at end
    where id = ${id}`.execute(tx);
}

export async function recordFloat(tx: Tx, id: string, available: Kobo): Promise<void> {
  await sql`
    update rail_connections set float_kobo = ${available}::bigint, float_read_at = clock_timestamp()
    where id = ${id}`.execute(tx);
}

/** Returns whether it was not held before. */
export async function recordHold(tx: Tx, id: string, { reason, message }: Hold): Promise<boolean> {
  const held = await sql`
    update rail_connections set hold_reason = ${reason}, hold_message = ${message}, held_at = clock_timestamp(),
      updated_at = clock_timestamp()
    where id = ${id} and hold_reason is null`.execute(tx);
  return held.numAffectedRows === 1n;
}

export async function listRoutes(tx: Tx): Promise<RouteList[]> {
  const rows = await tx
    .selectFrom("rail_routes")
    .select(["served_environment", "port", "category", "connection_ids"])
    .orderBy("served_environment")
    .orderBy("port")
    .orderBy("category")
    .execute();
  return rows.map((row) => ({
    environmentId: row.served_environment,
    port: row.port as Port,
    category: row.category,
    connectionIds: row.connection_ids,
  }));
}

/** Takes the place of whatever the environment had for this port. */
export async function replaceRoutes(
  tx: Tx,
  { environmentId, port }: Pick<RouteList, "environmentId" | "port">,
  lists: readonly Pick<RouteList, "category" | "connectionIds">[],
): Promise<void> {
  await tx.deleteFrom("rail_routes").where("served_environment", "=", environmentId).where("port", "=", port).execute();
  const filled = lists.filter(({ connectionIds }) => connectionIds.length > 0);
  if (filled.length === 0) return;
  await tx
    .insertInto("rail_routes")
    .values(
      filled.map(({ category, connectionIds }) => ({
        served_environment: environmentId,
        port,
        category,
        connection_ids: [...connectionIds],
      })),
    )
    .execute();
}

/** The environment that a route is for, as far as routes care. */
export interface ServedEnvironment {
  readonly kind: EnvironmentKind;
  readonly isFrozen: boolean;
}

/** In the operator's scope. */
export async function findServed(tx: Tx, environmentId: string): Promise<ServedEnvironment | undefined> {
  const found = await tx.selectFrom("environments").select("id").where("id", "=", environmentId).executeTakeFirst();
  if (found === undefined) return undefined;
  return visitEnvironment(tx, environmentId, async ({ environment: { kind, clock } }) => ({
    kind,
    isFrozen: clock.mode === "frozen",
  }));
}
