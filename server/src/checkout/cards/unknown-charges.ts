/** Charges whose outcome the card network owes us. */
import { sql } from "kysely";
import { kobo } from "../../money/kobo.ts";
import type { Database } from "../../platform/database.ts";
import type { Logger } from "../../platform/logger.ts";
import type { GaugeSource } from "../../platform/metrics.ts";
import type { EnvironmentKind } from "../../rails/registry.ts";
import { reportUnknowns, type UnknownKind, type UnknownSource, unknownsGauge } from "../../rails/unknown-outcomes.ts";

const kind: UnknownKind = {
  gauge: "jara_unknown_card_charges",
  noun: "card charges",
  lookup: "list_unknown_charges",
};

interface UnknownRow {
  readonly environment_id: string;
  readonly environment_kind: EnvironmentKind;
  readonly id: string;
  readonly reference: string;
  readonly amount: bigint;
  readonly loan_id: string;
  readonly queries: number;
  readonly sent_at: Date;
  readonly age_seconds: number;
}

export function unknownCharges(db: Database): UnknownSource {
  return async ({ olderThanSeconds, limit }) => {
    const found = await sql<UnknownRow>`select * from list_unknown_charges(${olderThanSeconds}, ${limit})`.execute(db);
    return found.rows.map((row) => ({
      type: "card_charge",
      id: row.id,
      environmentId: row.environment_id,
      environment: row.environment_kind,
      reference: row.reference,
      amount: kobo(row.amount),
      queries: row.queries,
      sentAt: row.sent_at,
      ageSeconds: row.age_seconds,
      detail: { loanId: row.loan_id },
    }));
  };
}

export function unknownChargesGauge(db: Database): GaugeSource {
  return unknownsGauge(db, kind);
}

export function reportUnknownCharges(db: Database, log: Logger): Promise<void> {
  return reportUnknowns(db, log, kind);
}
