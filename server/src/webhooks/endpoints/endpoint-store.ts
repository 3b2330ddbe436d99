import { sql } from "kysely";
import type { Tx } from "../../platform/database/database.ts";
import type { Row } from "../../platform/database/row.ts";
import { type Endpoint, isDisabledReason } from "./endpoint.ts";

const endpointColumns = [
  "id",
  "url",
  "description",
  "events",
  "enabled",
  "disabled_reason",
  "failing_since",
  "previous_secret_until",
  "version",
  "created_at",
  "updated_at",
] as const;

type EndpointRow = Row<"webhook_endpoints", (typeof endpointColumns)[number]>;

function toEndpoint(row: EndpointRow): Endpoint {
  const reason = row.disabled_reason;
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    events: row.events,
    enabled: row.enabled,
    disabledReason: reason !== null && isDisabledReason(reason) ? reason : null,
    failingSince: row.failing_since,
    previousSecretUntil: row.previous_secret_until,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function endpointsInUse(tx: Tx) {
  return tx
    .selectFrom("webhook_endpoints")
    .select(endpointColumns)
    .where("environment_id", "=", tx.environment.id)
    .where("deleted_at", "is", null);
}

/** Newest first. There are few enough to read all. */
export async function readEndpoints(tx: Tx): Promise<Endpoint[]> {
  const rows = await endpointsInUse(tx).orderBy("created_at", "desc").orderBy("id", "desc").limit(100).execute();
  return rows.map(toEndpoint);
}

export async function findEndpointRow(tx: Tx, id: string): Promise<Endpoint | undefined> {
  const row = await endpointsInUse(tx).where("id", "=", id).executeTakeFirst();
  return row === undefined ? undefined : toEndpoint(row);
}

/** Locks the endpoint's row until the transaction ends, so that two changes of one endpoint follow each other. */
export async function lockEndpointRow(tx: Tx, id: string): Promise<Endpoint | undefined> {
  const row = await endpointsInUse(tx).where("id", "=", id).forNoKeyUpdate().executeTakeFirst();
  return row === undefined ? undefined : toEndpoint(row);
}

/** Holds all endpoints as they are until the transaction ends. Locks: their rows, shared, in the order of their keys. */
export async function shareEndpoints(tx: Tx): Promise<void> {
  await endpointsInUse(tx).orderBy("id").forShare().execute();
}

/** Two endpoints that are made or moved at once are looked at one after the other. */
export async function lockEndpoints(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(
    hashtextextended('jara.webhook_endpoints/' || ${tx.environment.id}::text, 0))`.execute(tx);
}

export async function insertEndpoint(tx: Tx, endpoint: Endpoint, sealedSecret: Buffer): Promise<void> {
  await tx
    .insertInto("webhook_endpoints")
    .values({
      environment_id: tx.environment.id,
      id: endpoint.id,
      url: endpoint.url,
      description: endpoint.description,
      events: [...endpoint.events],
      enabled: endpoint.enabled,
      disabled_reason: endpoint.disabledReason,
      sealed_secret: sealedSecret,
      created_at: endpoint.createdAt,
      updated_at: endpoint.updatedAt,
    })
    .execute();
}

/** Writes what can be changed, and counts the change. */
export async function updateEndpoint(tx: Tx, endpoint: Endpoint): Promise<Endpoint> {
  const row = await tx
    .updateTable("webhook_endpoints")
    .set((set) => ({
      url: endpoint.url,
      description: endpoint.description,
      events: [...endpoint.events],
      enabled: endpoint.enabled,
      disabled_reason: endpoint.disabledReason,
      failing_since: endpoint.failingSince,
      version: set("version", "+", 1),
      updated_at: tx.environment.clock.now(),
    }))
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", endpoint.id)
    .returning(endpointColumns)
    .executeTakeFirstOrThrow();
  return toEndpoint(row);
}

export async function readSealedSecret(tx: Tx, id: string): Promise<Buffer | null> {
  const row = await tx
    .selectFrom("webhook_endpoints")
    .select("sealed_secret")
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.sealed_secret ?? null;
}

export interface NewSecrets {
  readonly sealed: Buffer;
  readonly sealedPrevious: Buffer | null;
  /** For how long the previous one signs too; receivers change over in real time, whatever a sandbox's clock says. */
  readonly overlapSeconds: number | null;
}

export async function replaceSecrets(tx: Tx, id: string, secrets: NewSecrets): Promise<Endpoint> {
  const row = await tx
    .updateTable("webhook_endpoints")
    .set((set) => ({
      sealed_secret: secrets.sealed,
      sealed_previous_secret: secrets.sealedPrevious,
      previous_secret_until:
        secrets.overlapSeconds === null
          ? null
          : sql<Date>`clock_timestamp() + make_interval(secs => ${secrets.overlapSeconds})`,
      version: set("version", "+", 1),
      updated_at: tx.environment.clock.now(),
    }))
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .returning(endpointColumns)
    .executeTakeFirstOrThrow();
  return toEndpoint(row);
}

/** The row stays for the log of deliveries; its secrets go. */
export async function markDeleted(tx: Tx, id: string): Promise<void> {
  const now = tx.environment.clock.now();
  await tx
    .updateTable("webhook_endpoints")
    .set({
      enabled: false,
      disabled_reason: "deleted",
      sealed_secret: null,
      sealed_previous_secret: null,
      previous_secret_until: null,
      deleted_at: now,
      updated_at: now,
    })
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .execute();
}

/** Notes the first failure since the last success and answers since when the endpoint fails. */
export async function noteFailure(tx: Tx, id: string, at: Date): Promise<Date> {
  const row = await tx
    .updateTable("webhook_endpoints")
    .set((set) => ({ failing_since: set.fn.coalesce("failing_since", set.val(at)) }))
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .returning("failing_since")
    .executeTakeFirst();
  return row?.failing_since ?? at;
}
