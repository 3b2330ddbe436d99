/** Payouts whose outcome the bank owes us. */
import { sql } from "kysely";
import { kobo } from "../money/kobo.ts";
import type { Database, EnvironmentKind } from "../platform/database/database.ts";
import type { Logger } from "../platform/logger.ts";
import type { GaugeSource } from "../platform/metrics.ts";
import { bankName } from "../rails/bank-directory.ts";
import { reportUnknowns, type UnknownKind, type UnknownSource, unknownsGauge } from "../rails/unknown-outcomes.ts";

const kind: UnknownKind = { gauge: "jara_unknown_transfers", noun: "payouts", lookup: "list_unknown_transfers" };

interface UnknownRow {
  readonly environment_id: string;
  readonly environment_kind: EnvironmentKind;
  readonly id: string;
  readonly reference: string;
  readonly amount: bigint;
  readonly bank_code: string;
  readonly session_id: string;
  readonly queries: number;
  readonly sent_at: Date;
  readonly age_seconds: number;
}

export function unknownTransfers(db: Database): UnknownSource {
  return async ({ olderThanSeconds, limit }) => {
    const found = await sql<UnknownRow>`
      select * from list_unknown_transfers(${olderThanSeconds}, ${limit})`.execute(db);
    return found.rows.map((row) => ({
      type: "transfer",
      id: row.id,
      environmentId: row.environment_id,
      environment: row.environment_kind,
      reference: row.reference,
      amount: kobo(row.amount),
      queries: row.queries,
      sentAt: row.sent_at,
      ageSeconds: row.age_seconds,
      detail: { bankCode: row.bank_code, bankName: bankName(row.bank_code), sessionId: row.session_id },
    }));
  };
}

export function unknownTransfersGauge(db: Database): GaugeSource {
  return unknownsGauge(db, kind);
}

export function reportUnknownTransfers(db: Database, log: Logger): Promise<void> {
  return reportUnknowns(db, log, kind);
}
