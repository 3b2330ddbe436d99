/** What a caller asks of the list of transfers, read from the query string. */
import type { EnvironmentKind } from "../platform/database/database.ts";
import { readNaira } from "../platform/http/wire.ts";
import { commonProblem } from "../platform/problem.ts";
import { parseSpan } from "../platform/time/time-span.ts";
import type { TransferQuestion } from "./list-transfers.ts";
import { requireBank } from "./payout-rules.ts";
import type { ListTransfersQuery } from "./schemas.ts";
import type { TransferStatus } from "./transfer.ts";

/** Throws unknown_bank, and validation_failed when two bounds contradict each other. */
export function readQuestion(query: ListTransfersQuery, kind: EnvironmentKind): TransferQuestion {
  const minAmount = query.minAmount === undefined ? null : readNaira(query.minAmount);
  const maxAmount = query.maxAmount === undefined ? null : readNaira(query.maxAmount);
  if (minAmount !== null && maxAmount !== null && maxAmount < minAmount) {
    const errors = [{ field: "maxAmount", message: "must not be less than minAmount" }];
    throw commonProblem("validation_failed", { errors });
  }
  return {
    reference: query.reference ?? null,
    // The schema lets nothing else through.
    statuses: query.status === undefined ? null : (query.status.split(",") as TransferStatus[]),
    bankCode: query.bankCode === undefined ? null : requireBank(query.bankCode, kind).code,
    minAmount,
    maxAmount,
    ...parseSpan(query),
  };
}
