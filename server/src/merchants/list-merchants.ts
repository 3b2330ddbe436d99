import type { Tx } from "../platform/database/database.ts";
import { type PageRequest, type Pagination, readPage } from "../platform/records/pagination.ts";
import { merchantList } from "./create-merchant.ts";
import type { Merchant } from "./merchant.ts";
import { readMerchants } from "./merchant-store.ts";

/** Newest first. */
export function listMerchants(tx: Tx, page: PageRequest): Promise<{ rows: Merchant[]; pagination: Pagination }> {
  return readPage(tx, merchantList, page, (range) => readMerchants(tx, range));
}
