import type { Tx } from "../platform/database/database.ts";
import { readMerchantName, readNamedMerchant } from "./merchant-store.ts";

/** The name under which customers know the merchant whose environment this is. */
export async function findMerchantName(tx: Tx): Promise<string> {
  const name = await readMerchantName(tx);
  if (name === null) throw new Error(`environment ${tx.environment.id} has no merchant`);
  return name;
}

/** A merchant whose whole name stands in a text, as it is written. In the operator's scope. */
export function findNamedMerchant(tx: Tx, text: string): Promise<string | undefined> {
  return readNamedMerchant(tx, text);
}
