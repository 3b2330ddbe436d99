/**
 * What a payout costs. The tariff is data with a date; this is the arithmetic on it. `verifyTariffs` in
 * `verify-transfers.ts` does the same in SQL, for all payouts at once: what is added here is added there.
 */
import { add, multiplyRatio } from "../../money/arithmetic.ts";
import { type Kobo, zeroKobo } from "../../money/kobo.ts";

export interface Tariff {
  /** Rising; the last band has no upper end. */
  readonly bands: readonly { readonly upTo: Kobo | null; readonly fee: Kobo }[];
  readonly vatPerMille: bigint;
  readonly stampDuty: Kobo;
  /** The duty is due from this amount on. */
  readonly stampDutyFrom: Kobo;
}

interface DatedTariff extends Tariff {
  readonly effectiveFrom: Date;
}

/** A tariff as an operator has published it. */
export interface PublishedTariff extends DatedTariff {
  readonly version: number;
  readonly source: string;
}

/** The latest date first, and of one date the highest version. */
export type Tariffs = readonly DatedTariff[];

/** The tariff in force at a moment of the environment's time. */
export function tariffAt(tariffs: Tariffs, now: Date): Tariff {
  const tariff = tariffs.find(({ effectiveFrom }) => effectiveFrom <= now) ?? tariffs.at(-1);
  if (tariff === undefined) throw new Error("there is no tariff for transfers");
  return tariff;
}

export interface TransferCharge {
  readonly fee: Kobo;
  readonly vat: Kobo;
  readonly stampDuty: Kobo;
}

export const noCharge: TransferCharge = { fee: zeroKobo, vat: zeroKobo, stampDuty: zeroKobo };

export function chargeFor(tariff: Tariff, amount: Kobo): TransferCharge {
  const band = tariff.bands.find(({ upTo }) => upTo === null || amount <= upTo);
  if (band === undefined) throw new Error("the tariff has no band for this amount");
  return {
    fee: band.fee,
    // The tax office rounds half a kobo up.
    vat: multiplyRatio(band.fee, tariff.vatPerMille, 1000n, "half_up"),
    stampDuty: amount >= tariff.stampDutyFrom ? tariff.stampDuty : zeroKobo,
  };
}

export function totalFee(charge: TransferCharge): Kobo {
  return add(charge.fee, charge.vat, charge.stampDuty);
}

/** What the wallet is debited: the amount and everything on top. */
export function totalDebit(transfer: TransferCharge & { readonly amount: Kobo }): Kobo {
  return add(transfer.amount, totalFee(transfer));
}
