import { Type } from "typebox";
import { describeRoute, type Route } from "../../platform/http/route.ts";
import { pageOf, pageQuery } from "../../platform/records/pagination.ts";
import { presentCustomer, presentCustomers } from "./present-customer.ts";
import { listCustomers, requireCustomer } from "./read-customer.ts";
import { CustomerParams, customerData } from "./schemas.ts";

const common = { tag: "Checkout" } as const;

export function customerRoutes(): Route[] {
  return [listRoute(), readRoute()];
}

function listRoute(): Route {
  return describeRoute("key", {
    ...common,
    method: "GET",
    path: "/loans/bnpl/customers",
    operationId: "listCustomers",
    scope: "checkout:read",
    summary: "List customers",
    description: "Newest first.",
    query: pageQuery,
    reply: {
      status: 200,
      title: "Customers",
      message: "Customers retrieved",
      paged: true,
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
  return describeRoute("key", {
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
