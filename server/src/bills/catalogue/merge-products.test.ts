import { expect, test } from "vitest";
import { kobo } from "../../money/kobo.ts";
import type { Product, ProductList } from "../../rails/provider.ts";
import type { CatalogueContent } from "./catalogue.ts";
import { mergeProducts } from "./sync-catalogues.ts";

const bounds = { minAmount: kobo(5_000n), maxAmount: kobo(5_000_000n) };

const base: CatalogueContent = {
  networks: [{ code: "MTN", name: "MTN", prefixes: ["0803"], ...bounds }],
  dataPlans: [{ planCode: "old", network: "MTN", name: "Old", size: "1GB", validityDays: 1, amount: kobo(100n) }],
  electricityProviders: [
    { code: "eko-electric", name: "Eko Electric", shortName: "EKEDC", meterTypes: ["prepaid"], ...bounds },
  ],
  tvProviders: [{ code: "dstv", name: "DStv", smartCardDigits: 10 }],
  tvPackages: [{ provider: "dstv", packageCode: "old", name: "Old", amount: kobo(100n), months: 1 }],
  bettingProviders: [{ code: "bet9ja", name: "Bet9ja", ...bounds }],
};

const plan: Product = {
  category: "data",
  provider: "MTN",
  code: "mtn-100mb-1000",
  name: "N1000 1.5GB - 30 days",
  amount: kobo(100_000n),
  size: "1.5GB",
  validityDays: 30,
  months: null,
};
const bouquet: Product = { ...plan, category: "tv", provider: "dstv", code: "dstv79", name: "DStv Compact", months: 1 };
const list = (products: readonly Product[], others: Partial<ProductList> = {}): ProductList => ({
  products,
  bounds: [],
  leftOut: [],
  ...others,
});

test("plans and packages are the provider's, the names of networks and companies the operator's", () => {
  expect(mergeProducts(base, list([plan, bouquet]))).toEqual({
    ...base,
    dataPlans: [
      {
        planCode: "mtn-100mb-1000",
        network: "MTN",
        name: "N1000 1.5GB - 30 days",
        size: "1.5GB",
        validityDays: 30,
        amount: kobo(100_000n),
      },
    ],
    tvPackages: [{ provider: "dstv", packageCode: "dstv79", name: "DStv Compact", amount: kobo(100_000n), months: 1 }],
  });
});

test("what a name does not tell is not made up", () => {
  const vague = { ...plan, name: "Social bundle", size: null, validityDays: null };
  expect(mergeProducts(base, list([vague])).dataPlans).toMatchObject([{ size: "Social bundle", validityDays: null }]);
});

test("bounds of open amounts are the provider's where it has some", () => {
  const narrow = { minAmount: kobo(10_000n), maxAmount: kobo(20_000n) };
  const merged = mergeProducts(
    base,
    list([], { bounds: [{ category: "electricity", provider: "eko-electric", ...narrow }] }),
  );
  expect(merged.electricityProviders).toMatchObject([{ shortName: "EKEDC", ...narrow }]);
  expect(merged.networks).toEqual(base.networks);
});

test("a code stands for one thing, and sellers that we do not know sell nothing", () => {
  const again = { ...plan, name: "Again" };
  const merged = mergeProducts(
    base,
    list([plan, again, { ...plan, provider: "SMILE" }, { ...bouquet, provider: "showmax" }]),
  );
  expect(merged.dataPlans.map(({ name }) => name)).toEqual(["N1000 1.5GB - 30 days"]);
  expect(merged.tvPackages).toEqual([]);
});
