/** What a merchant said about a customer. BVN and NIN are sealed; a customer is found again by the BVN's blind index. */
import { sql } from "kysely";
import type { Tx } from "../../platform/database/database.ts";
import { lockPlaces } from "../../platform/database/lock-places.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import { sealedContext } from "../../platform/secrets/reseal.ts";
import type { Identified } from "./ask-identity.ts";
import type { Customer, IdentityProof, KycStatus, Person } from "./customer.ts";
import { bvnPurpose, ninPurpose, sealedBvn, sealedNin } from "./sealed-columns.ts";

/**
 * Locks: the BVN, so that twins come one after the other and only the first one makes a customer; then the row. During
 * an exchange of the master key servers disagree about which key is the newest, so it is locked under all of them.
 */
export async function findIdByBvn(
  tx: Tx,
  sealer: Sealer,
  bvn: string,
  { lock } = { lock: true },
): Promise<string | undefined> {
  const indexes = sealer.blindIndexes(bvn, bvnPurpose);
  const placeOf = (index: Buffer): string => `customers/${tx.environment.id}/${index.toString("hex")}`;
  if (lock) await lockPlaces(tx, indexes.map(placeOf));
  const found = await sql<{ id: string }>`
    select id from customers
    where environment_id = ${tx.environment.id}
      and bvn_index = any (${indexes}::bytea[]) limit 1
      ${lock ? sql`for no key update` : sql``}`.execute(tx);
  return found.rows[0]?.id;
}

export interface NewCustomer {
  readonly id: string;
  readonly position: bigint;
  readonly person: Person;
  readonly kycStatus: KycStatus;
  readonly kycReason: string | null;
  readonly identityProof: IdentityProof;
}

export async function insertCustomer(tx: Tx, sealer: Sealer, customer: NewCustomer): Promise<void> {
  const { id, person } = customer;
  const { clock, id: environmentId } = tx.environment;
  const now = clock.now();
  await tx
    .insertInto("customers")
    .values({
      environment_id: environmentId,
      id,
      list_position: customer.position,
      bvn_index: sealer.blindIndex(person.bvn, bvnPurpose),
      sealed_bvn: sealer.seal(person.bvn, sealedContext(sealedBvn, environmentId, id)),
      ...claimColumns(tx, sealer, id, person),
      email: person.email,
      phone: person.phone,
      address: person.address,
      external_id: person.externalId,
      kyc_status: customer.kycStatus,
      kyc_reason: customer.kycReason,
      identity_proof: customer.identityProof,
      created_at: now,
      updated_at: now,
    })
    .execute();
}

/** Writes who the register says the customer is. */
export async function updateClaim(tx: Tx, sealer: Sealer, id: string, claim: Identified): Promise<void> {
  await tx
    .updateTable("customers")
    .set({ ...claimColumns(tx, sealer, id, claim), updated_at: tx.environment.clock.now() })
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .execute();
}

/** The merchant's own word for the customer is the merchant's to change, and an address that was not known is added. */
export async function updateNotes(
  tx: Tx,
  id: string,
  { externalId, address }: Pick<Person, "externalId" | "address">,
): Promise<void> {
  await sql`
    update customers set external_id = coalesce(${externalId}, external_id), address = coalesce(address, ${address})
    where environment_id = ${tx.environment.id} and id = ${id}`.execute(tx);
}

function claimColumns(tx: Tx, sealer: Sealer, id: string, claim: Identified) {
  const ninContext = sealedContext(sealedNin, tx.environment.id, id);
  return {
    sealed_nin: claim.nin === null ? null : sealer.seal(claim.nin, ninContext),
    nin_index: claim.nin === null ? null : sealer.blindIndex(claim.nin, ninPurpose),
    first_name: claim.firstName,
    last_name: claim.lastName,
    date_of_birth: claim.dateOfBirth?.toString() ?? null,
  };
}

/** What the identity provider is asked about, opened for the question. */
export async function readIdentified(tx: Tx, sealer: Sealer, customer: Customer): Promise<Identified> {
  const row = await tx
    .selectFrom("customers")
    .select(["sealed_bvn", "sealed_nin"])
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", customer.id)
    .executeTakeFirstOrThrow();
  const open = (column: typeof sealedBvn | typeof sealedNin, sealed: Buffer): string =>
    sealer.open(sealed, sealedContext(column, tx.environment.id, customer.id)).toString("utf8");
  const { firstName, lastName, dateOfBirth } = customer;
  const nin = row.sealed_nin === null ? null : open(sealedNin, row.sealed_nin);
  return { bvn: open(sealedBvn, row.sealed_bvn), nin, firstName, lastName, dateOfBirth };
}

/** More than anybody links. */
const mostCards = 100;

/** What the customer's cards are known by; also cards that were removed. */
export async function readFingerprints(tx: Tx, customerId: string): Promise<Buffer[]> {
  const rows = await tx
    .selectFrom("customer_cards")
    .select("fingerprint_index")
    .where("environment_id", "=", tx.environment.id)
    .where("customer_id", "=", customerId)
    .where("fingerprint_index", "is not", null)
    .limit(mostCards)
    .execute();
  return rows.flatMap(({ fingerprint_index: index }) => (index === null ? [] : [index]));
}
