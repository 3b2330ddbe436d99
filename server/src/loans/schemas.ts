/** Loan requests as the API shows them. The two shapes of one record are the specification's. */

import { type Static, Type } from "typebox";
import { loanTransitions } from "../lending/account/loan-account.ts";
import { scheduleItem } from "../lending/account/schedule-on-wire.ts";
import { tenorTypes } from "../lending/pricing/product.ts";
import { named } from "../platform/http/named-schema.ts";
import { EnvironmentWord, NairaNumber, NairaString, Nullable, OneOf, Timestamp, Uuid } from "../platform/http/wire.ts";
import { keysOf } from "../platform/keys-of.ts";

export const loanStatuses = keysOf(loanTransitions);
const Status = named(
  "LoanStatus",
  OneOf(loanStatuses, { description: "Moves as drawn in the section Loans, under States of a loan." }),
);
const TenureTypeWord = OneOf(tenorTypes, { examples: ["monthly"] });
const BankCode = Type.String({ examples: ["058"] });
const AccountNumber = Type.String({ examples: ["0123456789"] });
const Bvn = Type.String({ description: "Eleven digits; masked in events.", examples: ["22123456770"] });
const Nin = Type.String({ description: "Eleven digits; masked in events.", examples: ["12345678901"] });
const FirstName = Type.String({ examples: ["Adaeze"] });
const LastName = Type.String({ examples: ["Okafor"] });
const Phone = Type.String({ description: "E.164.", examples: ["+2348031234567"] });
const Email = Type.String({ examples: ["adaeze@example.com"] });

/** The answer to POST /loans/create. */
export const createdLoan = named(
  "CreatedLoan",
  Type.Object({
    merchant_id: Uuid,
    daas_user_id: Uuid,
    amount: NairaNumber,
    tenure: Type.String({ examples: ["6"] }),
    tenure_type: TenureTypeWord,
    bank_code: BankCode,
    account_number: AccountNumber,
    reference: Uuid,
    status: Status,
    id: Uuid,
    created_at: Type.Null(),
    updated_at: Type.Null(),
  }),
);

const daasUser = named(
  "Applicant",
  Type.Object({
    id: Uuid,
    first_name: FirstName,
    last_name: LastName,
    phone: Phone,
    email: Email,
    nin: Nin,
    bvn: Bvn,
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
);

export const loanRequest = named(
  "LoanRequest",
  Type.Object({
    id: Uuid,
    merchant_id: Uuid,
    daas_user_id: Uuid,
    amount: NairaString,
    tenure: Type.Integer({ examples: [6] }),
    tenure_type: TenureTypeWord,
    bank_code: BankCode,
    bank_name: Nullable(Type.String({ examples: ["Guaranty Trust Bank"] })),
    account_number: AccountNumber,
    account_name: Nullable(Type.String({ examples: ["Adaeze Okafor"] })),
    reference: Uuid,
    status: Status,
    environment: EnvironmentWord,
    created_at: Timestamp,
    updated_at: Timestamp,
    daas_user: daasUser,
  }),
);

const loanUser = named(
  "LoanUser",
  Type.Object({
    id: Uuid,
    first_name: FirstName,
    last_name: LastName,
    email: Email,
    account_number: AccountNumber,
    bvn: Bvn,
    phone_number: Phone,
  }),
);

const loanTypeDetail = named(
  "LoanProduct",
  Type.Object({
    id: Type.String({ examples: ["01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11"] }),
    name: Type.String({ examples: ["Standard"] }),
    description: Type.String({ examples: ["Flat interest, repaid in equal instalments."] }),
  }),
);

const loanDetails = named(
  "LoanDetails",
  Type.Object({
    id: Uuid,
    user_id: Uuid,
    merchant_id: Uuid,
    amount: NairaNumber,
    tenor: Type.Integer({ examples: [6] }),
    tenor_type: Type.String({ examples: ["FLEXIBLE"] }),
    status: Type.Integer({
      description:
        "1 pending, 2 approved, 3 disbursed, 4 active, 5 completed, 6 rejected, 7 overdue, 8 cancelled, 9 written_off.",
      examples: [2],
    }),
    status_text: Status,
    balance: NairaNumber,
    next_repayment_amount: NairaNumber,
    to_repay: NairaNumber,
    to_repay_when: Type.String({ examples: ["every month"] }),
    total_interest: NairaNumber,
    interest_rate: Type.Number({ description: "Percent per period.", examples: [4] }),
    repayment_mode: OneOf(["DAILY", "WEEKLY", "MONTHLY"], { examples: ["MONTHLY"] }),
    total_repayment: NairaNumber,
    credit: Type.Number({
      description: "Paid beyond the loan and not given back; POST /loans/{id}/credit/refund gives it back.",
      examples: [0],
    }),
    next_due_date: Nullable(Timestamp),
    approved_date: Nullable(Timestamp),
    start_date: Nullable(Timestamp),
    end_date: Nullable(Timestamp),
    loan_type_detail: loanTypeDetail,
    user: loanUser,
    repayment_schedules: Type.Array(scheduleItem),
    schedules: Type.Array(scheduleItem),
  }),
);

/** What GET /loans/{id} shows and what every event about the loan carries. */
export const loanRecord = named("Loan", Type.Object({ loan_request: loanRequest, loan_details: loanDetails }));

export type CreatedLoan = Static<typeof createdLoan>;
export type PresentedRequest = Static<typeof loanRequest>;
export type PresentedDetails = Static<typeof loanDetails>;
export type PresentedLoan = Static<typeof loanRecord>;

export const banksData = Type.Array(
  named(
    "LoanBank",
    Type.Object({
      bank_name: Type.String({ examples: ["Guaranty Trust Bank"] }),
      bank_code: BankCode,
      nip_code: Type.String({ examples: ["000013"] }),
    }),
  ),
);
