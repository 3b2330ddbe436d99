/** Bills whose outcome the biller owes us, over all environments: what an operator must keep an eye on. */
import { sql } from "kysely";
import { type Kobo, kobo } from "../money/kobo.ts";
import type { Database } from "../platform/database.ts";
import type { EnvironmentKind } from "../rails/registry.ts";

export interface UnknownBill {
  readonly id: string;
  readonly environmentId: string;
  readonly environment: EnvironmentKind;
  readonly reference: string;
  readonly amount: Kobo;
  readonly category: string;
  readonly provider: string;
  readonly catalogueVersion: number;
  readonly queries: number;
  readonly sentAt: Date;
  readonly ageSeconds: number;
}

/** Oldest first. Ages are in each environment's own time. */
export async function listUnknownBills(
  db: Database,
  { olderThanSeconds, limit }: { readonly olderThanSeconds: number; readonly limit: number },
): Promise<UnknownBill[]> {
  const found = await sql<Omit<UnknownBill, "amount"> & { amount: bigint }>`
    select u.id, u.environment_id as "environmentId", u.environment_kind as environment, u.reference, u.amount,
      u.category, u.provider, u.catalogue_version as "catalogueVersion", u.queries, u.sent_at as "sentAt",
      u.age_seconds as "ageSeconds"
    from list_unknown_bills(${olderThanSeconds}, ${limit}) u`.execute(db);
  return found.rows.map((row) => ({ ...row, amount: kobo(row.amount) }));
}
