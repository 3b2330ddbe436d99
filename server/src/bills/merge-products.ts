/**
 * What a connection sells, in the form of a catalogue. Plans, packages and bounds are the provider's; names of networks
 * and companies, prefixes and digits of cards, which providers do not tell, are the operator's.
 */
import type { ProductList } from "../rails/provider.ts";
import type { Bounds, CatalogueContent, DataPlan, TvPackage } from "./catalogue.ts";

export function mergeProducts(base: CatalogueContent, list: ProductList): CatalogueContent {
  const boundsOf = new Map(list.bounds.map(({ category, provider, ...bounds }) => [`${category}/${provider}`, bounds]));
  const bounded = <One extends Bounds & { readonly code: string }>(category: string, one: One): One => ({
    ...one,
    ...boundsOf.get(`${category}/${one.code}`),
  });
  return {
    networks: base.networks.map((one) => bounded("airtime", one)),
    dataPlans: dataPlans(base, list),
    electricityProviders: base.electricityProviders.map((one) => bounded("electricity", one)),
    tvProviders: base.tvProviders,
    tvPackages: tvPackages(base, list),
    bettingProviders: base.bettingProviders,
  };
}

/** A plan whose name does not tell its size has its name for a size. */
function dataPlans({ networks }: CatalogueContent, { products }: ProductList): DataPlan[] {
  const known = new Set(networks.map(({ code }) => code));
  const plans = products
    .filter(({ category, provider }) => category === "data" && known.has(provider))
    .map(({ code: planCode, provider: network, name, size, validityDays, amount }) => ({
      planCode,
      network,
      name,
      size: size ?? name,
      validityDays,
      amount,
    }));
  return firstOfEach(plans, ({ planCode }) => planCode);
}

function tvPackages({ tvProviders }: CatalogueContent, { products }: ProductList): TvPackage[] {
  const known = new Set(tvProviders.map(({ code }) => code));
  const packages = products
    .filter(({ category, provider }) => category === "tv" && known.has(provider))
    .map(({ code: packageCode, provider, name, amount, months }) => ({
      provider,
      packageCode,
      name,
      amount,
      months: months ?? 1,
    }));
  return firstOfEach(packages, ({ packageCode }) => packageCode);
}

/** A code stands for one thing. */
function firstOfEach<One>(list: readonly One[], codeOf: (one: One) => string): One[] {
  const seen = new Set<string>();
  return list.filter((one) => !seen.has(codeOf(one)) && seen.add(codeOf(one)));
}
