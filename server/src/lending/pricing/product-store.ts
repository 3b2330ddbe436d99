/** Rows of loan products. */
import type { Insertable, Selectable } from "kysely";
import { kobo } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import type { LoanProducts } from "../../platform/database/database-types.gen.ts";
import type { InterestMethod, LoanProduct, TenorOffer, TenorType } from "./product.ts";

/** The version of a code that counts at a moment: the latest date, and of one date the highest version. */
export async function findProductInForce(tx: Tx, code: string, moment: Date): Promise<LoanProduct | undefined> {
  const row = await tx
    .selectFrom("loan_products")
    .selectAll()
    .where("environment_id", "=", tx.environment.id)
    .where("code", "=", code)
    .where("effective_from", "<=", moment)
    .orderBy("effective_from", "desc")
    .orderBy("version", "desc")
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? undefined : toProduct(row);
}

export async function findProductVersion(tx: Tx, id: string, version: number): Promise<LoanProduct> {
  const row = await tx
    .selectFrom("loan_products")
    .selectAll()
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .where("version", "=", version)
    .executeTakeFirstOrThrow();
  return toProduct(row);
}

/** All versions of all codes, the newest date first. */
export async function readProducts(tx: Tx): Promise<LoanProduct[]> {
  const rows = await tx
    .selectFrom("loan_products")
    .selectAll()
    .where("environment_id", "=", tx.environment.id)
    .orderBy("effective_from", "desc")
    .orderBy("code")
    .orderBy("version", "desc")
    .limit(1000)
    .execute();
  return rows.map(toProduct);
}

/** False when the environment has this version already. */
export async function insertProduct(tx: Tx, product: LoanProduct): Promise<boolean> {
  const inserted = await tx
    .insertInto("loan_products")
    .values(toRow(tx, product))
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

type WrittenTenors = Partial<Record<TenorType, { shortest: number; longest: number; rate: number }>>;

function toProduct(row: Selectable<LoanProducts>): LoanProduct {
  const written = Object.entries(row.tenures as WrittenTenors);
  const offers = written.map(([type, offer]): [string, TenorOffer] => [type, { ...offer, rate: BigInt(offer.rate) }]);
  return {
    id: row.id,
    version: row.version,
    code: row.code,
    name: row.name,
    description: row.description,
    effectiveFrom: row.effective_from,
    interestMethod: row.interest_method as InterestMethod,
    minimumAmount: kobo(row.minimum_amount),
    maximumAmount: kobo(row.maximum_amount),
    tenors: Object.fromEntries(offers),
    fee: { rate: BigInt(row.fee_rate), fixed: kobo(row.fee_fixed) },
    lateFee: { rate: BigInt(row.late_fee_rate), minimum: kobo(row.late_fee_minimum) },
    graceDays: row.grace_days,
  };
}

function toRow(tx: Tx, product: LoanProduct): Insertable<LoanProducts> {
  const offers = Object.entries(product.tenors).map(([type, offer]) => [type, { ...offer, rate: Number(offer.rate) }]);
  return {
    environment_id: tx.environment.id,
    id: product.id,
    version: product.version,
    code: product.code,
    name: product.name,
    description: product.description,
    effective_from: product.effectiveFrom,
    interest_method: product.interestMethod,
    minimum_amount: product.minimumAmount,
    maximum_amount: product.maximumAmount,
    tenures: JSON.stringify(Object.fromEntries(offers)),
    fee_rate: Number(product.fee.rate),
    fee_fixed: product.fee.fixed,
    late_fee_rate: Number(product.lateFee.rate),
    late_fee_minimum: product.lateFee.minimum,
    grace_days: product.graceDays,
    created_at: tx.environment.clock.now(),
  };
}
