/** Which columns of customers hold sealed bytes. */
import type { SealedColumn } from "../../platform/secrets/reseal.ts";

/** What a BVN's blind index is made for: the same number has another index elsewhere. */
export const bvnPurpose = "customers.bvn";

export const sealedBvn = {
  table: "customers",
  column: "sealed_bvn",
  key: "id",
  index: { column: "bvn_index", purpose: bvnPurpose },
} as const satisfies SealedColumn;

export const ninPurpose = "customers.nin";

export const sealedNin = {
  table: "customers",
  column: "sealed_nin",
  key: "id",
  index: { column: "nin_index", purpose: ninPurpose },
} as const satisfies SealedColumn;

export const customerSealedColumns: readonly SealedColumn[] = [sealedBvn, sealedNin];
