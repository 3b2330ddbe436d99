import { maskDigits } from "../platform/mask-digits.ts";
import type { PresentedLoan } from "./schemas.ts";

/** A loan as it may travel to a webhook: the last four digits of BVN and NIN are enough to recognise them. */
export function maskLoan(record: PresentedLoan): PresentedLoan {
  const { loan_request, loan_details } = record;
  const { daas_user } = loan_request;
  return {
    loan_request: {
      ...loan_request,
      daas_user: { ...daas_user, nin: maskDigits(daas_user.nin), bvn: maskDigits(daas_user.bvn) },
    },
    loan_details: { ...loan_details, user: { ...loan_details.user, bvn: maskDigits(loan_details.user.bvn) } },
  };
}
