/** What a request buys and for how much, by the catalogue. Everything the catalogue does not offer is refused here. */
import { type Kobo, nairaNumber } from "../../money/kobo.ts";
import { commonProblem } from "../../platform/problem.ts";
import type {
  BettingProvider,
  Bounds,
  Catalogue,
  DataPlan,
  ElectricityProvider,
  Network,
  TvPackage,
  TvProvider,
} from "../catalogue/catalogue.ts";
import type { BillTerms } from "./bill.ts";
import { billProblem } from "./errors.ts";
import type { VendRequest } from "./vend-request.ts";

type Priced = Pick<BillTerms, "product" | "amount">;

export function priceVend(catalogue: Catalogue, request: VendRequest): BillTerms {
  return {
    category: request.category,
    provider: request.provider,
    ...pricers[request.category](catalogue, request),
    customer: { identifier: request.customer, name: null },
    phoneNumber: request.phoneNumber,
    meterType: request.meterType,
    subscriptionType: request.subscriptionType,
    catalogueVersion: catalogue.version,
  };
}

const pricers: Record<BillTerms["category"], (catalogue: Catalogue, request: VendRequest) => Priced> = {
  airtime(catalogue, { provider, amount }) {
    const network = findNetwork(catalogue, provider);
    const product = { code: `${network.code.toLowerCase()}-airtime`, name: `${network.name} airtime` };
    return { product, amount: within(network, amount) };
  },
  data(catalogue, { provider, productCode }) {
    const plan = findPlan(catalogue, findNetwork(catalogue, provider), productCode);
    return { product: { code: plan.planCode, name: plan.name }, amount: plan.amount };
  },
  electricity(catalogue, { provider, amount, meterType }) {
    const company = findElectricity(catalogue, provider);
    if (meterType === null || !company.meterTypes.includes(meterType)) throw billProblem("meter_type_not_supported");
    const product = { code: `${company.code}-${meterType}`, name: `${company.name} ${meterType}` };
    return { product, amount: within(company, amount) };
  },
  tv(catalogue, { provider, customer, productCode }) {
    checkSmartCard(findTv(catalogue, provider), customer);
    const wanted = findPackage(catalogue, provider, productCode);
    if (wanted === undefined) throw billProblem("unknown_package");
    return { product: { code: wanted.packageCode, name: wanted.name }, amount: wanted.amount };
  },
  betting(catalogue, { provider, amount }) {
    const bookmaker = findBetting(catalogue, provider);
    const product = { code: `${bookmaker.code}-funding`, name: `${bookmaker.name} funding` };
    return { product, amount: within(bookmaker, amount) };
  },
};

export function findNetwork(catalogue: Catalogue, code: string): Network {
  const network = catalogue.networks.find((one) => one.code === code);
  if (network === undefined) throw billProblem("unknown_network");
  return network;
}

function findPlan(catalogue: Catalogue, network: Network, code: string | null): DataPlan {
  const plan = catalogue.dataPlans.find((one) => one.planCode === code && one.network === network.code);
  if (plan === undefined) throw billProblem("unknown_plan");
  return plan;
}

export function findElectricity(catalogue: Catalogue, code: string): ElectricityProvider {
  return known(catalogue.electricityProviders, code);
}

export function findTv(catalogue: Catalogue, code: string): TvProvider {
  return known(catalogue.tvProviders, code);
}

export function findBetting(catalogue: Catalogue, code: string): BettingProvider {
  return known(catalogue.bettingProviders, code);
}

export function findPackage(catalogue: Catalogue, provider: string, code: string | null): TvPackage | undefined {
  return catalogue.tvPackages.find((one) => one.packageCode === code && one.provider === provider);
}

export function checkSmartCard(provider: TvProvider, smartCardNumber: string): void {
  if (smartCardNumber.length === provider.smartCardDigits) return;
  const message = `must have ${provider.smartCardDigits} digits for ${provider.name}`;
  throw commonProblem("validation_failed", { errors: [{ field: "smartCardNumber", message }] });
}

function known<Provider extends { readonly code: string }>(providers: readonly Provider[], code: string): Provider {
  const provider = providers.find((one) => one.code === code);
  if (provider === undefined) throw billProblem("unknown_provider");
  return provider;
}

function within({ minAmount, maxAmount }: Bounds, amount: Kobo | null): Kobo {
  if (amount === null) throw new Error("a vend of this category names its amount");
  if (amount < minAmount || amount > maxAmount) {
    throw commonProblem("amount_out_of_band", {
      data: { minAmount: nairaNumber(minAmount), maxAmount: nairaNumber(maxAmount) },
    });
  }
  return amount;
}
