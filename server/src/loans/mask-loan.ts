import type { Caller } from "../platform/http/caller.ts";
import { maskDigits } from "../platform/redact.ts";
import type { PresentedLoan, PresentedRequest } from "./schemas.ts";

/** A loan as it may travel to a webhook: the last four digits of BVN and NIN are enough to recognise them. */
export function maskLoan({ loan_request, loan_details }: PresentedLoan): PresentedLoan {
  const { user } = loan_details;
  return {
    loan_request: maskRequest(loan_request),
    loan_details: { ...loan_details, user: { ...user, bvn: maskDigits(user.bvn) } },
  };
}

function maskRequest({ daas_user, ...request }: PresentedRequest): PresentedRequest {
  return { ...request, daas_user: { ...daas_user, nin: maskDigits(daas_user.nin), bvn: maskDigits(daas_user.bvn) } };
}

/** Programs see what the specification says. People at the console see the numbers masked, and reveal them by themselves. */
export function loanFor({ person }: Caller, loan: PresentedLoan): PresentedLoan {
  return person === null ? loan : maskLoan(loan);
}

export function requestFor({ person }: Caller, request: PresentedRequest): PresentedRequest {
  return person === null ? request : maskRequest(request);
}
