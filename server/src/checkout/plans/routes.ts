/** The merchant's side of a plan's page: its address. */
import { describeRoute, type Route, repeated } from "../../platform/http/route.ts";
import { actorOf } from "../../platform/records/audit.ts";
import { LoanParams } from "../loans/schemas.ts";
import { makePlanPage, type PlanAddressing, planAddress } from "./make-plan-page.ts";
import { pageBody, pageData } from "./plan-schemas.ts";

export function planRoutes(deps: PlanAddressing): Route[] {
  return [
    describeRoute("key", {
      tag: "Checkout",
      method: "POST",
      path: "/loans/bnpl/loans/{loanId}/page",
      scope: "checkout:write",
      operationId: "getCheckoutLoanPage",
      summary: "Get the address of the customer's page",
      description:
        "Where the customer sees the plan, pays early, changes the card and finds receipts, after a code to the phone on record. A loan that is paid out has one address at a time, for 45 days; the customer is sent it by SMS at the payout. Asking again returns the same address with 200, or a new one with 201 after it has expired.",
      params: LoanParams,
      body: pageBody,
      reply: {
        status: 201,
        title: "Plan page",
        message: "Address created",
        data: pageData,
        also: { 200: "An address exists already" },
      },
      problems: ["checkout_loan_not_found", "invalid_state"],
      handle: ({ caller, params, body, address, requestId, write }) =>
        write(async (tx) => {
          const origin = { actor: actorOf(caller), address, requestId };
          const { loanId } = params;
          const { page, made } = await makePlanPage(tx, deps, { loanId, renew: body.renew === true, origin });
          const url = await planAddress(tx, deps, page.id);
          const data = { loan_id: page.loanId, url, expires_at: page.expiresAt.toISOString() };
          return made ? { data } : { data, ...repeated, message: "An address exists already" };
        }),
    }),
  ];
}
