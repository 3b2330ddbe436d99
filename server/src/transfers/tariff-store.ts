/** Rows of tariffs. In JSON an amount is a whole number of kobo. */
import { type Kobo, kobo } from "../money/kobo.ts";
import type { Database } from "../platform/database/database.ts";
import type { Tariffs } from "./tariff.ts";

interface Band {
  readonly up_to: number | null;
  readonly fee: number;
}

export async function readTariffs(db: Database): Promise<Tariffs> {
  const rows = await db
    .selectFrom("transfer_tariffs")
    .select(["effective_from", "bands", "vat_per_mille", "stamp_duty", "stamp_duty_from"])
    .orderBy("effective_from", "desc")
    .limit(1000)
    .execute();
  return rows.map((row) => ({
    effectiveFrom: row.effective_from,
    bands: (row.bands as Band[]).map(({ up_to, fee }) => ({ upTo: toKobo(up_to), fee: kobo(BigInt(fee)) })),
    vatPerMille: BigInt(row.vat_per_mille),
    stampDuty: kobo(row.stamp_duty),
    stampDutyFrom: kobo(row.stamp_duty_from),
  }));
}

function toKobo(value: number | null): Kobo | null {
  return value === null ? null : kobo(BigInt(value));
}
