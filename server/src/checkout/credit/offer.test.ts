import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { naira } from "../../../testing/lending/lending.ts";
import type { LoanProduct } from "../../lending/pricing/product.ts";
import { checkoutProduct } from "../../lending/pricing/products.ts";
import { type Kobo, kobo, zeroKobo } from "../../money/kobo.ts";
import type { CreditFacts } from "./decide.ts";
import { isOffered, offerFor } from "./offer.ts";
import { type CreditPolicy, highestLimit, nothingRepaid, startingPolicy, tierOf } from "./policy.ts";

const product: LoanProduct = { ...checkoutProduct, id: "p", version: 1 };
const nothing = { openLoans: 0, overdueLoans: 0, writtenOffLoans: 0, exposure: zeroKobo };
const spotless: CreditFacts = {
  ...nothing,
  ...nothingRepaid,
  kycStatus: "verified",
  age: 30,
  atLender: nothing,
};
const owing = (exposure: Kobo): CreditFacts => ({ ...spotless, exposure, atLender: { ...nothing, exposure } });

const offer = (changes: { product?: Partial<LoanProduct>; policy?: Partial<CreditPolicy> }, facts = spotless) =>
  offerFor({ product: { ...product, ...changes.product }, policy: { ...startingPolicy, ...changes.policy } }, facts);

describe("what a customer can have", () => {
  test("is what policy and product both allow", () => {
    expect(offer({})).toMatchObject({
      eligible: true,
      minAmount: naira("5,000.00"),
      maxAmount: naira("200,000.00"),
      highestAmount: naira("500,000.00"),
    });
  });

  test("ends where the product's largest loan does", () => {
    expect(offer({ product: { maximumAmount: naira("150,000.00") } })).toMatchObject({
      maxAmount: naira("150,000.00"),
      highestAmount: naira("150,000.00"),
    });
  });

  test("begins where the product's smallest loan does, if that is larger than the policy's", () => {
    expect(offer({ product: { minimumAmount: naira("20,000.00") } }).minAmount).toBe(naira("20,000.00"));
    expect(offer({ product: { minimumAmount: naira("1,000.00") } }).minAmount).toBe(naira("5,000.00"));
  });

  test("is nothing when less is left than the product's smallest loan, though the policy's would fit", () => {
    const left = { product: { minimumAmount: naira("20,000.00") } };
    const short = offer(left, owing(naira("180,000.01")));
    expect(short).toMatchObject({ eligible: false, maxAmount: 0n, reasons: [{ code: "exposure_reached" }] });
    expect(offer(left, owing(naira("180,000.00")))).toMatchObject({ eligible: true, maxAmount: naira("20,000.00") });
  });

  test("is nothing when what is left elsewhere is less than the product's smallest loan", () => {
    const atLender = { ...nothing, exposure: naira("190,000.00") };
    const elsewhere = offer({ product: { minimumAmount: naira("20,000.00") } }, { ...spotless, atLender });
    expect(elsewhere).toMatchObject({ eligible: false, reasons: [{ code: "lender_limit_reached" }] });
  });

  test("is nothing while something speaks against a loan, and the months are shown all the same", () => {
    const { eligible, maxAmount, tenors } = offer({}, { ...spotless, kycStatus: "pending" });
    expect([eligible, maxAmount]).toEqual([false, 0n]);
    expect(tenors.map(({ tenor }) => tenor)).toEqual([1, 3, 6, 9, 12]);
  });
});

describe("the months on offer", () => {
  test("are those that policy and product both have, at the product's rate", () => {
    const monthly = { shortest: 3, longest: 9, rate: 30_000n };
    expect(offer({ product: { tenors: { monthly } } }).tenors).toEqual(
      [3, 6, 9].map((tenor) => ({ tenor, rate: 30_000n })),
    );
  });

  test("are none of a product that counts in weeks: that would be a mistake of ours", () => {
    const tenors = { weekly: { shortest: 1, longest: 52, rate: 10_000n } };
    expect(isOffered({ ...product, tenors }, 3)).toBe(false);
    expect(() => offer({ product: { tenors } })).toThrow("offers no monthly tenor");
  });

  test.each([
    [0, false],
    [1, true],
    [12, true],
    [13, false],
    [-1, false],
  ])("%i months: %s", (tenor, offered) => {
    expect(isOffered(product, tenor)).toBe(offered);
  });
});

describe("whatever the policy, the product and the customer are", () => {
  const amount = fc.bigInt({ min: 1n, max: 60_000_000n }).map(kobo);
  const count = fc.nat({ max: 4 });
  const standing = fc.record({
    openLoans: count,
    overdueLoans: fc.nat({ max: 1 }),
    writtenOffLoans: fc.nat({ max: 1 }),
    exposure: amount,
  });
  const anyFacts: fc.Arbitrary<CreditFacts> = fc
    .record({
      own: standing,
      atLender: standing,
      kycStatus: fc.constantFrom("pending", "verified", "failed"),
      age: fc.option(fc.integer({ min: 0, max: 90 })),
      completedLoans: count,
      repaidAmount: amount,
    })
    .map(({ own, ...facts }) => ({ ...own, ...facts }));
  const likelyFacts = fc.oneof(anyFacts, amount.map(owing));
  const rules = fc.record({ policyMinimum: amount, productMinimum: amount, productRoom: amount });
  const made = fc.record({ facts: likelyFacts, rules }).map(({ facts, rules: chosen }) => {
    const policy = { ...startingPolicy, minimumAmount: chosen.policyMinimum };
    const { productMinimum: minimumAmount, productRoom } = chosen;
    const maximumAmount = kobo(minimumAmount + productRoom);
    return { facts, policy, product: { ...product, minimumAmount, maximumAmount } };
  });

  test("an offer can be taken: where somebody may borrow, the smallest loan is not above the largest", () => {
    fc.assert(
      fc.property(made, ({ facts, policy, product: sold }) => {
        // A policy whose minimum is above the product's maximum is never published.
        fc.pre(policy.minimumAmount <= sold.maximumAmount);
        const { eligible, minAmount, maxAmount, highestAmount, reasons } = offerFor({ policy, product: sold }, facts);
        expect(eligible).toBe(reasons.length === 0);
        if (!eligible) {
          expect(maxAmount).toBe(0n);
          return;
        }
        expect(minAmount).toBeLessThanOrEqual(maxAmount);
        expect(maxAmount).toBeLessThanOrEqual(highestAmount);
      }),
      { numRuns: 1_000 },
    );
  });

  test("nobody is offered more than the limit leaves, here or at all merchants", () => {
    fc.assert(
      fc.property(made, ({ facts, policy, product: sold }) => {
        const { maxAmount } = offerFor({ policy, product: sold }, facts);
        const { limit } = tierOf(policy, facts);
        expect(maxAmount === 0n || maxAmount + facts.exposure <= limit).toBe(true);
        expect(maxAmount === 0n || maxAmount + facts.atLender.exposure <= limit).toBe(true);
        expect(maxAmount).toBeLessThanOrEqual(highestLimit(policy));
      }),
      { numRuns: 1_000 },
    );
  });

  test("no limit of the start is above the first one by more than was repaid", () => {
    fc.assert(
      fc.property(likelyFacts, (facts) => {
        const [first, reached] = [tierOf(startingPolicy, nothingRepaid), tierOf(startingPolicy, facts)];
        expect(reached.limit - first.limit).toBeLessThanOrEqual(facts.repaidAmount);
      }),
      { numRuns: 1_000 },
    );
  });

  test("to owe more never raises what is offered", () => {
    fc.assert(
      fc.property(made, amount, ({ facts, policy, product: sold }, more) => {
        const exposure = kobo(facts.exposure + more);
        const before = offerFor({ policy, product: sold }, facts).maxAmount;
        const after = offerFor({ policy, product: sold }, { ...facts, exposure }).maxAmount;
        expect(after).toBeLessThanOrEqual(before);
      }),
      { numRuns: 500 },
    );
  });
});

test("the best customer's limit is the highest of all tiers, wherever it stands", () => {
  const tiers = [10n, 30n, 20n].map((limit, completedLoans) => ({
    completedLoans,
    repaidAmount: zeroKobo,
    limit: kobo(limit),
  }));
  expect(highestLimit({ ...startingPolicy, tiers })).toBe(30n);
  expect(highestLimit({ ...startingPolicy, tiers: [] })).toBe(0n);
});
