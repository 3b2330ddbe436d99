import type { Tx } from "../platform/database/database.ts";
import { readMerchantName } from "./merchant-store.ts";

/** The name under which customers know the merchant whose environment this is. */
export async function findMerchantName(tx: Tx): Promise<string> {
  const name = await readMerchantName(tx);
  if (name === null) throw new Error(`environment ${tx.environment.id} has no merchant`);
  return name;
}
