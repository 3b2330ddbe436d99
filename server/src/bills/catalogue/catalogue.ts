/**
 * What can be bought. The catalogue is data with a source and a date, kept in versions; prices go stale, and a bill
 * names the version that priced it.
 */
import type { Kobo } from "../../money/kobo.ts";
import type { BillCategory, MeterType } from "../../rails/biller.ts";

export interface Bounds {
  readonly minAmount: Kobo;
  readonly maxAmount: Kobo;
}

export interface Network extends Bounds {
  /** Upper case. All other codes are lower case. */
  readonly code: string;
  readonly name: string;
  /** Where the network's numbers begin; a hint only, because numbers can be taken along. */
  readonly prefixes: readonly string[];
}

export interface DataPlan {
  readonly planCode: string;
  readonly network: string;
  readonly name: string;
  readonly size: string;
  /** Null where the provider does not tell. */
  readonly validityDays: number | null;
  readonly amount: Kobo;
}

export interface ElectricityProvider extends Bounds {
  readonly code: string;
  readonly name: string;
  readonly shortName: string;
  readonly meterTypes: readonly MeterType[];
}

export interface TvProvider {
  readonly code: string;
  readonly name: string;
  readonly smartCardDigits: number;
}

export interface TvPackage {
  readonly provider: string;
  readonly packageCode: string;
  readonly name: string;
  readonly amount: Kobo;
  readonly months: number;
}

export interface BettingProvider extends Bounds {
  readonly code: string;
  readonly name: string;
}

export interface CatalogueContent {
  readonly networks: readonly Network[];
  readonly dataPlans: readonly DataPlan[];
  readonly electricityProviders: readonly ElectricityProvider[];
  readonly tvProviders: readonly TvProvider[];
  readonly tvPackages: readonly TvPackage[];
  readonly bettingProviders: readonly BettingProvider[];
}

export interface Catalogue extends CatalogueContent {
  readonly version: number;
  readonly source: string;
  /** As of when, YYYY-MM-DD. */
  readonly sourceDate: string;
}

/** A catalogue without its version and source. */
export function contentOf(catalogue: Catalogue): CatalogueContent {
  const { networks, dataPlans, electricityProviders, tvProviders, tvPackages, bettingProviders } = catalogue;
  return { networks, dataPlans, electricityProviders, tvProviders, tvPackages, bettingProviders };
}

/** The categories that `GET /bills/catalogs` shows. */
export const categoryFacts = {
  airtime: { name: "Airtime", requiresValidation: false },
  data: { name: "Mobile data", requiresValidation: false },
  electricity: { name: "Electricity", requiresValidation: false },
  tv: { name: "TV subscription", requiresValidation: true },
  betting: { name: "Betting account", requiresValidation: true },
} as const satisfies Record<BillCategory, { readonly name: string; readonly requiresValidation: boolean }>;

/** A code as the catalogue writes it, however the caller did. */
export function providerCode(category: BillCategory, text: string): string {
  return category === "airtime" || category === "data" ? text.toUpperCase() : text.toLowerCase();
}
