/** A loan request as the API shows it: one shape in the answer that creates it, another ever after. */

import { nairaNumber, nairaString } from "../money/kobo.ts";
import type { EnvironmentKind } from "../platform/database/database.ts";
import type { LoanRequest } from "./loan-request.ts";
import type { CreatedLoan, PresentedRequest } from "./schemas.ts";

/** What a record says about where it belongs. */
export interface Home {
  readonly merchantId: string;
  readonly kind: EnvironmentKind;
}

/** Times are null here and names are absent, as in the specification. */
export function presentCreated(loan: LoanRequest, { merchantId }: Home): CreatedLoan {
  return {
    merchant_id: merchantId,
    daas_user_id: loan.applicant.id,
    amount: nairaNumber(loan.amount),
    tenure: String(loan.tenor),
    tenure_type: loan.tenorType,
    bank_code: loan.bankCode,
    account_number: loan.accountNumber,
    reference: loan.accountId,
    status: loan.status,
    id: loan.id,
    created_at: null,
    updated_at: null,
  };
}

export function presentRequest(loan: LoanRequest, { merchantId, kind }: Home): PresentedRequest {
  const { applicant } = loan;
  return {
    id: loan.id,
    merchant_id: merchantId,
    daas_user_id: applicant.id,
    amount: nairaString(loan.amount),
    tenure: loan.tenor,
    tenure_type: loan.tenorType,
    bank_code: loan.bankCode,
    bank_name: loan.bankName,
    account_number: loan.accountNumber,
    account_name: loan.accountName,
    reference: loan.accountId,
    status: loan.status,
    environment: kind,
    created_at: loan.createdAt.toISOString(),
    updated_at: loan.updatedAt.toISOString(),
    daas_user: {
      id: applicant.id,
      first_name: applicant.firstName,
      last_name: applicant.lastName,
      phone: applicant.phone,
      email: applicant.email,
      nin: applicant.nin,
      bvn: applicant.bvn,
      created_at: applicant.createdAt.toISOString(),
      updated_at: applicant.updatedAt.toISOString(),
    },
  };
}
