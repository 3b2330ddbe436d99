/** Claims deliveries from the queue. */
import { sql } from "kysely";
import type { Database, EnvironmentKind } from "../../platform/database/database.ts";
import { retryTransient } from "../../platform/database/retry-transient.ts";
import type { DeliveryKey } from "../deliveries/delivery.ts";
import { type EndpointKey, keyOf } from "../endpoints/endpoint.ts";

/** What all deliveries of a claim to one endpoint share. */
interface ClaimedEndpoint {
  readonly environmentId: string;
  readonly environment: EnvironmentKind;
  readonly url: string;
  /** Null when the endpoint was deleted a moment ago. */
  readonly sealedSecret: Buffer | null;
  readonly sealedPreviousSecret: Buffer | null;
  readonly previousSecretUntil: Date | null;
  /** By PostgreSQL's clock; the message is sent at once. */
  readonly claimedAt: Date;
}

export interface Claimed extends DeliveryKey, ClaimedEndpoint {
  readonly resourceId: string;
  readonly event: string;
  readonly createdAt: Date;
  readonly resourceVersion: number;
  readonly data: string;
  readonly attempts: number;
  readonly dueAt: Date;
}

export interface Claim {
  /** In all, as many as live may have. */
  readonly most: Readonly<Record<EnvironmentKind, number>>;
  readonly perEndpoint: number;
  readonly leaseSeconds: number;
  /** Endpoints that have another room than `perEndpoint`, by `keyOf`. */
  readonly rooms: ReadonlyMap<string, number>;
  /** Where the last round ended, so that every endpoint has its turn. */
  readonly after: Readonly<Record<EnvironmentKind, EndpointKey>>;
}

interface ClaimRow extends Omit<Claimed, Exclude<keyof ClaimedEndpoint, "environmentId"> | "event" | "dueAt"> {
  /** Null where the event is gone. */
  readonly event: string | null;
  /** Null where it was due from the beginning. */
  readonly dueAt: Date | null;
  /** Null but in the first row of each endpoint, which alone has what all of them share. */
  readonly claimedAt: Date | null;
}

type FirstRow = ClaimRow & ClaimedEndpoint;

export async function claimDeliveries(db: Database, claim: Claim): Promise<readonly Claimed[]> {
  const { rooms, after } = claim;
  const found = await retryTransient(() =>
    sql<ClaimRow>`
      select environment_id as "environmentId", endpoint_id as "endpointId", event_id as "eventId",
        resource_id as "resourceId", attempts, event, created_at as "createdAt", due_at as "dueAt",
        resource_version as "resourceVersion", data, environment_kind as environment, url,
        sealed_secret as "sealedSecret", sealed_previous_secret as "sealedPreviousSecret",
        previous_secret_until as "previousSecretUntil", claimed_at as "claimedAt"
      from claim_due_deliveries(${claim.most.LIVE}, ${claim.most.SANDBOX}, ${claim.perEndpoint},
        ${claim.leaseSeconds}, ${JSON.stringify(Object.fromEntries(rooms))}::jsonb,
        ${after.LIVE.environmentId}::uuid, ${after.LIVE.endpointId}::uuid, ${after.SANDBOX.environmentId}::uuid,
        ${after.SANDBOX.endpointId}::uuid)`.execute(db),
  );
  return wholeClaims(found.rows);
}

function wholeClaims(rows: readonly ClaimRow[]): Claimed[] {
  const endpoints = new Map(rows.filter(isFirst).map((row) => [keyOf(row), endpointOf(row)]));
  return rows.flatMap((row) => {
    const { event, dueAt, createdAt } = row;
    const endpoint = endpoints.get(keyOf(row));
    if (endpoint === undefined || event === null) return [];
    return [{ ...row, ...endpoint, event, dueAt: dueAt ?? createdAt }];
  });
}

const isFirst = (row: ClaimRow): row is FirstRow => row.claimedAt !== null;

function endpointOf(row: FirstRow): ClaimedEndpoint {
  const { environmentId, environment, url, sealedSecret, sealedPreviousSecret, previousSecretUntil, claimedAt } = row;
  return { environmentId, environment, url, sealedSecret, sealedPreviousSecret, previousSecretUntil, claimedAt };
}
