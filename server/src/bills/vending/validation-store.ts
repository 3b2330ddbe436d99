/** Customers that providers have confirmed, for as long as that counts. */

import { sql } from "kysely";
import type { Tx } from "../../platform/database/database.ts";
import { isUuid } from "../../platform/database/ids.ts";
import type { Row } from "../../platform/database/row.ts";
import type { BillCategory } from "../../rails/biller.ts";

export interface CustomerKey {
  readonly category: BillCategory;
  readonly provider: string;
  readonly customer: string;
}

export interface Validation extends CustomerKey {
  /** What the API calls validationReference. */
  readonly id: string;
  readonly customerName: string | null;
  /** What runs on the smart card, by the provider's word. */
  readonly packageCode: string | null;
  /** What was on offer when the customer was shown the price. */
  readonly catalogueVersion: number;
  readonly expiresAt: Date;
}

const columns = [
  "id",
  "category",
  "provider",
  "customer",
  "customer_name",
  "package_code",
  "catalogue_version",
  "expires_at",
] as const;

type ValidationRow = Row<"bill_validations", (typeof columns)[number]>;

const columnList = sql.join(columns.map((column) => sql.ref(`v.${column}`)));

const forgottenAtOnce = 20;

/** Writes a validation and takes some of those away that have run out, so that the table stays as small as its use. */
export async function insertValidation(tx: Tx, validation: Validation): Promise<void> {
  const environmentId = tx.environment.id;
  const now = tx.environment.clock.now();
  await sql`
    delete from bill_validations where environment_id = ${environmentId} and id in (
      select v.id from bill_validations v
      where v.environment_id = ${environmentId} and v.expires_at < ${now}
      order by v.expires_at limit ${forgottenAtOnce})`.execute(tx);
  await tx
    .insertInto("bill_validations")
    .values({
      environment_id: environmentId,
      id: validation.id,
      category: validation.category,
      provider: validation.provider,
      customer: validation.customer,
      customer_name: validation.customerName,
      package_code: validation.packageCode,
      catalogue_version: validation.catalogueVersion,
      created_at: now,
      expires_at: validation.expiresAt,
    })
    .execute();
}

/** The newest validation of the customer that is still good. */
export async function findAlive(tx: Tx, key: CustomerKey): Promise<Validation | undefined> {
  const found = await sql<ValidationRow>`
    select ${columnList} from bill_validations v
    where v.environment_id = ${tx.environment.id} and v.category = ${key.category} and v.provider = ${key.provider}
      and v.customer = ${key.customer} and v.expires_at > ${tx.environment.clock.now()}
    order by v.expires_at desc, v.id desc limit 1`.execute(tx);
  return found.rows.map(toValidation)[0];
}

/** Takes away what was confirmed about these customers: something has happened since that makes it untrue. */
export async function forgetValidations(tx: Tx, keys: readonly CustomerKey[]): Promise<void> {
  if (keys.length === 0) return;
  const rows = keys.map(({ category, provider, customer }) => ({ category, provider, customer }));
  await sql`
    delete from bill_validations v
    using json_to_recordset(${JSON.stringify(rows)}::json) as k (category text, provider text, customer text)
    where v.environment_id = ${tx.environment.id} and v.category = k.category and v.provider = k.provider
      and v.customer = k.customer`.execute(tx);
}

/** The validation that was given out under this reference, good or not. */
export async function findByValidationReference(tx: Tx, reference: string): Promise<Validation | undefined> {
  if (!isUuid(reference)) return undefined;
  const found = await sql<ValidationRow>`
    select ${columnList} from bill_validations v
    where v.environment_id = ${tx.environment.id} and v.id = ${reference}::uuid`.execute(tx);
  return found.rows.map(toValidation)[0];
}

function toValidation(row: ValidationRow): Validation {
  return {
    id: row.id,
    category: row.category as BillCategory,
    provider: row.provider,
    customer: row.customer,
    customerName: row.customer_name,
    packageCode: row.package_code,
    catalogueVersion: row.catalogue_version,
    expiresAt: row.expires_at,
  };
}
