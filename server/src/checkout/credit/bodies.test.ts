/** Credit policies as an operator tries, publishes and reads them. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { complaintsOf } from "../../../testing/platform/complaints.ts";
import { kobo } from "../../money/kobo.ts";
import type { CreditOffer } from "./offer.ts";
import type { CreditPolicy } from "./policy.ts";
import {
  policyBody,
  policyData,
  presentPolicy,
  presentPreview,
  previewBody,
  previewData,
  readFigures,
} from "./schemas.ts";

const rules = {
  minimumAge: 18,
  mostOpenLoans: 2,
  minAmount: 5_000,
  tenors: [1, 3, 6],
  tiers: [
    { completedLoans: 0, repaidAmount: 0, limit: 150_000 },
    { completedLoans: 2, repaidAmount: 120_000.25, limit: 300_000.5 },
  ],
  counting: { repaidPercent: 80, daysOut: 28 },
};
const published = { version: 3, effectiveFrom: "2026-12-01T00:00:00.000Z", reason: "Decision of 3 November" };
const person = {
  kycStatus: "verified" as const,
  age: 30,
  completedLoans: 1,
  repaidAmount: 40_000.5,
  openLoans: 1,
  overdueLoans: 0,
  writtenOffLoans: 0,
  exposure: 60_000.25,
};

describe("a policy is published", () => {
  const complaints = complaintsOf(policyBody);
  const body = { ...rules, ...published };
  const fieldsOf = (change: object) => Object.keys(complaints({ ...body, ...change }));

  test("with all of its rules: each one that is missing is named", () => {
    expect(complaints(body)).toEqual({});
    for (const field of Object.keys(body)) {
      const { [field as keyof typeof body]: _, ...rest } = body;
      expect(complaints(rest)).toEqual({ [field]: "is required" });
    }
  });

  test.each([
    ["minimumAge", 18, 100],
    ["mostOpenLoans", 1, 100],
  ])("with a %s of %i to %i, in whole numbers", (field, least, most) => {
    expect(fieldsOf({ [field]: least })).toEqual([]);
    expect(fieldsOf({ [field]: most })).toEqual([]);
    for (const wrong of [least - 1, most + 1, least + 0.5, String(least), null]) {
      expect(fieldsOf({ [field]: wrong })).toEqual([field]);
    }
  });

  test.each([
    ["repaidPercent", 1, 100],
    ["daysOut", 0, 366],
  ])("with a %s of %i to %i for loans that count", (field, least, most) => {
    const counting = (value: unknown) => fieldsOf({ counting: { ...rules.counting, [field]: value } });
    expect(counting(least)).toEqual([]);
    expect(counting(most)).toEqual([]);
    for (const wrong of [least - 1, most + 1, least + 0.5, null])
      expect(counting(wrong)).toEqual([`counting.${field}`]);
  });

  test.each([0, -1, 0.001, 1_000_000_001, "5000"])("not with a smallest loan of %j", (minAmount) => {
    expect(fieldsOf({ minAmount })).toEqual(["minAmount"]);
  });

  test("with at least one tenor and one tier, and a bounded number of them", () => {
    expect(fieldsOf({ tenors: [] })).toEqual(["tenors"]);
    expect(fieldsOf({ tiers: [] })).toEqual(["tiers"]);
    expect(fieldsOf({ tenors: Array.from({ length: 60 }, (_, n) => n + 1) })).toEqual([]);
    expect(fieldsOf({ tenors: Array.from({ length: 61 }, (_, n) => n + 1) })).toEqual(["tenors"]);
    expect(fieldsOf({ tiers: Array(51).fill(rules.tiers[0]) })).toEqual(["tiers"]);
  });

  test("not with a tenor of no month, or of more than ten years", () => {
    for (const tenor of [0, 121, 1.5, "3"]) expect(fieldsOf({ tenors: [tenor] })).toHaveLength(1);
  });

  test("not with a tier that lends nothing, or that asks for fewer than no loans", () => {
    const first = { completedLoans: 0, repaidAmount: 0, limit: 1 };
    expect(fieldsOf({ tiers: [first] })).toEqual([]);
    for (const wrong of [{ limit: 0 }, { completedLoans: -1 }, { repaidAmount: -0.01 }, { repaidAmount: undefined }]) {
      expect(fieldsOf({ tiers: [{ ...first, ...wrong }] })).toHaveLength(1);
    }
  });
});

describe("a policy is tried", () => {
  const complaints = complaintsOf(previewBody);
  const about = (change: object) => complaints({ ...rules, people: [{ ...person, ...change }] });

  test("about one to a hundred people", () => {
    expect(complaints({ ...rules, people: [person] })).toEqual({});
    expect(complaints({ ...rules, people: Array(100).fill(person) })).toEqual({});
    expect(Object.keys(complaints({ ...rules, people: [] }))).toEqual(["people"]);
    expect(Object.keys(complaints({ ...rules, people: Array(101).fill(person) }))).toEqual(["people"]);
    expect(complaints(rules)).toEqual({ people: "is required" });
  });

  test("with a product of another day, if one is named", () => {
    const body = { ...rules, people: [person] };
    expect(complaints({ ...body, effectiveFrom: published.effectiveFrom })).toEqual({});
    expect(Object.keys(complaints({ ...body, effectiveFrom: "soon" }))).toEqual(["effectiveFrom"]);
  });

  test.each([{ age: null }, { age: 0 }, { age: 150 }, { kycStatus: "pending" }, { exposure: 0 }])(
    "with %j",
    (change) => {
      expect(about(change)).toEqual({});
    },
  );

  test.each([
    { age: -1 },
    { age: 151 },
    { age: 17.5 },
    { kycStatus: "approved" },
    { exposure: -0.01 },
    { openLoans: -1 },
  ])("not with %j", (change) => {
    expect(Object.keys(about(change))).toHaveLength(1);
  });
});

describe("the figures of a person are read", () => {
  test("as the same at the lender, unless other ones are sent", () => {
    const own = { openLoans: 1, overdueLoans: 0, writtenOffLoans: 0, exposure: 6_000_025n };
    const rest = { kycStatus: "verified", age: 30, completedLoans: 1, repaidAmount: 4_000_050n };
    expect(readFigures(person)).toEqual({ ...rest, ...own, atLender: own });
  });

  test("with those at the lender beside the own ones", () => {
    const atLender = { openLoans: 3, overdueLoans: 1, writtenOffLoans: 0, exposure: 90_000 };
    const read = readFigures({ ...person, atLender });
    expect(read.atLender).toEqual({ ...atLender, exposure: 9_000_000n });
    expect(read).toMatchObject({ openLoans: 1, overdueLoans: 0, exposure: 6_000_025n });
  });
});

describe("a policy is shown", () => {
  const policy: CreditPolicy = {
    version: 3,
    effectiveFrom: new Date(published.effectiveFrom),
    minimumAge: 18,
    mostOpenLoans: 2,
    minimumAmount: kobo(500_000n),
    tenors: [1, 3, 6],
    tiers: [
      { completedLoans: 0, repaidAmount: kobo(0n), limit: kobo(15_000_000n) },
      { completedLoans: 2, repaidAmount: kobo(12_000_025n), limit: kobo(30_000_050n) },
    ],
    counting: { repaidPercent: 80, daysOut: 28 },
  } as CreditPolicy;

  test.each([true, false])("as it was published, in force: %s", (inForce) => {
    const shown = presentPolicy(policy, inForce);
    expect(shown).toEqual({ ...rules, version: 3, effectiveFrom: published.effectiveFrom, inForce });
    expect(complaintsOf(policyData)(shown)).toEqual({});
  });

  test("with its limits to the kobo, whatever they are", () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt(1n, 100_000_000_000n), { minLength: 1, maxLength: 50 }), (limits) => {
        const tiers = limits.map((limit, completedLoans) => ({
          completedLoans,
          repaidAmount: kobo(limit),
          limit: kobo(limit),
        }));
        const shown = presentPolicy({ ...policy, tiers }, true);
        expect(shown.tiers.map(({ limit }) => BigInt(Math.round(limit * 100)))).toEqual(limits);
        expect(shown.tiers.map(({ repaidAmount }) => BigInt(Math.round(repaidAmount * 100)))).toEqual(limits);
        expect(complaintsOf(policyData)(shown)).toEqual({});
      }),
      { numRuns: 30 },
    );
  });
});

describe("a decision that was tried is shown", () => {
  const offer = {
    eligible: true,
    reasons: [],
    minAmount: kobo(500_000n),
    maxAmount: kobo(14_000_000n),
    tenors: [{ tenor: 3, rate: 25_000n }],
  } as unknown as CreditOffer;
  const facts = readFigures(person);

  test("in naira and percent, as not changed when both policies say the same", () => {
    const shown = presentPreview({ facts, current: offer, proposed: structuredClone(offer) });
    expect(shown.changed).toBe(false);
    expect(shown.current).toEqual({
      eligible: true,
      reasons: [],
      minAmount: 5_000,
      maxAmount: 140_000,
      tenors: [{ tenor: 3, interestPercent: 2.5 }],
    });
    expect(shown.person).toMatchObject({ exposure: 60_000.25, atLender: { exposure: 60_000.25 } });
    expect(complaintsOf(previewData)([shown])).toEqual({});
  });

  test.each([
    ["a kobo less", { maxAmount: kobo(13_999_999n) }],
    ["another rate", { tenors: [{ tenor: 3, rate: 25_001n }] }],
    ["a tenor less", { tenors: [] }],
    ["a refusal", { eligible: false, reasons: [{ code: "underage", message: "Too young." }] }],
  ])("as changed by %s", (_, change) => {
    const proposed = { ...offer, ...change } as CreditOffer;
    expect(presentPreview({ facts, current: offer, proposed }).changed).toBe(true);
  });
});
