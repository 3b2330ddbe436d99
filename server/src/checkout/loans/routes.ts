import { Type } from "typebox";
import { type Kobo, parseNaira } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import { describeRoute, type Reply, type Route } from "../../platform/http/route.ts";
import { bankCodeRule } from "../../transfers/payouts/payout-rules.ts";
import { requireCustomer } from "../customers/read-customer.ts";
import { CustomerParams } from "../customers/schemas.ts";
import type { CheckoutLoan } from "./checkout-loan.ts";
import { cancelCheckoutLoan } from "./end-checkout-loan.ts";
import type { LendingDependencies } from "./loan-moved.ts";
import { type AccountDependencies, resolveMerchantAccount } from "./merchant-account.ts";
import { presentCheckoutLoan } from "./present-checkout-loan.ts";
import { readActiveLoans, requireCheckoutLoan } from "./read-checkout-loan.ts";
import { requestLoan } from "./request-loan.ts";
import {
  checkoutLoanData,
  LoanParams,
  type PresentedCheckoutLoan,
  type RequestLoanBody,
  requestLoanBody,
} from "./schemas.ts";

export type CheckoutLoanRouteDependencies = LendingDependencies & AccountDependencies;

const common = { tag: "Checkout" } as const;

export function checkoutLoanRoutes(deps: CheckoutLoanRouteDependencies): Route[] {
  return [requestRoute(deps), activeRoute(), readRoute(), cancelRoute(deps)];
}

function requestRoute(deps: CheckoutLoanRouteDependencies): Route {
  return describeRoute("key", {
    ...common,
    method: "POST",
    path: "/loans/bnpl/customers/{customerId}/loans",
    operationId: "createCheckoutLoan",
    scope: "checkout:write",
    summary: "Request a checkout loan",
    description:
      "Asks for a loan that pays your account at once and that the customer repays month by month. Amount and tenor must be within what the eligibility offers. First we ask the bank who holds the account. The loan then waits for the customer's consent and, if none is linked, for a card; a day later it expires. There is no merchant reference: send an Idempotency-Key to be safe against doubles.",
    params: CustomerParams,
    body: requestLoanBody,
    rules: bankCodeRule,
    reply: { status: 201, title: "Checkout loan", message: "Loan requested", data: checkoutLoanData },
    problems: [
      "checkout_customer_not_found",
      "not_eligible",
      "amount_out_of_band",
      "tenor_not_supported",
      "unknown_bank",
      "account_number_invalid",
      "account_not_found",
      "bank_unavailable",
      "rail_not_configured",
    ],
    handle: async (request) => {
      const { caller, params, body, write } = request;
      const { customerId } = params;
      const kept = await request.kept<PresentedCheckoutLoan>();
      if (kept !== undefined) return kept;
      // Nobody asks a bank on behalf of a customer who does not exist.
      await request.read((tx) => requireCustomer(tx, customerId));
      const asked = { bankCode: body.bank_code, bankAccountNo: body.bank_account_no };
      const account = await resolveMerchantAccount(deps, caller, asked);
      return write(async (tx) => {
        const customer = await requireCustomer(tx, customerId, { lock: true });
        const application = { customer, amount: amountOf(body), tenor: body.tenor, account };
        return replyWith(tx, await requestLoan(tx, deps, application));
      });
    },
  });
}

function amountOf({ amount }: RequestLoanBody): Kobo {
  const naira = parseNaira(String(amount));
  if (naira === undefined) throw new Error("an amount that passed its schema cannot be read");
  return naira;
}

function activeRoute(): Route {
  return describeRoute("key", {
    ...common,
    method: "GET",
    path: "/loans/bnpl/customers/{customerId}/loans/active",
    operationId: "listActiveCheckoutLoans",
    scope: "checkout:read",
    summary: "List a customer's active loans",
    description: "Every loan of the customer whose money is out and not all back: disbursed, active or overdue.",
    params: CustomerParams,
    reply: {
      status: 200,
      title: "Active loans",
      message: "Active loans retrieved",
      data: Type.Array(checkoutLoanData),
    },
    problems: ["checkout_customer_not_found"],
    handle: ({ params, read }) =>
      read(async (tx) => {
        const customer = await requireCustomer(tx, params.customerId);
        const data: PresentedCheckoutLoan[] = [];
        for (const loan of await readActiveLoans(tx, customer.id)) data.push(await presentCheckoutLoan(tx, loan));
        return { data };
      }),
  });
}

function readRoute(): Route {
  return describeRoute("key", {
    ...common,
    method: "GET",
    path: "/loans/bnpl/loans/{loanId}",
    operationId: "getCheckoutLoan",
    scope: "checkout:read",
    summary: "Read a checkout loan",
    description: "Its state, what it still needs, and its plan. Dates are projected until the money is out.",
    params: LoanParams,
    reply: { status: 200, title: "Checkout loan", message: "Loan retrieved", data: checkoutLoanData },
    problems: ["checkout_loan_not_found"],
    handle: ({ params, read }) => read(async (tx) => replyWith(tx, await requireCheckoutLoan(tx, params.loanId))),
  });
}

function cancelRoute(deps: CheckoutLoanRouteDependencies): Route {
  return describeRoute("key", {
    ...common,
    method: "POST",
    path: "/loans/bnpl/loans/{loanId}/cancel",
    operationId: "cancelCheckoutLoan",
    withoutProof: true,
    scope: "checkout:write",
    summary: "Cancel a checkout loan",
    description: "Cancels a loan as long as no money is on its way. Sends `bnpl.loan.cancelled`.",
    params: LoanParams,
    reply: { status: 200, title: "Checkout loan", message: "Loan cancelled", data: checkoutLoanData },
    problems: ["checkout_loan_not_found", "invalid_state", "checkout_loan_being_disbursed"],
    handle: ({ params, write }) =>
      write(async (tx) =>
        replyWith(tx, await cancelCheckoutLoan(tx, deps, await requireCheckoutLoan(tx, params.loanId, { lock: true }))),
      ),
  });
}

async function replyWith(tx: Tx, loan: CheckoutLoan): Promise<Reply<PresentedCheckoutLoan>> {
  return { data: await presentCheckoutLoan(tx, loan) };
}
