/** Charges and refunds whose outcome the card network owes us. */
import { sql } from "kysely";
import { kobo } from "../../money/kobo.ts";
import type { Database, EnvironmentKind } from "../../platform/database/database.ts";
import type { Logger } from "../../platform/logger.ts";
import type { GaugeSource } from "../../platform/metrics.ts";
import { reportUnknowns, type UnknownKind, type UnknownSource, unknownsGauge } from "../../rails/unknown-outcomes.ts";

const kinds = {
  card_charge: { gauge: "jara_unknown_card_charges", noun: "card charges", lookup: "list_unknown_charges" },
  card_refund: { gauge: "jara_unknown_card_refunds", noun: "card refunds", lookup: "list_unknown_card_refunds" },
} as const satisfies Record<string, UnknownKind>;

const types = ["card_charge", "card_refund"] as const satisfies readonly (keyof typeof kinds)[];

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

export function unknownCardOutcomes(db: Database): UnknownSource[] {
  return types.map((type) => async ({ olderThanSeconds, limit }) => {
    const found = await sql<UnknownRow>`
      select * from ${sql.raw(kinds[type].lookup)}(${olderThanSeconds}, ${limit})`.execute(db);
    return found.rows.map((row) => ({
      type,
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
  });
}

export function unknownCardGauges(db: Database): GaugeSource[] {
  return types.map((type) => unknownsGauge(db, kinds[type]));
}

export async function reportUnknownCardOutcomes(db: Database, log: Logger): Promise<void> {
  for (const type of types) await reportUnknowns(db, log, kinds[type]);
}
