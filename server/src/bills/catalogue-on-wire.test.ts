/** A catalogue as an operator writes it, reads it again, and what about it cannot be. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createTestDatabase } from "../../testing/database.ts";
import { complaintsOf } from "../../testing/platform/complaints.ts";
import { kobo } from "../money/kobo.ts";
import { inEnvironment, operatorScope } from "../platform/database/database.ts";
import { type Catalogue, categoryFacts, contentOf, providerCode } from "./catalogue/catalogue.ts";
import { countProducts, loadCatalogue } from "./catalogue/load-catalogue.ts";
import { catalogueBody, catalogueData, presentCatalogue, readContent } from "./catalogue-schemas.ts";

const body = {
  source: "Price lists",
  sourceDate: "2026-11-01",
  networks: [{ code: "MTN", name: "MTN", prefixes: ["0803", "0703"], minAmount: 50, maxAmount: 50_000 }],
  dataPlans: [
    { planCode: "mtn-1gb-7d", network: "MTN", name: "MTN 1GB", size: "1GB", validityDays: 7, amount: 800.05 },
    { planCode: "mtn-2gb", network: "MTN", name: "MTN 2GB", size: "2GB", validityDays: null, amount: 1_500 },
  ],
  electricityProviders: [
    {
      code: "ikeja-electric",
      name: "Ikeja Electric",
      shortName: "IKEDC",
      meterTypes: ["prepaid" as const, "postpaid" as const],
      minAmount: 1_000,
      maxAmount: 500_000,
    },
  ],
  tvProviders: [{ code: "dstv", name: "DStv", smartCardDigits: 10 }],
  tvPackages: [{ provider: "dstv", packageCode: "dstv-compact", name: "DStv Compact", amount: 19_000, months: 1 }],
  bettingProviders: [{ code: "bet9ja", name: "Bet9ja", minAmount: 100, maxAmount: 1_000_000 }],
};
const complaints = complaintsOf(catalogueBody);
const catalogue: Catalogue = { version: 4, source: body.source, sourceDate: body.sourceDate, ...readContent(body) };

describe("a catalogue on the wire", () => {
  test("is read in kobo and shown in naira, as it was written", () => {
    expect(complaints(body)).toEqual({});
    expect(catalogue.dataPlans[0]?.amount).toBe(kobo(80_005n));
    expect(catalogue.networks[0]).toMatchObject({ minAmount: kobo(5_000n), maxAmount: kobo(5_000_000n) });
    expect(presentCatalogue(catalogue)).toEqual({ version: 4, ...body });
    expect(complaintsOf(catalogueData)(presentCatalogue(catalogue))).toEqual({});
  });

  test("leaves unknown fields behind, so that nobody finds them in the database", () => {
    const [network, ...others] = body.networks;
    const noisy = { ...body, networks: [{ ...network, secret: "s" }, ...others] } as typeof body;
    expect(readContent(noisy)).toEqual(contentOf(catalogue));
  });

  test("keeps the price of every plan to the kobo", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000_000 }), (price) => {
        const [plan] = body.dataPlans;
        if (plan === undefined) throw new Error("there is a plan");
        const read = readContent({ ...body, dataPlans: [{ ...plan, amount: price / 100 }] });
        expect(read.dataPlans[0]?.amount).toBe(BigInt(price));
      }),
    );
  });

  test.each([
    ["a network in small letters", { networks: [{ ...body.networks[0], code: "mtn" }] }, "networks[0].code"],
    [
      "a prefix of another length",
      { networks: [{ ...body.networks[0], prefixes: ["803"] }] },
      "networks[0].prefixes[0]",
    ],
    [
      "a prefix without a nought",
      { networks: [{ ...body.networks[0], prefixes: ["8031"] }] },
      "networks[0].prefixes[0]",
    ],
    ["a plan in capitals", { dataPlans: [{ ...body.dataPlans[0], planCode: "MTN-1GB" }] }, "dataPlans[0].planCode"],
    [
      "a plan that begins with a dash",
      { dataPlans: [{ ...body.dataPlans[0], planCode: "-1gb" }] },
      "dataPlans[0].planCode",
    ],
    ["a free plan", { dataPlans: [{ ...body.dataPlans[0], amount: 0 }] }, "dataPlans[0].amount"],
    ["a plan for no time", { dataPlans: [{ ...body.dataPlans[0], validityDays: 0 }] }, "dataPlans[0].validityDays"],
    [
      "a meter of another kind",
      { electricityProviders: [{ ...body.electricityProviders[0], meterTypes: ["solar"] }] },
      "electricityProviders[0].meterTypes[0]",
    ],
    [
      "a company without meters",
      { electricityProviders: [{ ...body.electricityProviders[0], meterTypes: [] }] },
      "electricityProviders[0].meterTypes",
    ],
    [
      "a card of seven digits",
      { tvProviders: [{ ...body.tvProviders[0], smartCardDigits: 7 }] },
      "tvProviders[0].smartCardDigits",
    ],
    [
      "a card of fifteen digits",
      { tvProviders: [{ ...body.tvProviders[0], smartCardDigits: 15 }] },
      "tvProviders[0].smartCardDigits",
    ],
    ["a package of half a month", { tvPackages: [{ ...body.tvPackages[0], months: 0.5 }] }, "tvPackages[0].months"],
    ["no bookmaker", { bettingProviders: [] }, "bettingProviders"],
    ["no source", { source: " " }, "source"],
    ["a date that is none", { sourceDate: "2026-02-30" }, "sourceDate"],
  ])("is not taken with %s", (_, change, field) => {
    expect(Object.keys(complaints({ ...body, ...change }))).toEqual([field]);
  });
});

describe("what a schema cannot see", async () => {
  const { db } = await createTestDatabase();
  const load = (change: Partial<Catalogue>) => {
    const content = contentOf({ ...catalogue, ...change });
    return inEnvironment(db, operatorScope, (tx) =>
      loadCatalogue(tx, { source: "s", sourceDate: "2026-11-01", content }),
    );
  };
  const twice = <T>(items: readonly T[]) => [...items, ...items];
  const inverted = { minAmount: kobo(2n), maxAmount: kobo(1n) };

  test.each<[Partial<Catalogue>, string[]]>([
    [{ networks: twice(catalogue.networks) }, ["networks[1].code"]],
    [{ dataPlans: twice(catalogue.dataPlans) }, ["dataPlans[2].planCode", "dataPlans[3].planCode"]],
    [{ electricityProviders: twice(catalogue.electricityProviders) }, ["electricityProviders[1].code"]],
    [{ tvProviders: twice(catalogue.tvProviders) }, ["tvProviders[1].code"]],
    [{ tvPackages: twice(catalogue.tvPackages) }, ["tvPackages[1].packageCode"]],
    [{ bettingProviders: twice(catalogue.bettingProviders) }, ["bettingProviders[1].code"]],
    [{ networks: [] }, ["dataPlans[0].network", "dataPlans[1].network"]],
    [{ tvProviders: [] }, ["tvPackages[0].provider"]],
    [{ networks: catalogue.networks.map((one) => ({ ...one, ...inverted })) }, ["networks[0].maxAmount"]],
    [
      { bettingProviders: catalogue.bettingProviders.map((one) => ({ ...one, ...inverted })) },
      ["bettingProviders[0].maxAmount"],
    ],
  ])("is refused with its place: case %#", async (change, fields) => {
    const refusal = await load(change).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "validation_failed", errors: fields.map((field) => ({ field })) });
  });

  test("may be equal bounds, a price that is fixed; and versions follow each other", async () => {
    const fixed = { minAmount: kobo(100n), maxAmount: kobo(100n) };
    const first = await load({ networks: catalogue.networks.map((one) => ({ ...one, ...fixed })) });
    expect(await load({})).toBe(first + 1);
  });
});

test("the audit trail counts the products of each list", () => {
  expect(countProducts(catalogue)).toEqual({
    networks: 1,
    dataPlans: 2,
    electricityProviders: 1,
    tvProviders: 1,
    tvPackages: 1,
    bettingProviders: 1,
  });
});

test.each([
  ["airtime", "mtn", "MTN"],
  ["data", "Glo", "GLO"],
  ["electricity", "Ikeja-Electric", "ikeja-electric"],
  ["tv", "DStv", "dstv"],
  ["betting", "Bet9ja", "bet9ja"],
] as const)("a provider of %s that was typed %s is %s", (category, typed, code) => {
  expect(providerCode(category, typed)).toBe(code);
});

test("customers who cannot be asked back for money are validated first, and no others", () => {
  const validated = Object.entries(categoryFacts).filter(([, { requiresValidation }]) => requiresValidation);
  expect(validated.map(([category]) => category)).toEqual(["tv", "betting"]);
});
