import { sql } from "kysely";
import type { Tx } from "../platform/database/database.ts";

/** The name under which customers know the merchant whose environment this is. */
export async function findMerchantName(tx: Tx): Promise<string> {
  const found = await sql<{ name: string | null }>`select find_merchant_name() as name`.execute(tx);
  const name = found.rows[0]?.name;
  if (name == null) throw new Error(`environment ${tx.environment.id} has no merchant`);
  return name;
}
