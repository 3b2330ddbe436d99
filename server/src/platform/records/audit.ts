/**
 * The trail of what operators did: who, what, when, from where, on whose request. An entry is written in the
 * transaction of the action itself, so neither exists without the other, and PostgreSQL refuses to change or delete it.
 * Keys, tokens and other secrets never enter `detail`: the trail is read by more people than may use them.
 */
import { sql } from "kysely";
import { uuidv7 } from "uuidv7";
import type { Tx } from "../database/database.ts";
import { type PageRequest, type Pagination, readPage, takePositions } from "./pagination.ts";

const list = "audit_entries";

/** Where an action comes from. */
export interface Origin {
  readonly actor: string;
  readonly address: string;
  readonly requestId: string;
}

export interface AuditAction {
  /** Noun and verb, such as key.revoke. */
  readonly action: string;
  readonly subjectType: string;
  readonly subjectId: string;
  /** The environment that the action concerns, if one. */
  readonly environmentId?: string;
  readonly detail?: AuditDetail;
}

export type AuditDetail = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

export interface AuditEntry {
  readonly id: string;
  readonly at: Date;
  readonly actor: string;
  readonly action: string;
  readonly subjectType: string;
  readonly subjectId: string;
  readonly environmentId: string | null;
  readonly detail: AuditDetail;
  readonly address: string;
  readonly requestId: string;
}

/** The origin of an operator's request. */
export function originOf(request: {
  readonly operator: { readonly name: string };
  readonly address: string;
  readonly requestId: string;
}): Origin {
  return { actor: request.operator.name, address: request.address, requestId: request.requestId };
}

/** As the trail names a caller of a merchant's route. */
export function actorOf(caller: {
  readonly holderId: string;
  readonly person: { readonly email: string } | null;
}): string {
  return caller.person?.email ?? `key ${caller.holderId}`;
}

/** Writes an entry. The transaction must be in the operator's scope. */
export async function recordAudit(tx: Tx, origin: Origin, action: AuditAction): Promise<void> {
  await tx
    .insertInto("audit_entries")
    .values({
      id: uuidv7(),
      list_position: await takePositions(tx, list, 1),
      // The trail keeps real time, whatever a sandbox's clock says.
      at: new Date(),
      actor: origin.actor,
      action: action.action,
      subject_type: action.subjectType,
      subject_id: action.subjectId,
      about_environment: action.environmentId ?? null,
      detail: JSON.stringify(action.detail ?? {}),
      address: origin.address,
      request_id: origin.requestId,
    })
    .execute();
}

/** One page of the trail, newest first. */
export async function listAudit(tx: Tx, page: PageRequest): Promise<{ rows: AuditEntry[]; pagination: Pagination }> {
  return readPage(tx, list, page, async ({ first, last }) => {
    const rows = await tx
      .selectFrom("audit_entries")
      .select(["id", "at", "actor", "action", "subject_type", "subject_id", "about_environment", "detail"])
      .select(["address", "request_id"])
      .where("list_position", ">=", first)
      .where("list_position", "<=", last)
      .orderBy("list_position", "desc")
      .limit(page.limit)
      .execute();
    return rows.map((row) => ({
      id: row.id,
      at: row.at,
      actor: row.actor,
      action: row.action,
      subjectType: row.subject_type,
      subjectId: row.subject_id,
      environmentId: row.about_environment,
      detail: row.detail as AuditDetail,
      address: row.address,
      requestId: row.request_id,
    }));
  });
}

/** What operators decided about records of this environment, oldest first. */
export async function readDecisions(tx: Tx, subjectIds: readonly string[]): Promise<AuditEntry[]> {
  const found = await sql<AuditEntry>`
    select d.id, d.at, d.actor, d.action, d.subject_type as "subjectType", d.subject_id as "subjectId",
      ${tx.environment.id} as "environmentId", d.detail, d.address, d.request_id as "requestId"
    from list_decisions_about(${subjectIds}::text[]) d order by d.at, d.id limit 200`.execute(tx);
  return found.rows;
}
