/** Rows of rates. */
import { kobo } from "../../money/kobo.ts";
import type { Database, Tx } from "../../platform/database/database.ts";
import type { BillCategory } from "../../rails/biller.ts";
import type { PublishedRate } from "./rate.ts";

/** The latest date first, and of one date the highest version. */
export async function readRates(db: Database | Tx): Promise<PublishedRate[]> {
  const rows = await db
    .selectFrom("bill_rates")
    .select(["category", "version", "effective_from", "commission_basis_points", "fee", "source"])
    .orderBy("effective_from", "desc")
    .orderBy("version", "desc")
    .limit(1000)
    .execute();
  return rows.map((row) => ({
    category: row.category as BillCategory,
    version: row.version,
    effectiveFrom: row.effective_from,
    commissionBasisPoints: BigInt(row.commission_basis_points),
    fee: kobo(row.fee),
    source: row.source,
  }));
}

/** False when the category has this version already. */
export async function insertRate(tx: Tx, rate: PublishedRate): Promise<boolean> {
  const inserted = await tx
    .insertInto("bill_rates")
    .values({
      category: rate.category,
      version: rate.version,
      effective_from: rate.effectiveFrom,
      commission_basis_points: Number(rate.commissionBasisPoints),
      fee: rate.fee,
      source: rate.source,
    })
    .onConflict((conflict) => conflict.columns(["category", "version"]).doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}
