/** The five ways to buy. Each reads its own words into one form; what follows is the same for all. */
import type { Static, TSchema } from "typebox";
import { acceptRequest } from "../../ledger/accept-request.ts";
import { describeRoute, type Route } from "../../platform/http/route.ts";
import { readNaira } from "../../platform/http/wire.ts";
import type { Bill } from "./bill.ts";
import { type BillDependencies, createBill } from "./create-bill.ts";
import { presentBill } from "./present-bill.ts";
import { airtimeBody, bettingBody, billData, dataBody, electricityBody, tvBody } from "./schemas.ts";
import { readPhoneNumber, type VendRequest, vendRequest } from "./vend-request.ts";

export interface VendRouteDependencies extends BillDependencies {}

export function vendRoutes(deps: VendRouteDependencies): Route[] {
  return [airtimeRoute(deps), dataRoute(deps), electricityRoute(deps), tvRoute(deps), bettingRoute(deps)];
}

function airtimeRoute(deps: VendRouteDependencies): Route {
  return vendRoute(deps, {
    category: "airtime",
    operationId: "vendAirtime",
    summary: "Buy airtime",
    description: "Sends airtime to a phone.",
    body: airtimeBody,
    problems: ["unknown_network", "amount_out_of_band"],
    read: ({ network, phoneNumber, amount, reference }) =>
      vendRequest({
        category: "airtime",
        reference,
        provider: network,
        customer: readPhoneNumber(phoneNumber),
        amount: readNaira(amount),
      }),
  });
}

function dataRoute(deps: VendRouteDependencies): Route {
  return vendRoute(deps, {
    category: "data",
    operationId: "vendData",
    summary: "Buy mobile data",
    description: "Sends a data plan to a phone, at the plan's current price, which is in the reply.",
    body: dataBody,
    problems: ["unknown_network", "unknown_plan"],
    read: ({ network, phoneNumber, planCode, reference }) =>
      vendRequest({
        category: "data",
        reference,
        provider: network,
        customer: readPhoneNumber(phoneNumber),
        productCode: planCode,
      }),
  });
}

function electricityRoute(deps: VendRouteDependencies): Route {
  return vendRoute(deps, {
    category: "electricity",
    operationId: "vendElectricity",
    summary: "Buy electricity",
    description:
      "Pays for a meter. When it is successful, a prepaid meter has a token of 20 digits and the units it is good for, a postpaid one a receipt number.",
    body: electricityBody,
    problems: ["unknown_provider", "meter_type_not_supported", "amount_out_of_band"],
    read: ({ provider, meterNumber, meterType, amount, phoneNumber, reference }) =>
      vendRequest({
        category: "electricity",
        reference,
        provider,
        customer: meterNumber,
        meterType,
        amount: readNaira(amount),
        phoneNumber: readPhoneNumber(phoneNumber),
      }),
  });
}

function tvRoute(deps: VendRouteDependencies): Route {
  return vendRoute(deps, {
    category: "tv",
    operationId: "vendTv",
    summary: "Buy a TV package",
    description:
      "Starts a package, or renews the current one, on a smart card that POST /bills/tv/validate has confirmed within the last 30 minutes. renew takes the card's own package at its price; packageCode may be left out, and another one is refused. A successful change ends all validations of the card. If the price has changed since the validation, the vend is refused: validate again. The price in the reply is what you are charged.",
    body: tvBody,
    problems: [
      "unknown_provider",
      "unknown_package",
      "validation_required",
      "price_changed",
      "package_not_current",
      "nothing_to_renew",
    ],
    read: ({ smartCardNumber, packageCode, phoneNumber, validationReference, provider, subscriptionType, reference }) =>
      vendRequest({
        category: "tv",
        provider,
        subscriptionType,
        reference,
        customer: smartCardNumber,
        productCode: packageCode ?? null,
        phoneNumber: readPhoneNumber(phoneNumber),
        validationReference: validationReference ?? null,
      }),
  });
}

function bettingRoute(deps: VendRouteDependencies): Route {
  return vendRoute(deps, {
    category: "betting",
    operationId: "vendBetting",
    summary: "Fund a betting account",
    description: "Puts money on an account that POST /bills/betting/validate has confirmed within the last 30 minutes.",
    body: bettingBody,
    problems: ["unknown_provider", "amount_out_of_band", "validation_required"],
    read: ({ provider, customerId, amount, reference, validationReference }) =>
      vendRequest({
        category: "betting",
        reference,
        provider,
        customer: customerId,
        amount: readNaira(amount),
        validationReference: validationReference ?? null,
      }),
  });
}

interface Vend<Body extends TSchema> {
  readonly category: VendRequest["category"];
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly body: Body;
  readonly problems: readonly string[];
  read(body: Static<Body>): VendRequest;
}

const afterwards =
  "201 means accepted: the wallet is debited, and the outcome follows as bill.successful or bill.failed, or by POST /bills/status. The same reference and content again return 200 with the record as it is now and buys nothing; other content is refused with 409. After a time-out, send it again.";

function vendRoute<Body extends TSchema>(deps: VendRouteDependencies, vend: Vend<Body>): Route {
  return describeRoute("key", {
    method: "POST",
    path: `/bills/${vend.category}/vend`,
    operationId: vend.operationId,
    tag: "Bills",
    scope: "bills:write",
    summary: vend.summary,
    description: `${vend.description} ${afterwards}`,
    body: vend.body,
    reply: {
      status: 201,
      message: "Bill accepted.",
      data: billData,
      also: { 200: "This reference was accepted before; here is its bill." },
    },
    problems: [
      ...vend.problems,
      "reference_conflict",
      "insufficient_funds",
      "rail_not_configured",
      "ledger_busy",
      "source_account_not_found",
    ],
    handle: (request) => {
      const { environmentId, kind, person } = request.caller;
      const wanted = requestOf(vend, request.body as Static<Body>);
      return acceptRequest(request, {
        accept: (keep) => createBill(deps, { environmentId, kind, person }, wanted, keep),
        present: (bill: Bill) => presentBill(bill, kind),
      });
    },
  });
}

/** All categories ask for the paying wallet in the same way. */
function requestOf<Body extends TSchema>(vend: Vend<Body>, body: Static<Body>): VendRequest {
  const { sourceAccountId } = body as { readonly sourceAccountId?: string };
  return { ...vend.read(body), sourceAccountId: sourceAccountId ?? null };
}
