/** Rows of customers. */

import { sql } from "kysely";
import type { Tx } from "../../platform/database/database.ts";
import type { Row } from "../../platform/database/row.ts";
import { findOnlyPlace } from "../../platform/records/only-place.ts";
import type { PositionRange } from "../../platform/records/pagination.ts";
import type { ContactField } from "./contact-change.ts";
import type { Customer, IdentityProof, KycStatus } from "./customer.ts";

const columns = [
  "id",
  "first_name",
  "last_name",
  "email",
  "phone",
  "date_of_birth",
  "address",
  "external_id",
  "kyc_status",
  "kyc_reason",
  "kyc_by_operator",
  "identity_proof",
  "default_card_id",
  "card_phone",
  "created_at",
  "updated_at",
] as const;

type CustomerRow = Row<"customers", (typeof columns)[number]>;

const columnList = sql.join(columns.map((column) => sql.ref(column)));

/**
 * Locks: the customer's row, when asked to. What a customer may borrow is decided under this lock. It leaves the key
 * alone, which rows of loans and cards refer to: a transaction that has locked a loan may change it
 * meanwhile.
 */
export async function findCustomer(tx: Tx, id: string, { lock }: { lock: boolean }): Promise<Customer | undefined> {
  const found = await sql<CustomerRow>`
    select ${columnList} from customers where environment_id = ${tx.environment.id} and id = ${id}
    ${lock ? sql`for no key update` : sql``}`.execute(tx);
  return found.rows.map(toCustomer)[0];
}

/** Locks: the row of the customer whose loan it is. */
export async function lockCustomerOfLoan(tx: Tx, loanId: string): Promise<Customer | undefined> {
  const found = await sql<CustomerRow>`
    select ${columnList} from customers where environment_id = ${tx.environment.id} and id = (
      select l.customer_id from checkout_loans l where l.environment_id = ${tx.environment.id} and l.id = ${loanId})
    for no key update`.execute(tx);
  return found.rows.map(toCustomer)[0];
}

export async function findCustomerEnvironment(tx: Tx, id: string): Promise<string | undefined> {
  return findOnlyPlace(tx, "customers", id);
}

export async function readCustomers(tx: Tx, { first, last }: PositionRange): Promise<Customer[]> {
  const found = await sql<CustomerRow>`
    select ${columnList} from customers
    where environment_id = ${tx.environment.id} and list_position between ${first} and ${last}
    order by list_position desc limit 100`.execute(tx);
  return found.rows.map(toCustomer);
}

/** Names the card that due instalments are charged to; null when none is linked any more. Returns the customer since. */
export async function setDefaultCard(tx: Tx, customerId: string, cardId: string | null): Promise<Customer> {
  const set = await sql<CustomerRow>`
    update customers set default_card_id = ${cardId}, updated_at = ${tx.environment.clock.now()},
      card_phone = (select k.phone from customer_cards k where k.environment_id = ${tx.environment.id}
        and k.id = ${cardId})
    where environment_id = ${tx.environment.id} and id = ${customerId} returning ${columnList}`.execute(tx);
  const [customer] = set.rows.map(toCustomer);
  if (customer === undefined) throw new Error(`there is no customer ${customerId}`);
  return customer;
}

/** Writes contact data that were confirmed. What is not named stays. */
export async function updateContact(
  tx: Tx,
  id: string,
  { phone, email, address }: { readonly [field in ContactField]: string | null },
): Promise<void> {
  const named = Object.entries({ phone, email, address }).filter(([, value]) => value !== null);
  await tx
    .updateTable("customers")
    .set({ ...Object.fromEntries(named), updated_at: tx.environment.clock.now() })
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .execute();
}

/** Compare-and-set: false when somebody else has decided meanwhile. */
export async function moveKyc(
  tx: Tx,
  id: string,
  step: {
    readonly from: KycStatus;
    readonly to: KycStatus;
    readonly reason: string | null;
    readonly byOperator?: boolean;
  },
): Promise<boolean> {
  const moved = await tx
    .updateTable("customers")
    .set({ kyc_status: step.to, kyc_reason: step.reason, kyc_by_operator: step.byOperator ?? false })
    .set({ kyc_failures: 0, updated_at: tx.environment.clock.now() })
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .where("kyc_status", "=", step.from)
    .executeTakeFirst();
  return moved.numUpdatedRows === 1n;
}

/** Something shows that the customer owns the BVN. What showed it first stays. Returns the customer since. */
export async function proveIdentity(tx: Tx, id: string, proof: Exclude<IdentityProof, "none">): Promise<Customer> {
  const proved = await sql<CustomerRow>`
    update customers set identity_proof = case when coalesce(identity_proof, 'none') = 'none' then ${proof}
      else identity_proof end, updated_at = ${tx.environment.clock.now()}
    where environment_id = ${tx.environment.id} and id = ${id} returning ${columnList}`.execute(tx);
  const [customer] = proved.rows.map(toCustomer);
  if (customer === undefined) throw new Error(`there is no customer ${id}`);
  return customer;
}

export async function forgetProof(tx: Tx, id: string): Promise<void> {
  await sql`
    update customers set identity_proof = 'none'
    where environment_id = ${tx.environment.id} and id = ${id}`.execute(tx);
}

/** Counts a question that got no answer and says how many there were. */
export async function countUnanswered(tx: Tx, id: string): Promise<number | undefined> {
  const counted = await tx
    .updateTable("customers")
    .set((set) => ({ kyc_failures: set("kyc_failures", "+", 1) }))
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .where("kyc_status", "=", "pending")
    .returning("kyc_failures")
    .executeTakeFirst();
  return counted?.kyc_failures;
}

function toCustomer(row: CustomerRow): Customer {
  return {
    id: row.id,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    phone: row.phone,
    dateOfBirth: row.date_of_birth === null ? null : Temporal.PlainDate.from(row.date_of_birth),
    address: row.address,
    externalId: row.external_id,
    kycStatus: row.kyc_status as KycStatus,
    kycReason: row.kyc_reason,
    kycByOperator: row.kyc_by_operator,
    identityProof: row.identity_proof as IdentityProof | null,
    defaultCardId: row.default_card_id,
    cardPhone: row.card_phone,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
