import { Type } from "typebox";
import { Timestamp } from "../../platform/http/wire.ts";
import { type ProblemCatalogue, problemsFrom } from "../../platform/problem.ts";

const Waiting = Type.Object({
  retry_after_seconds: Type.Integer({ minimum: 1, examples: [42] }),
  resend_after: Timestamp,
});

export const consentProblems = {
  consent_not_found: { status: 404, message: "The customer has not consented to this loan yet." },
  consent_given: { status: 409, message: "The customer has already consented to this loan." },
  consent_terms_changed: {
    status: 409,
    message: "The terms of the loan have changed since the code was sent. Show them and request a new code.",
  },
  otp_not_requested: { status: 422, message: "No code was sent for this yet. Request one first." },
  otp_invalid: {
    status: 422,
    message: "The code is wrong. data.attempts_remaining says how many tries are left for it.",
    data: Type.Object({ attempts_remaining: Type.Integer({ minimum: 0, examples: [4] }) }),
  },
  otp_expired: { status: 422, message: "The code has expired. Request a new one." },
  otp_attempts_exceeded: { status: 422, message: "The code was tried too often. Request a new one." },
  otp_resend_too_early: {
    status: 429,
    message: "A code was sent a moment ago. Request another after the seconds in Retry-After.",
    retryAfter: true,
    data: Waiting,
  },
  otp_limit_reached: {
    status: 429,
    message: "Too many codes were sent to this customer. Request another after the seconds in Retry-After.",
    retryAfter: true,
    data: Waiting,
  },
} as const satisfies ProblemCatalogue;

export const consentProblem = problemsFrom(consentProblems);
