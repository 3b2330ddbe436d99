/** Rows of tariffs. In JSON an amount is a whole number of kobo. */
import { type Kobo, kobo } from "../../money/kobo.ts";
import type { Database, Tx } from "../../platform/database/database.ts";
import type { PublishedTariff } from "./tariff.ts";

interface Band {
  readonly up_to: number | null;
  readonly fee: number;
}

/** The latest date first, and of one date the highest version. */
export async function readTariffs(db: Database | Tx): Promise<PublishedTariff[]> {
  const rows = await db
    .selectFrom("transfer_tariffs")
    .select(["version", "effective_from", "bands", "vat_per_mille", "stamp_duty", "stamp_duty_from", "source"])
    .orderBy("effective_from", "desc")
    .orderBy("version", "desc")
    .limit(1000)
    .execute();
  return rows.map((row) => ({
    version: row.version,
    effectiveFrom: row.effective_from,
    bands: (row.bands as unknown as Band[]).map(({ up_to, fee }) => ({ upTo: toKobo(up_to), fee: kobo(BigInt(fee)) })),
    vatPerMille: BigInt(row.vat_per_mille),
    stampDuty: kobo(row.stamp_duty),
    stampDutyFrom: kobo(row.stamp_duty_from),
    source: row.source,
  }));
}

/** False when this version is there already. */
export async function insertTariff(tx: Tx, tariff: PublishedTariff): Promise<boolean> {
  const bands = tariff.bands.map(({ upTo, fee }): Band => ({ up_to: toNumber(upTo), fee: Number(fee) }));
  const inserted = await tx
    .insertInto("transfer_tariffs")
    .values({
      version: tariff.version,
      effective_from: tariff.effectiveFrom,
      bands: JSON.stringify(bands),
      vat_per_mille: Number(tariff.vatPerMille),
      stamp_duty: tariff.stampDuty,
      stamp_duty_from: tariff.stampDutyFrom,
      source: tariff.source,
    })
    .onConflict((conflict) => conflict.column("version").doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

function toKobo(value: number | null): Kobo | null {
  return value === null ? null : kobo(BigInt(value));
}

function toNumber(value: Kobo | null): number | null {
  return value === null ? null : Number(value);
}
