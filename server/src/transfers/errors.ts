import { Type } from "typebox";
import { commonProblems, type ProblemCatalogue, problemsFrom } from "../platform/problem.ts";

export const transferProblems = {
  transfer_not_found: { status: 404, message: "No transfer has this id or reference." },
  batch_not_found: { status: 404, message: "No bulk transfer has this id." },
  account_not_found: {
    status: 404,
    message: "The bank has no account with this number. Check the number and the bank code.",
  },
  unknown_bank: { status: 422, message: "No bank has this code. GET /transfers/banks lists them all." },
  account_number_invalid: {
    status: 422,
    message: "The account number's check digit does not fit the bank. Check the number and the bank code.",
  },
  amount_below_minimum: { status: 422, message: "The smallest transfer is 100.00 NGN." },
  amount_above_maximum: { status: 422, message: "The largest transfer is 10,000,000.00 NGN. Split it into several." },
  account_name_mismatch: {
    status: 422,
    message:
      "The bank's name for the account holder is not accountName. Nothing was taken; compare both names in data.",
    data: Type.Object({
      expectedName: Type.String({ examples: ["ADA OBI"] }),
      accountName: Type.String({ description: "The name that the bank has.", examples: ["CHIDI OKAFOR"] }),
    }),
  },
  name_enquiry_invalid: {
    status: 422,
    message:
      "The nameEnquiryReference has expired or belongs to another account. Ask GET /transfers/name-enquiry again.",
  },
  bank_unavailable: {
    status: 503,
    message:
      "The bank does not answer at the moment. Nothing was taken; retry later or see GET /transfers/bank/health.",
    retryAfter: true,
  },
  duplicate_reference: {
    status: 422,
    message: "Another item of this request has the same reference. Give each its own.",
    data: Type.Object({ firstIndex: Type.Integer({ examples: [0] }) }),
  },
  batch_refused: {
    status: 422,
    message:
      "Some items cannot be paid, so none was taken. errors names each; send onInvalid: continue to pay the others.",
    data: commonProblems.validation_failed.data,
  },
} as const satisfies ProblemCatalogue;

export const transferProblem = problemsFrom(transferProblems);
