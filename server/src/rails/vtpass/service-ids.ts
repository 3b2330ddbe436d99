/** What VTpass calls the networks and companies of our catalogue. Betting it does not sell. */
import type { BillCategory } from "../biller.ts";

/** The categories of VTpass by ours; `identifier` in its list of services. */
export const soldCategories = {
  airtime: "airtime",
  data: "data",
  electricity: "electricity-bill",
  tv: "tv-subscription",
} as const satisfies Partial<Record<BillCategory, string>>;

export type SoldCategory = keyof typeof soldCategories;

/** 9mobile was Etisalat when its services were named. */
const networks: readonly (readonly [string, string])[] = [
  ["MTN", "mtn"],
  ["AIRTEL", "airtel"],
  ["GLO", "glo"],
  ["9MOBILE", "etisalat"],
];

const companies = [
  "ikeja-electric",
  "eko-electric",
  "abuja-electric",
  "ibadan-electric",
  "enugu-electric",
  "benin-electric",
  "portharcourt-electric",
  "kano-electric",
  "kaduna-electric",
  "jos-electric",
  "yola-electric",
  "aba-electric",
] as const;

const stations = ["dstv", "gotv", "startimes"] as const;

const sameName = (code: string): readonly [string, string] => [code, code];

const serviceIds: Readonly<Record<SoldCategory, ReadonlyMap<string, string>>> = {
  airtime: new Map(networks),
  data: new Map(networks.map(([code, serviceId]) => [code, `${serviceId}-data`])),
  electricity: new Map(companies.map(sameName)),
  tv: new Map(stations.map(sameName)),
};

function isSold(category: BillCategory): category is SoldCategory {
  return category in soldCategories;
}

/** Undefined for what VTpass does not sell. */
export function serviceIdOf(category: BillCategory, provider: string): string | undefined {
  return isSold(category) ? serviceIds[category].get(provider) : undefined;
}

/** Every provider of a category with its service. */
export function servicesOf(
  category: SoldCategory,
): readonly { readonly provider: string; readonly serviceId: string }[] {
  return [...serviceIds[category]].map(([provider, serviceId]) => ({ provider, serviceId }));
}
