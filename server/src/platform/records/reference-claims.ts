/**
 * A merchant's reference stands for one record, for ever. It is claimed before the record is written, in the same
 * transaction; the unique index makes a twin wait until the first one has committed and then shows whose it is.
 */

import { sql } from "kysely";
import type { Tx } from "../database/database.ts";
import type { Row } from "../database/row.ts";

export interface ReferenceClaim {
  /** A record may go by several references; all are claimed or none. */
  readonly references: readonly string[];
  readonly recordId: string;
}

type ClaimedRow = Row<"reference_claims", "reference" | "record_id">;

/**
 * Claims the references and answers, in the same order, with null where the claim succeeded or with the id of the
 * record that holds a reference already. Locks: index entries in the order of the references.
 */
export async function claimReferences(
  tx: Tx,
  kind: string,
  claims: readonly ReferenceClaim[],
): Promise<(string | null)[]> {
  const wanted = claims.flatMap(({ references, recordId }) => references.map((reference) => ({ reference, recordId })));
  const inserted = await sql<ClaimedRow>`
    select reference, record_id from claim_references(${kind},
      ${wanted.map((w) => w.reference)}::text[], ${wanted.map((w) => w.recordId)}::uuid[])`.execute(tx);
  if (inserted.rows.length === wanted.length) return claims.map(() => null);
  return resolveTaken(tx, kind, claims);
}

/** Some reference was taken: finds the holders and gives back what a losing claim had won. */
async function resolveTaken(tx: Tx, kind: string, claims: readonly ReferenceClaim[]): Promise<(string | null)[]> {
  const holders = await findHolders(
    tx,
    kind,
    claims.flatMap((claim) => claim.references),
  );
  const outcomes = claims.map((claim) => {
    const others = claim.references.map((reference) => holders.get(reference));
    return others.find((holder) => holder !== undefined && holder !== claim.recordId) ?? null;
  });
  await withdrawReferences(
    tx,
    kind,
    claims.filter((_, index) => outcomes[index] !== null),
  );
  return outcomes;
}

/** The records that go by these references. */
export async function findHolders(
  tx: Tx,
  kind: string,
  references: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = await sql<ClaimedRow>`
    select reference, record_id from reference_claims
    where environment_id = ${tx.environment.id} and kind = ${kind}
      and reference = any (${references}::text[])`.execute(tx);
  return new Map(found.rows.map((row) => [row.reference, row.record_id]));
}

/** Gives claims back; a reference that belongs to another record stays. */
export async function withdrawReferences(tx: Tx, kind: string, claims: readonly ReferenceClaim[]): Promise<void> {
  if (claims.length === 0) return;
  await sql`
    delete from reference_claims
    where environment_id = ${tx.environment.id} and kind = ${kind}
      and reference = any (${claims.flatMap((claim) => claim.references)}::text[])
      and record_id = any (${claims.map((claim) => claim.recordId)}::uuid[])`.execute(tx);
}

/** The record that goes by this reference. */
export async function findByReference(tx: Tx, kind: string, reference: string): Promise<string | null> {
  return (await findHolders(tx, kind, [reference])).get(reference) ?? null;
}
