import { describeRoute, type Route } from "../../platform/http/route.ts";
import { requireCheckoutLoan } from "../loans/read-checkout-loan.ts";
import { LoanParams } from "../loans/schemas.ts";
import type { ConsentRecord, ConsentRequest } from "./consent.ts";
import { findRecord } from "./consent-store.ts";
import { consentProblem } from "./errors.ts";
import type { CodeDependencies } from "./issue-code.ts";
import { requestConsent } from "./request-consent.ts";
import {
  consentData,
  consentRequestData,
  type PresentedConsent,
  type VerifiedConsent,
  verifiedData,
  verifyBody,
} from "./schemas.ts";
import type { ConsentTerms } from "./terms.ts";
import { answerCode, giveConsent, type VerifyDependencies } from "./verify-consent.ts";

export type ConsentRouteDependencies = CodeDependencies & VerifyDependencies;

const common = { tag: "Checkout", params: LoanParams } as const;
const notFound = "checkout_loan_not_found";

export function consentRoutes(deps: ConsentRouteDependencies): Route[] {
  return [requestRoute(deps), verifyRoute(deps), readRoute()];
}

function requestRoute(deps: ConsentRouteDependencies): Route {
  return describeRoute("key", {
    ...common,
    method: "POST",
    path: "/loans/bnpl/loans/{loanId}/consent/request",
    operationId: "requestConsent",
    scope: "checkout:write",
    summary: "Request consent",
    description:
      "Sends the customer a code of six digits by SMS, for the loan's terms as GET shows them now. It is valid for 10 minutes and 5 tries; an earlier code stops working. Another can be sent after 60 s, 3 within 10 minutes, 10 a day to one customer. In a sandbox the code is 123456, and the message can be read at GET /sandbox/messages.",
    reply: { status: 200, title: "Consent", message: "Code sent", data: consentRequestData },
    problems: [
      notFound,
      "consent_given",
      "invalid_state",
      "otp_resend_too_early",
      "otp_limit_reached",
      "rail_not_configured",
      "lender_not_configured",
    ],
    handle: ({ params, write }) =>
      write(async (tx) => ({ data: presentRequest(await requestConsent(tx, deps, { loanId: params.loanId })) })),
  });
}

function verifyRoute(deps: ConsentRouteDependencies): Route {
  return describeRoute("key", {
    ...common,
    method: "POST",
    path: "/loans/bnpl/loans/{loanId}/consent/verify",
    operationId: "verifyConsent",
    scope: "checkout:write",
    summary: "Verify consent",
    description:
      "Takes the code that the customer received. Every code that is sent here counts as a try, right or wrong, before it is compared; a repeated request with the same Idempotency-Key does not count. If a card is linked, the loan is then approved; otherwise it waits for one.",
    body: verifyBody,
    reply: { status: 200, title: "Consent", message: "Consent given", data: verifiedData },
    problems: [
      notFound,
      "consent_given",
      "consent_terms_changed",
      "invalid_state",
      "otp_not_requested",
      "otp_invalid",
      "otp_expired",
      "otp_attempts_exceeded",
    ],
    handle: async (request) => {
      const kept = await request.kept<VerifiedConsent>();
      if (kept !== undefined) return kept;
      const { environmentId } = request.caller;
      const answered = await answerCode(deps, { environmentId, loanId: request.params.loanId, otp: request.body.otp });
      return request.write(async (tx) => {
        const { record, loan } = await giveConsent(tx, deps, answered);
        return {
          data: {
            loan_id: loan.id,
            consent_status: "consented" as const,
            status: loan.status,
            consented_at: record.consentedAt.toISOString(),
          },
        };
      });
    },
  });
}

function readRoute(): Route {
  return describeRoute("key", {
    ...common,
    method: "GET",
    path: "/loans/bnpl/loans/{loanId}/consent",
    operationId: "getConsent",
    scope: "checkout:read",
    summary: "Read the consent",
    description:
      "What the customer agreed to, when, and by which message, as evidence. 404 before the customer has consented.",
    reply: { status: 200, title: "Consent", message: "Consent retrieved", data: consentData },
    problems: [notFound, "consent_not_found"],
    handle: ({ params, read }) =>
      read(async (tx) => {
        const loan = await requireCheckoutLoan(tx, params.loanId);
        const record = await findRecord(tx, loan.id);
        if (record === undefined) throw consentProblem("consent_not_found");
        return { data: presentConsent(record) };
      }),
  });
}

export function presentRequest({ subject, channel, destination, expiresAt, resendAt }: ConsentRequest) {
  return {
    loan_id: subject.id,
    consent_status: "pending_consent" as const,
    channel,
    destination,
    expires_at: expiresAt.toISOString(),
    resend_after: resendAt.toISOString(),
  };
}

export function presentConsent(record: ConsentRecord): PresentedConsent {
  return {
    id: record.id,
    loan_id: record.loanId,
    customer_id: record.customerId,
    consent_status: "consented",
    channel: record.channel,
    destination: record.destination,
    message_id: record.messageId,
    terms: presentTerms(record.terms),
    schedule_hash: record.scheduleHash.toString("hex"),
    requested_at: record.requestedAt.toISOString(),
    consented_at: record.consentedAt.toISOString(),
  };
}

function presentTerms({ schedule, conditions, ...terms }: ConsentTerms): PresentedConsent["terms"] {
  return { ...terms, schedule: [...schedule], ...(conditions === undefined ? {} : { conditions: [...conditions] }) };
}
