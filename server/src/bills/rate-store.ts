/** Rows of rates. */
import { kobo } from "../money/kobo.ts";
import type { Database } from "../platform/database/database.ts";
import type { BillCategory } from "../rails/biller.ts";
import type { Rates } from "./rate.ts";

export async function readRates(db: Database): Promise<Rates> {
  const rows = await db
    .selectFrom("bill_rates")
    .select(["category", "effective_from", "commission_basis_points", "fee"])
    .orderBy("effective_from", "desc")
    .limit(1000)
    .execute();
  return rows.map((row) => ({
    category: row.category as BillCategory,
    effectiveFrom: row.effective_from,
    commissionBasisPoints: BigInt(row.commission_basis_points),
    fee: kobo(row.fee),
  }));
}
