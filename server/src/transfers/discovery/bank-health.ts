/**
 * How well each bank takes payouts, by what became of those of the last hour in this environment. A sandbox can put a
 * bank into a condition of its own; that word counts more than the outcomes.
 */

import { sql } from "kysely";
import { type Database, type EnvironmentKind, readEnvironment, type Tx } from "../../platform/database/database.ts";
import { rememberEach } from "../../platform/remember.ts";
import { type Bank, listBanks } from "../../rails/bank-directory.ts";

export const bankStatuses = ["up", "degraded", "down"] as const;
export type BankStatus = (typeof bankStatuses)[number];

export interface BankHealth {
  readonly bank: Bank;
  readonly status: BankStatus;
  /** From 0 to 1; null without a sample. */
  readonly successRate: number | null;
  readonly sampleSize: number;
  readonly medianSeconds: number | null;
  readonly lastCheckedAt: Date;
}

/** Conditions that hold whatever the outcomes say, by NIP code. */
export type ForcedHealth = (environmentId: string) => Promise<ReadonlyMap<string, BankStatus>>;

const keepForMs = 3_000;
/** One refusal says little; from three outcomes on they are believed. */
const leastSample = 3;
const slowSeconds = 30;

export function judge(sampleSize: number, paid: number, medianSeconds: number | null): BankStatus {
  if (sampleSize < leastSample) return "up";
  if (paid * 2 < sampleSize) return "down";
  const slow = medianSeconds !== null && medianSeconds > slowSeconds;
  return slow || paid * 10 < sampleSize * 9 ? "degraded" : "up";
}

export type ReadBankHealth = (environmentId: string, kind: EnvironmentKind) => Promise<BankHealth[]>;

export function createBankHealth(db: Database, forcedHealth: ForcedHealth): ReadBankHealth {
  const outcomesOf = rememberEach(keepForMs, (environmentId) =>
    readEnvironment(db, environmentId, async (tx) => ({
      outcomes: await readBankOutcomes(tx),
      checkedAt: tx.environment.clock.now(),
    })),
  );
  return async (environmentId, kind) => {
    const [{ outcomes, checkedAt }, forced] = await Promise.all([
      outcomesOf(environmentId),
      // A word spoken a moment ago counts at once.
      kind === "SANDBOX" ? forcedHealth(environmentId) : new Map<string, BankStatus>(),
    ]);
    const byCode = new Map(outcomes.map((outcome) => [outcome.bankCode, outcome]));
    return listBanks(kind).map((bank) => healthOf(bank, byCode.get(bank.code), forced.get(bank.nipCode), checkedAt));
  };
}

function healthOf(
  bank: Bank,
  outcomes: BankOutcomes | undefined,
  forced: BankStatus | undefined,
  lastCheckedAt: Date,
): BankHealth {
  const paid = outcomes?.paid ?? 0;
  const sampleSize = paid + (outcomes?.unpaid ?? 0);
  const medianSeconds = outcomes?.medianSeconds ?? null;
  return {
    bank,
    status: forced ?? judge(sampleSize, paid, medianSeconds),
    successRate: sampleSize === 0 ? null : Math.round((paid / sampleSize) * 10_000) / 10_000,
    sampleSize,
    medianSeconds: medianSeconds === null ? null : Math.round(medianSeconds * 1000) / 1000,
    lastCheckedAt,
  };
}

/** What came of the latest payouts to one bank. */
interface BankOutcomes {
  readonly bankCode: string;
  readonly paid: number;
  /** Refused by the bank, or not answered by it for too long. */
  readonly unpaid: number;
  /** Half of those that were paid took no longer than this; null without any. */
  readonly medianSeconds: number | null;
}

/** Above this many outcomes the newest tell enough, and the look stays cheap however busy the environment is. */
const newestOutcomes = 20_000;
const overdueSeconds = 60;

/**
 * Outcomes of the last hour by bank. A payout that never reached the rail because of its account number or name says
 * nothing about the bank; one that the rail has owed an answer about for a minute does.
 */
async function readBankOutcomes(tx: Tx): Promise<BankOutcomes[]> {
  const now = tx.environment.clock.now();
  const since = new Date(now.getTime() - 3_600_000);
  const overdue = new Date(now.getTime() - overdueSeconds * 1000);
  const result = await sql<{ bank_code: string; paid: number; unpaid: number; median: number | null }>`
    with outcomes as (
      (select t.bank_code, t.status <> 'failed' as paid,
         case when t.status <> 'failed' then extract(epoch from t.completed_at - t.sent_at) end as seconds
       from transfers t
       where t.environment_id = ${tx.environment.id} and t.completed_at > ${since}
         and (t.status <> 'failed' or t.failure_code like 'nip%' or t.failure_code = 'bank_unavailable')
       order by t.completed_at desc limit ${newestOutcomes})
      union all
      (select t.bank_code, false, null from transfers t
       where t.environment_id = ${tx.environment.id} and t.status = 'processing' and t.sent_at < ${overdue}
       limit ${newestOutcomes})
    )
    select o.bank_code, count(*) filter (where o.paid)::integer as paid,
      count(*) filter (where not o.paid)::integer as unpaid,
      percentile_disc(0.5) within group (order by o.seconds)::float8 as median
    from outcomes o group by o.bank_code limit 1000`.execute(tx);
  return result.rows.map(({ bank_code: bankCode, paid, unpaid, median }) => ({
    bankCode,
    paid,
    unpaid,
    medianSeconds: median,
  }));
}
