/** Which columns hold sealed personal numbers. */
import type { SealedColumn } from "../platform/secrets/reseal.ts";

/** What a BVN's blind index is made for: the same number has another index elsewhere. */
export const bvnPurpose = "loan_applicants.bvn";

export const sealedBvn = {
  table: "loan_applicants",
  column: "sealed_bvn",
  key: "id",
  index: { column: "bvn_index", purpose: bvnPurpose },
} as const satisfies SealedColumn;

export const sealedNin = { table: "loan_applicants", column: "sealed_nin", key: "id" } as const satisfies SealedColumn;

/** As it was sent with a request. */
export const sealedRequestNin = {
  table: "loan_requests",
  column: "sealed_nin",
  key: "id",
} as const satisfies SealedColumn;

export const loanSealedColumns: readonly SealedColumn[] = [sealedBvn, sealedNin, sealedRequestNin];
