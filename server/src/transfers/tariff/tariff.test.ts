import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Kobo, kobo } from "../../money/kobo.ts";
import { canMove, costOf, type TransferStatus, transferTransitions } from "../payouts/transfer.ts";
import { chargeFor, noCharge, type Tariff, tariffAt, totalDebit, totalFee } from "./tariff.ts";

/** As the central bank has them. */
const tariff: Tariff = {
  bands: [
    { upTo: kobo(500_000n), fee: kobo(1_000n) },
    { upTo: kobo(5_000_000n), fee: kobo(2_500n) },
    { upTo: null, fee: kobo(5_000n) },
  ],
  vatPerMille: 75n,
  stampDuty: kobo(5_000n),
  stampDutyFrom: kobo(1_000_000n),
};

describe("what a payout costs", () => {
  test.each([
    [10_000n, 1_000n, 75n, 0n],
    [500_000n, 1_000n, 75n, 0n],
    [500_001n, 2_500n, 188n, 0n],
    [999_999n, 2_500n, 188n, 0n],
    [1_000_000n, 2_500n, 188n, 5_000n],
    [5_000_000n, 2_500n, 188n, 5_000n],
    [5_000_001n, 5_000n, 375n, 5_000n],
    [1_000_000_000n, 5_000n, 375n, 5_000n],
  ])("of %s kobo is a fee of %s, VAT of %s and duty of %s", (amount, fee, vat, stampDuty) => {
    const charge = chargeFor(tariff, kobo(amount));
    expect(charge).toEqual({ fee, vat, stampDuty });
    expect(totalFee(charge)).toBe(fee + vat + stampDuty);
    expect(totalDebit({ ...charge, amount: kobo(amount) })).toBe(amount + fee + vat + stampDuty);
  });

  test.each([
    [1_000n, 75n, 75n],
    [2_500n, 75n, 188n],
    [1_006n, 75n, 75n],
    [1_007n, 75n, 76n],
    [1_000n, 0n, 0n],
    [1n, 500n, 1n],
    [1n, 499n, 0n],
  ])("rounds the VAT on %s kobo at %s per mille half up, to %s", (fee, vatPerMille, vat) => {
    const flat = { ...tariff, vatPerMille, bands: [{ upTo: null, fee: kobo(fee) }] };
    expect(chargeFor(flat, kobo(10_000n)).vat).toBe(vat);
  });

  test("cannot be said where the bands end: that is a fault of the data", () => {
    const short = { ...tariff, bands: tariff.bands.slice(0, 1) };
    expect(chargeFor(short, kobo(500_000n)).fee).toBe(1_000n);
    expect(() => chargeFor(short, kobo(500_001n))).toThrow("no band");
    expect(() => chargeFor({ ...tariff, bands: [] }, kobo(1n))).toThrow("no band");
  });

  test("never falls when the amount rises, as long as the bands rise", () => {
    const amount = fc.bigInt({ min: 1n, max: 1_000_000_000n }).map(kobo);
    fc.assert(
      fc.property(amount, amount, (one, other) => {
        const [less, more] = one < other ? [one, other] : [other, one];
        expect(totalFee(chargeFor(tariff, less))).toBeLessThanOrEqual(totalFee(chargeFor(tariff, more)));
      }),
    );
  });
});

describe("the tariff in force", () => {
  const dated = (day: string, fee: bigint) => ({
    ...tariff,
    bands: [{ upTo: null, fee: kobo(fee) }],
    effectiveFrom: new Date(`${day}T00:00:00.000Z`),
  });
  // The latest date first, and of one date the highest version, as the store reads them.
  const tariffs = [dated("2027-01-01", 4n), dated("2026-06-01", 3n), dated("2026-06-01", 2n), dated("2020-01-01", 1n)];
  const feeAt = (moment: string): Kobo => chargeFor(tariffAt(tariffs, new Date(moment)), kobo(1n)).fee;

  test.each([
    ["2020-01-01T00:00:00.000Z", 1n],
    ["2026-05-31T23:59:59.999Z", 1n],
    ["2026-06-01T00:00:00.000Z", 3n],
    ["2026-12-31T23:59:59.999Z", 3n],
    ["2027-01-01T00:00:00.000Z", 4n],
    // Before all of them the oldest holds: a sandbox's clock may be set back.
    ["1999-01-01T00:00:00.000Z", 1n],
  ])("at %s is the one with a fee of %s", (moment, fee) => {
    expect(feeAt(moment)).toBe(fee);
  });

  test("must be there", () => {
    expect(() => tariffAt([], new Date())).toThrow("there is no tariff");
  });
});

describe("what a payout costs as things stand", () => {
  const paid = { ...chargeFor(tariff, kobo(1_000_000n)), amount: kobo(1_000_000n) };

  test.each<[TransferStatus, bigint]>([
    ["pending", 1_007_688n],
    ["processing", 1_007_688n],
    ["completed", 1_007_688n],
    ["failed", 0n],
    ["reversed", 0n],
  ])("while it is %s is %s kobo", (status, debit) => {
    const cost = costOf({ ...paid, status });
    expect(cost.totalDebit).toBe(debit);
    expect(totalFee(cost)).toBe(debit === 0n ? 0n : 7_688n);
    if (debit === 0n) expect(cost).toMatchObject(noCharge);
  });
});

test("money that went back cannot go back again, and nothing leaves an end", () => {
  expect(canMove("reversed", "completed")).toBe(false);
  expect(canMove("failed", "reversed")).toBe(false);
  expect(canMove("failed", "processing")).toBe(false);
  expect(canMove("completed", "failed")).toBe(false);
  expect(canMove("pending", "completed")).toBe(false);
  expect(transferTransitions.reversed).toEqual([]);
});
