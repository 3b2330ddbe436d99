/** Bills whose outcome the biller owes us. */
import { sql } from "kysely";
import { kobo } from "../money/kobo.ts";
import type { Database, EnvironmentKind } from "../platform/database/database.ts";
import type { Logger } from "../platform/logger.ts";
import type { GaugeSource } from "../platform/metrics.ts";
import { reportUnknowns, type UnknownKind, type UnknownSource, unknownsGauge } from "../rails/unknown-outcomes.ts";

const kind: UnknownKind = { gauge: "jara_unknown_bills", noun: "bills", lookup: "list_unknown_bills" };

interface UnknownRow {
  readonly environment_id: string;
  readonly environment_kind: EnvironmentKind;
  readonly id: string;
  readonly reference: string;
  readonly amount: bigint;
  readonly category: string;
  readonly provider: string;
  readonly catalogue_version: number;
  readonly queries: number;
  readonly sent_at: Date;
  readonly age_seconds: number;
}

export function unknownBills(db: Database): UnknownSource {
  return async ({ olderThanSeconds, limit }) => {
    const found = await sql<UnknownRow>`select * from list_unknown_bills(${olderThanSeconds}, ${limit})`.execute(db);
    return found.rows.map((row) => ({
      type: "bill",
      id: row.id,
      environmentId: row.environment_id,
      environment: row.environment_kind,
      reference: row.reference,
      amount: kobo(row.amount),
      queries: row.queries,
      sentAt: row.sent_at,
      ageSeconds: row.age_seconds,
      detail: { category: row.category, provider: row.provider, catalogueVersion: row.catalogue_version },
    }));
  };
}

export function unknownBillsGauge(db: Database): GaugeSource {
  return unknownsGauge(db, kind);
}

export function reportUnknownBills(db: Database, log: Logger): Promise<void> {
  return reportUnknowns(db, log, kind);
}
