/** What can be bought, from the current version of the catalogue. */
import { nairaNumber } from "../../money/kobo.ts";
import { describeRoute, type Route } from "../../platform/http/route.ts";
import { billCategories } from "../../rails/biller.ts";
import { type Bounds, categoryFacts, providerCode } from "../catalogue/catalogue.ts";
import type { RememberedCatalogues } from "../catalogue/remembered-catalogues.ts";
import { findNetwork, findTv } from "../vending/price-vend.ts";
import {
  bettingData,
  categoriesData,
  dataPlansData,
  electricityData,
  networkQuery,
  networksData,
  tvPackagesData,
  tvQuery,
} from "./discovery-schemas.ts";

const common = { method: "GET", tag: "Bills", scope: "bills:read" } as const;
const ok = { status: 200, cached: true } as const;

export function discoveryRoutes(catalogues: RememberedCatalogues): Route[] {
  return [
    categoriesRoute(),
    networksRoute(catalogues),
    dataPlansRoute(catalogues),
    electricityRoute(catalogues),
    tvPackagesRoute(catalogues),
    bettingRoute(catalogues),
  ];
}

function categoriesRoute(): Route {
  return describeRoute("key", {
    ...common,
    path: "/bills/catalogs",
    operationId: "listBillCategories",
    summary: "List bill categories",
    description: "What can be sold, whether the customer must be validated first, and where to vend.",
    reply: { ...ok, message: "Categories retrieved.", data: categoriesData },
    handle: async () => ({
      data: billCategories.map((code) => ({ code, ...categoryFacts[code], vendPath: `/bills/${code}/vend` })),
    }),
  });
}

function networksRoute(catalogues: RememberedCatalogues): Route {
  return describeRoute("key", {
    ...common,
    path: "/bills/networks",
    operationId: "listNetworks",
    summary: "List mobile networks",
    description: "The networks, the prefixes of their numbers and the bounds of airtime.",
    reply: { ...ok, message: "Networks retrieved.", data: networksData },
    handle: async ({ caller }) => {
      const { networks } = await catalogues.current(caller, "airtime");
      return {
        data: networks.map(({ code, name, prefixes, ...bounds }) => ({
          code,
          name,
          prefixes: [...prefixes],
          ...presentBounds(bounds),
        })),
      };
    },
  });
}

function dataPlansRoute(catalogues: RememberedCatalogues): Route {
  return describeRoute("key", {
    ...common,
    path: "/bills/data/list",
    operationId: "listDataPlans",
    summary: "List data plans",
    description: "The plans of all networks, or of one.",
    query: networkQuery,
    reply: { ...ok, message: "Data plans retrieved.", data: dataPlansData },
    problems: ["unknown_network"],
    handle: async ({ query, caller }) => {
      const catalogue = await catalogues.current(caller, "data");
      const only = query.network === undefined ? null : findNetwork(catalogue, providerCode("data", query.network));
      const plans = catalogue.dataPlans.filter((plan) => only === null || plan.network === only.code);
      return { data: plans.map((plan) => ({ ...plan, amount: nairaNumber(plan.amount) })) };
    },
  });
}

function electricityRoute(catalogues: RememberedCatalogues): Route {
  return describeRoute("key", {
    ...common,
    path: "/bills/electricity/list",
    operationId: "listElectricityProviders",
    summary: "List electricity companies",
    description: "The distribution companies, the meters they serve and the bounds of a payment.",
    reply: { ...ok, message: "Electricity companies retrieved.", data: electricityData },
    handle: async ({ caller }) => {
      const { electricityProviders } = await catalogues.current(caller, "electricity");
      return {
        data: electricityProviders.map(({ code, name, shortName, meterTypes, ...bounds }) => ({
          code,
          name,
          shortName,
          meterTypes: [...meterTypes],
          ...presentBounds(bounds),
        })),
      };
    },
  });
}

function tvPackagesRoute(catalogues: RememberedCatalogues): Route {
  return describeRoute("key", {
    ...common,
    path: "/bills/tv/list",
    operationId: "listTvPackages",
    summary: "List TV packages",
    description: "The packages of all providers, or of one.",
    query: tvQuery,
    reply: { ...ok, message: "TV packages retrieved.", data: tvPackagesData },
    problems: ["unknown_provider"],
    handle: async ({ query, caller }) => {
      const catalogue = await catalogues.current(caller, "tv");
      const only = query.provider === undefined ? null : findTv(catalogue, providerCode("tv", query.provider));
      const packages = catalogue.tvPackages.filter((one) => only === null || one.provider === only.code);
      return { data: packages.map((one) => ({ ...one, amount: nairaNumber(one.amount) })) };
    },
  });
}

function bettingRoute(catalogues: RememberedCatalogues): Route {
  return describeRoute("key", {
    ...common,
    path: "/bills/betting/list",
    operationId: "listBettingProviders",
    summary: "List betting companies",
    description: "The bookmakers and the bounds of a payment.",
    reply: { ...ok, message: "Betting companies retrieved.", data: bettingData },
    handle: async ({ caller }) => {
      const { bettingProviders } = await catalogues.current(caller, "betting");
      return { data: bettingProviders.map(({ code, name, ...bounds }) => ({ code, name, ...presentBounds(bounds) })) };
    },
  });
}

export function presentBounds({ minAmount, maxAmount }: Bounds) {
  return { minAmount: nairaNumber(minAmount), maxAmount: nairaNumber(maxAmount) };
}
