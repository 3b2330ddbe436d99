/** The tariffs of all times, read once a minute at most: the one in force is chosen by the environment's time. */
import { type Kobo, kobo } from "../money/kobo.ts";
import type { Database } from "../platform/database/database.ts";
import { rememberFor } from "../platform/remember.ts";
import type { Tariff } from "./tariff.ts";

export interface DatedTariff extends Tariff {
  readonly effectiveFrom: Date;
}

/** Newest first. */
export type Tariffs = readonly DatedTariff[];

const keepForMs = 60_000;

export function rememberTariffs(db: Database): () => Promise<Tariffs> {
  return rememberFor(keepForMs, () => readTariffs(db));
}

export function tariffAt(tariffs: Tariffs, now: Date): Tariff {
  const tariff = tariffs.find(({ effectiveFrom }) => effectiveFrom <= now) ?? tariffs.at(-1);
  if (tariff === undefined) throw new Error("there is no tariff for transfers");
  return tariff;
}

interface Band {
  readonly up_to: number | null;
  readonly fee: number;
}

async function readTariffs(db: Database): Promise<Tariffs> {
  const rows = await db
    .selectFrom("transfer_tariffs")
    .select(["effective_from", "bands", "vat_per_mille", "stamp_duty", "stamp_duty_from"])
    .orderBy("effective_from", "desc")
    .limit(1000)
    .execute();
  return rows.map((row) => ({
    effectiveFrom: row.effective_from,
    bands: (row.bands as unknown as Band[]).map(({ up_to, fee }) => ({ upTo: toKobo(up_to), fee: kobo(BigInt(fee)) })),
    vatPerMille: BigInt(row.vat_per_mille),
    stampDuty: kobo(row.stamp_duty),
    stampDutyFrom: kobo(row.stamp_duty_from),
  }));
}

function toKobo(value: number | null): Kobo | null {
  return value === null ? null : kobo(BigInt(value));
}
