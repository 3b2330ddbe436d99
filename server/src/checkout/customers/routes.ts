import { Type } from "typebox";
import { type Tx, visitEnvironment } from "../../platform/database/database.ts";
import { describeRoute, type Route } from "../../platform/http/route.ts";
import { IdParams, OneOf, Timestamp, Uuid } from "../../platform/http/wire.ts";
import { keysOf } from "../../platform/keys-of.ts";
import { originOf, recordAudit } from "../../platform/records/audit.ts";
import { pageOf, pageQuery } from "../../platform/records/pagination.ts";
import { type Customer, type KycStatus, kycTransitions } from "./customer.ts";
import { moveKyc } from "./customer-store.ts";
import { presentCustomer, presentCustomers } from "./present-customer.ts";
import { listCustomers, requireCustomer, requireCustomerEnvironment } from "./read-customer.ts";
import { CustomerParams, customerData, Reason } from "./schemas.ts";

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

const kycBody = Type.Object(
  {
    status: OneOf(["verified", "failed"], { description: "What the customer's identity is from now on." }),
    reason: Reason,
  },
  { examples: [{ status: "verified", reason: "Passport seen, ticket 4711" }] },
);

const kycData = Type.Object({
  id: Uuid,
  kycStatus: OneOf(keysOf(kycTransitions), { examples: ["verified"] }),
  reason: Type.String({ examples: ["Passport seen, ticket 4711"] }),
  updatedAt: Timestamp,
});

export interface KycDependencies {
  /** Loans of the customer, who is locked, that waited for it go on. */
  identityDecided(tx: Tx, customer: Customer): Promise<void>;
}

/** An operator's word on a customer's identity, with a reason that the audit trail keeps. */
export function customerOperatorRoutes({ identityDecided }: KycDependencies): Route[] {
  return [
    describeRoute("operator", {
      method: "POST",
      path: "/operator/customers/{id}/kyc",
      operationId: "decideKyc",
      tag: "Operator",
      summary: "Decide about a customer's identity",
      description:
        "Confirms or refuses the identity of a checkout customer, whatever the register said: `verified` also says that the customer owns the BVN, so loans that waited for that are granted. Deciding the same again changes only the reason.",
      params: IdParams,
      body: kycBody,
      reply: { status: 200, message: "Identity decided.", data: kycData },
      problems: ["checkout_customer_not_found", "invalid_state"],
      handle: (request) =>
        request.write(async (tx) => {
          const { id } = request.params;
          const { status, reason } = request.body;
          const environmentId = await requireCustomerEnvironment(tx, id);
          const decide = async (inside: Tx) => {
            const decided = await decideKyc(inside, id, { status, reason });
            await identityDecided(inside, decided);
            return decided;
          };
          const customer = await visitEnvironment(tx, environmentId, decide, "in order");
          await recordAudit(tx, originOf(request), {
            action: "customer.kyc",
            subjectType: "customer",
            subjectId: id,
            environmentId,
            detail: { status, reason },
          });
          const updatedAt = customer.updatedAt.toISOString();
          return { data: { id, kycStatus: customer.kycStatus, reason, updatedAt } };
        }),
    }),
  ];
}

async function decideKyc(
  tx: Tx,
  id: string,
  { status, reason }: { readonly status: KycStatus; readonly reason: string },
): Promise<Customer> {
  const { kycStatus } = await requireCustomer(tx, id, { lock: true });
  if (!(await moveKyc(tx, id, { from: kycStatus, to: status, reason, byOperator: true }))) {
    throw new Error(`customer ${id} was not locked`);
  }
  return requireCustomer(tx, id);
}
