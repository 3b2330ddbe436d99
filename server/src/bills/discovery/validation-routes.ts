/** Confirming a customer with its provider: needed before TV and betting, wise before electricity. */
import { nairaNumber } from "../../money/kobo.ts";
import { type Database, inEnvironment } from "../../platform/database/database.ts";
import type { Caller } from "../../platform/http/caller.ts";
import { keepReply } from "../../platform/http/keep-reply.ts";
import { describeRoute, type Route } from "../../platform/http/route.ts";
import { mobilePrefix } from "../../platform/phone-number.ts";
import type { BillCategory, BillerCustomer, CustomerQuestion } from "../../rails/biller.ts";
import { type BillerRails, openRail, type RailUser } from "../../rails/desk.ts";
import { type Catalogue, providerCode } from "../catalogue/catalogue.ts";
import type { RememberedCatalogues } from "../catalogue/remembered-catalogues.ts";
import { billProblem } from "../vending/errors.ts";
import {
  checkSmartCard,
  findBetting,
  findElectricity,
  findNetwork,
  findPackage,
  findTv,
} from "../vending/price-vend.ts";
import { insertValidation, type Validation } from "../vending/validation-store.ts";
import { readPhoneNumber } from "../vending/vend-request.ts";
import { presentBounds } from "./discovery-routes.ts";
import {
  bettingCustomerData,
  bettingValidateBody,
  electricityCustomerData,
  electricityValidateBody,
  phoneData,
  phoneValidateBody,
  tvCustomerData,
  tvValidateBody,
} from "./discovery-schemas.ts";

export interface ValidationRouteDependencies extends ValidateDependencies {
  readonly catalogues: RememberedCatalogues;
}

const common = {
  method: "POST",
  tag: "Bills",
  scope: "bills:write",
  withoutProof: true,
} as const;
const away = ["customer_not_found", "biller_unavailable", "rail_not_configured"];

export function validationRoutes(deps: ValidationRouteDependencies): Route[] {
  return [
    tvRoute(deps),
    bettingRoute(deps),
    electricityRoute(deps),
    phoneRoute(deps, "airtime"),
    phoneRoute(deps, "data"),
  ];
}

type Question = Pick<CustomerQuestion, "category" | "provider" | "customer"> & Partial<CustomerQuestion>;

async function confirm(
  deps: ValidationRouteDependencies,
  caller: Caller,
  catalogue: Catalogue,
  asked: Question,
): Promise<Confirmed> {
  const question = { meterType: null, ...asked, environmentId: caller.environmentId };
  const customer = await askProvider(deps, caller, question);
  return rememberCustomer(deps, question, customer, catalogue.version);
}

function presentConfirmation({ validationReference, expiresAt }: Confirmed) {
  return { validationReference, expiresAt: expiresAt.toISOString() };
}

function nameOf({ name }: Confirmed): string {
  if (name === null) throw new Error("a customer without a name was confirmed");
  return name;
}

function tvRoute(deps: ValidationRouteDependencies): Route {
  return describeRoute("key", {
    ...common,
    path: "/bills/tv/validate",
    operationId: "validateTvCustomer",
    summary: "Validate a smart card",
    description:
      "Asks the provider whose card it is. Needed before a vend. Counts for 30 minutes, and ends as soon as a vend has changed the card's package: validate again before the next one.",
    body: tvValidateBody,
    reply: { status: 200, message: "Customer found.", data: tvCustomerData },
    problems: [...away, "unknown_provider"],
    handle: (request) =>
      keepReply(request, async () => {
        const catalogue = await deps.catalogues.current(request.caller, "tv");
        const provider = findTv(catalogue, providerCode("tv", request.body.provider));
        const { smartCardNumber } = request.body;
        checkSmartCard(provider, smartCardNumber);
        const asked = { category: "tv", provider: provider.code, customer: smartCardNumber } as const;
        const found = await confirm(deps, request.caller, catalogue, asked);
        const runs = findPackage(catalogue, provider.code, found.subscription?.packageCode ?? null);
        // A package that we sell is renewed at our list's price.
        const renewal = runs?.amount ?? found.renewalAmount;
        return {
          provider: provider.code,
          smartCardNumber,
          customerName: nameOf(found),
          currentPackage: runs?.packageCode ?? null,
          renewalAmount: renewal === null ? null : nairaNumber(renewal),
          dueDate: found.subscription?.dueDate ?? null,
          ...presentConfirmation(found),
        };
      }),
  });
}

function bettingRoute(deps: ValidationRouteDependencies): Route {
  return describeRoute("key", {
    ...common,
    path: "/bills/betting/validate",
    operationId: "validateBettingCustomer",
    summary: "Validate a betting account",
    description:
      "Asks the bookmaker whose account it is. Needed before a vend, and counts for 30 minutes, for any number of vends.",
    body: bettingValidateBody,
    reply: { status: 200, message: "Customer found.", data: bettingCustomerData },
    problems: [...away, "unknown_provider"],
    handle: (request) =>
      keepReply(request, async () => {
        const catalogue = await deps.catalogues.current(request.caller, "betting");
        const provider = findBetting(catalogue, providerCode("betting", request.body.provider));
        const { customerId } = request.body;
        const asked = { category: "betting", provider: provider.code, customer: customerId } as const;
        const found = await confirm(deps, request.caller, catalogue, asked);
        const customer = { provider: provider.code, customerId, customerName: nameOf(found) };
        return { ...customer, ...presentBounds(provider), ...presentConfirmation(found) };
      }),
  });
}

function electricityRoute(deps: ValidationRouteDependencies): Route {
  return describeRoute("key", {
    ...common,
    path: "/bills/electricity/validate",
    operationId: "validateElectricityCustomer",
    summary: "Validate a meter",
    description: "Asks the company whose meter it is. Not needed before a vend; a confirmed name goes into the record.",
    body: electricityValidateBody,
    reply: { status: 200, message: "Customer found.", data: electricityCustomerData },
    problems: [...away, "unknown_provider", "meter_type_not_supported"],
    handle: (request) =>
      keepReply(request, async () => {
        const catalogue = await deps.catalogues.current(request.caller, "electricity");
        const { meterNumber, meterType } = request.body;
        const provider = findElectricity(catalogue, providerCode("electricity", request.body.provider));
        if (!provider.meterTypes.includes(meterType)) throw billProblem("meter_type_not_supported");
        const asked = { category: "electricity", provider: provider.code, customer: meterNumber, meterType } as const;
        const found = await confirm(deps, request.caller, catalogue, asked);
        const customer = { provider: provider.code, meterNumber, meterType, customerName: nameOf(found) };
        return { ...customer, address: found.address, ...presentBounds(provider), ...presentConfirmation(found) };
      }),
  });
}

function phoneRoute(deps: ValidationRouteDependencies, category: "airtime" | "data"): Route {
  return describeRoute("key", {
    ...common,
    path: `/bills/${category}/validate`,
    operationId: category === "airtime" ? "validateAirtimeNumber" : "validateDataNumber",
    summary: `Validate a phone number for ${category}`,
    description: "Asks the network whether it serves the number. Not needed before a vend.",
    body: phoneValidateBody,
    reply: { status: 200, message: "Number found.", data: phoneData },
    problems: [...away, "unknown_network"],
    handle: (request) =>
      keepReply(request, async () => {
        const catalogue = await deps.catalogues.current(request.caller, category);
        const network = findNetwork(catalogue, providerCode(category, request.body.network));
        const phoneNumber = readPhoneNumber(request.body.phoneNumber);
        const asked = { category, provider: network.code, customer: phoneNumber };
        const found = await confirm(deps, request.caller, catalogue, asked);
        const prefix = mobilePrefix(phoneNumber);
        const prefixNetwork = catalogue.networks.find(({ prefixes }) => prefixes.includes(prefix))?.code ?? null;
        return { network: network.code, phoneNumber, prefixNetwork, ...presentConfirmation(found) };
      }),
  });
}

/**
 * Asking a provider whether it has a customer. The answer counts for half an hour of the environment's time: TV and
 * betting are not vended without it.
 */
interface ValidateDependencies {
  readonly db: Database;
  readonly rails: BillerRails;
}

interface Confirmed extends BillerCustomer {
  readonly validationReference: string;
  readonly expiresAt: Date;
}

const validForMs = 30 * 60_000;

/** Networks do not name their customers; everybody else does, and an empty name confirms nobody. */
function isNamed(category: BillCategory, { name }: BillerCustomer): boolean {
  return category === "airtime" || category === "data" || (name ?? "").trim() !== "";
}

/** Asks outside of any transaction. */
export async function askProvider(
  { rails }: ValidateDependencies,
  user: RailUser,
  question: CustomerQuestion,
): Promise<BillerCustomer> {
  const answer = await (await openRail(rails.biller, user, question.category)).rail.validate(question);
  if (answer.found === "no") throw billProblem("customer_not_found");
  if (answer.found === "unavailable" || !isNamed(question.category, answer.customer)) {
    throw billProblem("biller_unavailable", { headers: { "retry-after": "30" } });
  }
  return answer.customer;
}

/** Remembers that the provider has confirmed the customer. */
function rememberCustomer(
  { db }: ValidateDependencies,
  question: CustomerQuestion,
  customer: BillerCustomer,
  catalogueVersion: number,
): Promise<Confirmed> {
  return inEnvironment(db, question.environmentId, async (tx) => {
    const { clock } = tx.environment;
    const expiresAt = clock.after(validForMs);
    const validation: Validation = {
      id: clock.newId(),
      category: question.category,
      provider: question.provider,
      customer: question.customer,
      customerName: customer.name,
      packageCode: customer.subscription?.packageCode ?? null,
      catalogueVersion,
      expiresAt,
    };
    await insertValidation(tx, validation);
    return { ...customer, validationReference: validation.id, expiresAt };
  });
}
