import { type Static, Type } from "typebox";
import { nairaNumber } from "../money/kobo.ts";
import { named } from "../platform/http/named-schema.ts";
import { Nullable, readNaira } from "../platform/http/wire.ts";
import { meterTypes } from "../rails/biller.ts";
import type { Catalogue, CatalogueContent } from "./catalogue/catalogue.ts";
import { MeterTypeWord } from "./vending/fields.ts";

const name = (example: string) => Type.String({ minLength: 1, maxLength: 100, examples: [example] });
const lowerCode = (example: string) => Type.String({ pattern: "^[a-z0-9][a-z0-9._-]{0,59}$", examples: [example] });
const networkCode = Type.String({ pattern: "^[A-Z0-9]{1,40}$", examples: ["MTN"] });
const price = Type.Number({ format: "naira", exclusiveMinimum: 0, maximum: 100_000_000, examples: [800] });
const bounds = { minAmount: { ...price, examples: [50] }, maxAmount: { ...price, examples: [50_000] } };
const atMost = { minItems: 1, maxItems: 5_000 };

const fields = {
  source: Type.String({
    minLength: 1,
    maxLength: 500,
    pattern: "\\S",
    description: "Where the figures come from.",
    examples: ["Price lists of the providers"],
  }),
  sourceDate: Type.String({ format: "date", description: "The date from which they apply.", examples: ["2026-11-01"] }),
  networks: Type.Array(
    Type.Object({
      code: networkCode,
      name: name("MTN"),
      prefixes: Type.Array(Type.String({ pattern: "^0[0-9]{3}$", examples: ["0803"] }), { maxItems: 200 }),
      ...bounds,
    }),
    atMost,
  ),
  dataPlans: Type.Array(
    Type.Object({
      planCode: lowerCode("mtn-1gb-7d"),
      network: networkCode,
      name: name("MTN 1GB for 7 days"),
      size: name("1GB"),
      validityDays: Nullable(Type.Integer({ minimum: 1, maximum: 3_660, examples: [7] })),
      amount: price,
    }),
    atMost,
  ),
  electricityProviders: Type.Array(
    Type.Object({
      code: lowerCode("ikeja-electric"),
      name: name("Ikeja Electric"),
      shortName: name("IKEDC"),
      meterTypes: Type.Array(MeterTypeWord, { minItems: 1, maxItems: meterTypes.length }),
      ...bounds,
    }),
    atMost,
  ),
  tvProviders: Type.Array(
    Type.Object({
      code: lowerCode("dstv"),
      name: name("DStv"),
      smartCardDigits: Type.Integer({ minimum: 8, maximum: 14, examples: [10] }),
    }),
    atMost,
  ),
  tvPackages: Type.Array(
    Type.Object({
      provider: lowerCode("dstv"),
      packageCode: lowerCode("dstv-compact"),
      name: name("DStv Compact"),
      amount: { ...price, examples: [19_000] },
      months: Type.Integer({ minimum: 1, maximum: 120, examples: [1] }),
    }),
    atMost,
  ),
  bettingProviders: Type.Array(Type.Object({ code: lowerCode("bet9ja"), name: name("Bet9ja"), ...bounds }), atMost),
};

export const catalogueBody = named("NewBillCatalogue", Type.Object(fields));

export const catalogueData = named(
  "BillCatalogue",
  Type.Object({ version: Type.Integer({ examples: [2] }), ...fields }),
);

/** From the wire's naira to kobo. Unknown fields stay behind. */
export function readContent(body: Static<typeof catalogueBody>): CatalogueContent {
  return {
    networks: body.networks.map(({ code, name, prefixes, ...rest }) => ({ code, name, prefixes, ...readBounds(rest) })),
    dataPlans: body.dataPlans.map(({ planCode, network, name, size, validityDays, amount }) => ({
      planCode,
      network,
      name,
      size,
      validityDays,
      amount: readNaira(amount),
    })),
    electricityProviders: body.electricityProviders.map(({ code, name, shortName, meterTypes: types, ...rest }) => ({
      code,
      name,
      shortName,
      meterTypes: types,
      ...readBounds(rest),
    })),
    tvProviders: body.tvProviders.map(({ code, name, smartCardDigits }) => ({ code, name, smartCardDigits })),
    tvPackages: body.tvPackages.map(({ provider, packageCode, name, amount, months }) => ({
      provider,
      packageCode,
      name,
      months,
      amount: readNaira(amount),
    })),
    bettingProviders: body.bettingProviders.map(({ code, name, ...rest }) => ({ code, name, ...readBounds(rest) })),
  };
}

function readBounds({ minAmount, maxAmount }: { minAmount: number; maxAmount: number }) {
  return { minAmount: readNaira(minAmount), maxAmount: readNaira(maxAmount) };
}

/** A catalogue with its amounts in naira: every bigint in it is money. */
export function presentCatalogue(catalogue: Catalogue): Static<typeof catalogueData> {
  const naira = (value: unknown): unknown => {
    if (typeof value === "bigint") return nairaNumber(value as CatalogueContent["tvPackages"][number]["amount"]);
    if (Array.isArray(value)) return value.map(naira);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, naira(item)]));
  };
  return naira(catalogue) as Static<typeof catalogueData>;
}
