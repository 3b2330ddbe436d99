/** The worker's rounds over waiting bills, of all environments. What a killed worker held is asked about, not vended. */
import { sql } from "kysely";
import { type ClaimRounds, createClaimRounds } from "../platform/claim-rounds.ts";
import { retryTransient } from "../platform/retry-transient.ts";
import type { EnvironmentKind } from "../rails/registry.ts";
import { type SendDependencies, sendFresh, takeUp } from "./send-bill.ts";

const leaseSeconds = 120;

interface ClaimedRow {
  readonly environment_id: string;
  readonly environment_kind: EnvironmentKind;
  readonly id: string;
  readonly provider: string;
  readonly fresh: boolean;
}

export function createBillSender(deps: SendDependencies): ClaimRounds {
  return createClaimRounds<ClaimedRow>({
    claim: (atMost, busy) => claim(deps, atMost, busy),
    counterpartyOf: (row) => row.provider,
    advance: (row) => advance(deps, row),
  });
}

async function advance(deps: SendDependencies, row: ClaimedRow): Promise<void> {
  const key = { environmentId: row.environment_id, environment: row.environment_kind, id: row.id };
  try {
    await (row.fresh ? sendFresh(deps, key) : takeUp(deps, key));
  } catch (error) {
    deps.log.error({ err: error, billId: row.id }, "a bill could not be taken further");
  }
}

async function claim({ db }: SendDependencies, atMost: number, busy: readonly string[]) {
  const claimed = await retryTransient(() =>
    sql<ClaimedRow>`select * from claim_bills(${atMost}, ${leaseSeconds}, ${busy}::text[])`.execute(db),
  );
  return claimed.rows;
}
