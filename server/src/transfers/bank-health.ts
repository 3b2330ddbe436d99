/**
 * How well each bank takes payouts, by what became of those of the last hour in this environment. A sandbox can put a
 * bank into a condition of its own; that word counts more than the outcomes.
 */
import { type Database, type EnvironmentKind, readEnvironment } from "../platform/database/database.ts";
import { rememberEach } from "../platform/remember.ts";
import { type Bank, listBanks } from "../rails/bank-directory.ts";
import { type BankOutcomes, readBankOutcomes } from "./bank-health-store.ts";

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
