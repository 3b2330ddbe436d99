import { findEnvironment } from "../merchants/find-environment.ts";
import { type Tx, visitEnvironment } from "../platform/database/database.ts";
import { type PageRequest, type Pagination, readPage } from "../platform/records/pagination.ts";
import type { ApiKey } from "./api-key.ts";
import { keyList } from "./issue-key.ts";
import { readKeys } from "./key-store.ts";

/** All keys of an environment, newest first, the revoked and expired ones too. */
export async function listKeys(
  tx: Tx,
  environmentId: string,
  page: PageRequest,
): Promise<{ rows: ApiKey[]; pagination: Pagination }> {
  const environment = await findEnvironment(tx, environmentId);
  return visitEnvironment(tx, environment.id, (inside) =>
    readPage(inside, keyList, page, (range) => readKeys(inside, range)),
  );
}
