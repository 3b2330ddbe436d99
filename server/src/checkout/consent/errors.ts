import { Type } from "typebox";
import { Timestamp } from "../../platform/http/wire.ts";
import { type ProblemCatalogue, problemsFrom } from "../../platform/problem.ts";

const Waiting = Type.Object({
  retry_after_seconds: Type.Integer({ minimum: 1, examples: [42] }),
  resend_after: Timestamp,
});

export const consentProblems = {
  consent_not_found: {
    status: 404,
    cause: "The customer has not consented to this loan yet.",
    cure: "Ask for a code with POST /loans/bnpl/loans/{loanId}/consent/request, and verify it.",
  },
  consent_given: {
    status: 409,
    cause: "The customer has already consented to this loan.",
    cure: "Go on: GET /loans/bnpl/loans/{loanId} shows what is still missing.",
  },
  consent_terms_changed: {
    status: 409,
    cause: "The terms of the loan have changed since the code was sent.",
    cure: "Show them and request a new code.",
  },
  otp_not_requested: { status: 422, cause: "No code was sent for this yet.", cure: "Request one first." },
  otp_invalid: {
    status: 422,
    cause: "The code is wrong.",
    cure: "data.attempts_remaining says how many tries are left for it.",
    data: Type.Object({ attempts_remaining: Type.Integer({ minimum: 0, examples: [4] }) }),
  },
  otp_expired: { status: 422, cause: "The code has expired.", cure: "Request a new one." },
  otp_attempts_exceeded: { status: 422, cause: "The code was tried too often.", cure: "Request a new one." },
  otp_resend_too_early: {
    status: 429,
    cause: "A code was sent a moment ago.",
    cure: "Request another after the seconds in Retry-After.",
    retryAfter: true,
    data: Waiting,
  },
  otp_limit_reached: {
    status: 429,
    cause: "Too many codes were sent to this customer.",
    cure: "Request another after the seconds in Retry-After.",
    retryAfter: true,
    data: Waiting,
  },
} as const satisfies ProblemCatalogue;

export const consentProblem = problemsFrom(consentProblems);
