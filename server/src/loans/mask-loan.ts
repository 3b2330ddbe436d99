import type { PresentedLoan } from "./schemas.ts";

/** A loan as it may travel to a webhook: the last four digits of BVN and NIN are enough to recognise them. */
export function maskLoan(record: PresentedLoan): PresentedLoan {
  const { loan_request, loan_details } = record;
  const { daas_user } = loan_request;
  return {
    loan_request: { ...loan_request, daas_user: { ...daas_user, nin: mask(daas_user.nin), bvn: mask(daas_user.bvn) } },
    loan_details: { ...loan_details, user: { ...loan_details.user, bvn: mask(loan_details.user.bvn) } },
  };
}

function mask(digits: string): string {
  return digits.slice(-4).padStart(digits.length, "*");
}
