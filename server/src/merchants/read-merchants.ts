import type { Tx } from "../platform/database/database.ts";
import { type PageRequest, type Pagination, readPage } from "../platform/records/pagination.ts";
import { merchantList } from "./create-merchant.ts";
import type { Merchant } from "./merchant.ts";
import { readMerchantName, readMerchants, readNamedMerchant } from "./merchant-store.ts";

/** Newest first. */
export function listMerchants(tx: Tx, page: PageRequest): Promise<{ rows: Merchant[]; pagination: Pagination }> {
  return readPage(tx, merchantList, page, (range) => readMerchants(tx, range));
}

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
