/** Applicants. BVN and NIN are sealed; an applicant is found again by the blind index of the BVN. */
import { sql } from "kysely";
import type { Tx } from "../platform/database/database.ts";
import { lockPlaces } from "../platform/database/lock-places.ts";
import { unawaited } from "../platform/database/unawaited.ts";
import type { Sealer } from "../platform/secrets/crypto.ts";
import { type SealedColumn, sealedContext } from "../platform/secrets/reseal.ts";
import type { Applicant } from "./loan-request.ts";
import { bvnPurpose, sealedBvn, sealedNin, sealedRequestNin } from "./sealed-columns.ts";

export interface Person {
  readonly firstName: string;
  readonly lastName: string;
  readonly phone: string;
  readonly email: string;
  readonly nin: string;
  readonly bvn: string;
}

/** Under another name each, because they stand beside the columns of a request. */
export const applicantColumns = [
  "a.id as applicant_id",
  "a.first_name as applicant_first_name",
  "a.last_name as applicant_last_name",
  "a.phone as applicant_phone",
  "a.email as applicant_email",
  "a.sealed_bvn",
  "a.sealed_nin",
  "a.created_at as applicant_created_at",
  "a.updated_at as applicant_updated_at",
] as const;

interface ApplicantRow {
  readonly applicant_id: string;
  readonly applicant_first_name: string;
  readonly applicant_last_name: string;
  readonly applicant_phone: string;
  readonly applicant_email: string;
  readonly sealed_bvn: Buffer;
  readonly sealed_nin: Buffer;
  readonly applicant_created_at: Date;
  readonly applicant_updated_at: Date;
}

export function toApplicant(tx: Tx, sealer: Sealer, row: ApplicantRow): Applicant {
  const open = (column: SealedColumn, sealed: Buffer): string =>
    sealer.open(sealed, sealedContext(column, tx.environment.id, row.applicant_id)).toString("utf8");
  return {
    id: row.applicant_id,
    firstName: row.applicant_first_name,
    lastName: row.applicant_last_name,
    phone: row.applicant_phone,
    email: row.applicant_email,
    nin: open(sealedNin, row.sealed_nin),
    bvn: open(sealedBvn, row.sealed_bvn),
    createdAt: row.applicant_created_at,
    updatedAt: row.applicant_updated_at,
  };
}

/**
 * Finds the applicant with this BVN, as known, or writes a new one. Returns the id. A merchant that sends a BVN has
 * proved nothing by it: what is said otherwise this time stays with the request until somebody grants it.
 */
export async function saveApplicant(tx: Tx, sealer: Sealer, person: Person): Promise<string> {
  const indexes = sealer.blindIndexes(person.bvn, bvnPurpose);
  // Locks: the BVN, so that of twins only the first one makes an applicant. During an exchange of the master key
  // servers disagree about which key is the newest, and some applicants are known under the older one: all of them are
  // locked and looked for.
  const placeOf = (index: Buffer): string => `loan_applicants/${tx.environment.id}/${index.toString("hex")}`;
  await lockPlaces(tx, indexes.map(placeOf));
  const known = await findByBvn(tx, indexes);
  if (known !== undefined) return known;
  const id = tx.environment.clock.newId();
  await insertApplicant(tx, sealer, id, person);
  return id;
}

/** A granted request is what the lender believes: the applicant is from now on who it says. */
export async function believeApplicant(
  tx: Tx,
  sealer: Sealer,
  { applicantId: id, requestId }: { readonly applicantId: string; readonly requestId: string },
): Promise<void> {
  const { clock, id: environmentId } = tx.environment;
  const sent = await tx
    .selectFrom("loan_requests")
    .select(["first_name", "last_name", "phone", "email", "sealed_nin"])
    .where("environment_id", "=", environmentId)
    .where("id", "=", requestId)
    .executeTakeFirstOrThrow();
  const { sealed_nin, ...contact } = sent;
  const nin = sealer.open(sealed_nin, sealedContext(sealedRequestNin, environmentId, requestId));
  const ninContext = sealedContext(sealedNin, environmentId, id);
  const known = await tx
    .selectFrom("loan_applicants")
    .select(["first_name", "last_name", "phone", "email", "sealed_nin"])
    .where("environment_id", "=", environmentId)
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const differs = (["first_name", "last_name", "phone", "email"] as const).some(
    (name) => known[name] !== contact[name],
  );
  // An applicant who sends what is known already has not changed.
  if (!differs && sealer.open(known.sealed_nin, ninContext).equals(nin)) return;
  await tx
    .updateTable("loan_applicants")
    .set({ ...contact, sealed_nin: sealer.seal(nin, ninContext) })
    .set({ updated_at: clock.now() })
    .where("environment_id", "=", environmentId)
    .where("id", "=", id)
    .execute();
}

async function findByBvn(tx: Tx, indexes: readonly Buffer[]): Promise<string | undefined> {
  const found = await sql<{ id: string }>`
    select id from loan_applicants
    where environment_id = ${tx.environment.id} and bvn_index = any (${indexes}::bytea[]) limit 1`.execute(tx);
  return found.rows[0]?.id;
}

async function insertApplicant(tx: Tx, sealer: Sealer, id: string, person: Person): Promise<void> {
  const { clock, id: environmentId } = tx.environment;
  const now = clock.now();
  const insert = tx.insertInto("loan_applicants").values({
    environment_id: environmentId,
    id,
    bvn_index: sealer.blindIndex(person.bvn, bvnPurpose),
    sealed_bvn: sealer.seal(person.bvn, sealedContext(sealedBvn, environmentId, id)),
    sealed_nin: sealer.seal(person.nin, sealedContext(sealedNin, environmentId, id)),
    first_name: person.firstName,
    last_name: person.lastName,
    phone: person.phone,
    email: person.email,
    created_at: now,
    updated_at: now,
  });
  await unawaited(() => insert.execute());
}
