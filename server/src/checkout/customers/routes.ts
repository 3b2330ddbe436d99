import { Type } from "typebox";
import { keyRoute, type Route } from "../../platform/http/route.ts";
import { pageOf, pageQuery } from "../../platform/records/pagination.ts";
import type { CodeDependencies } from "../consent/issue-code.ts";
import { type AskDependencies, askAboutPerson } from "./ask-about-person.ts";
import { onboardCustomer } from "./onboard-customer.ts";
import { presentCustomer, presentCustomers } from "./present-customer.ts";
import { proposeContactChange } from "./propose-contact-change.ts";
import { listCustomers, requireCustomer } from "./read-customer.ts";
import { readPerson } from "./read-person.ts";
import { CustomerParams, customerBody, customerData, type PresentedCustomer } from "./schemas.ts";

export type CustomerRouteDependencies = AskDependencies & CodeDependencies;

const common = { tag: "Checkout" } as const;

export function customerRoutes(deps: CustomerRouteDependencies): Route[] {
  return [onboardRoute(deps), listRoute(), readRoute()];
}

function onboardRoute(deps: CustomerRouteDependencies): Route {
  return keyRoute({
    ...common,
    method: "POST",
    path: "/loans/bnpl/customers",
    operationId: "createCustomer",
    scope: "checkout:write",
    summary: "Onboard a customer",
    description:
      "Makes a customer, who needs to be known before anything else at the checkout. The same BVN again is the same customer: 200, as known. Another name, birthday or NIN counts once the register confirms it. Other contact data are a `pending_change`, of which a code is sent to the phone on record: nothing changes before it is answered. kyc_status says whether name and numbers belong together; while the register cannot be asked it is pending and is asked again by itself. In a sandbox a BVN that ends with 0000 fails.",
    body: customerBody,
    reply: {
      ...{ status: 201, title: "Customer", message: "Customer onboarded", data: customerData },
      also: { 200: "Customer was onboarded before" },
    },
    handle: async (request) => {
      const { caller, body, write } = request;
      const sent = readPerson(body);
      const kept = await request.kept<PresentedCustomer>();
      if (kept !== undefined) return kept;
      const { person, answer } = await askAboutPerson(deps, caller, sent);
      return write(async (tx) => {
        const { customer, created } = await onboardCustomer(tx, deps.sealer, { person, answer });
        await proposeContactChange(tx, deps, { customer, person });
        const data = await presentCustomer(tx, customer);
        return created ? { data } : { data, status: 200 };
      });
    },
  });
}

function listRoute(): Route {
  return keyRoute({
    ...common,
    method: "GET",
    path: "/loans/bnpl/customers",
    operationId: "listCustomers",
    scope: "checkout:read",
    summary: "List customers",
    description: "Newest first.",
    query: pageQuery,
    reply: {
      ...{ status: 200, title: "Customers", message: "Customers retrieved", paged: true },
      data: Type.Array(customerData),
    },
    handle: ({ query, read }) =>
      read(async (tx) => {
        const { rows, meta } = await listCustomers(tx, pageOf(query));
        return { data: await presentCustomers(tx, rows), meta };
      }),
  });
}

function readRoute(): Route {
  return keyRoute({
    ...common,
    method: "GET",
    path: "/loans/bnpl/customers/{customerId}",
    operationId: "getCustomer",
    scope: "checkout:read",
    summary: "Read a customer",
    description: "Who the customer is, whether the identity is confirmed and a card is linked.",
    params: CustomerParams,
    reply: { status: 200, title: "Customer", message: "Customer retrieved", data: customerData },
    problems: ["checkout_customer_not_found"],
    handle: ({ params, read }) =>
      read(async (tx) => ({ data: await presentCustomer(tx, await requireCustomer(tx, params.customerId)) })),
  });
}
