import { repaymentData } from "../../lending/collect/repayment-on-wire.ts";
import type { EventCatalogue } from "../../platform/records/event-catalogue.ts";
import { checkoutLoanData, creditRefundData, failedRepaymentData, reductionData } from "./schemas.ts";

const record = { data: checkoutLoanData, readAt: "/loans/bnpl/loans/{id}" } as const;
const repayments = { readAt: "/loans/bnpl/loans/{loan_id}/repayments" } as const;

export const checkoutLoanEvents = {
  "bnpl.loan.created": { ...record, description: "A checkout loan was asked for." },
  "bnpl.loan.approved": { ...record, description: "Consent is given and a card is linked; the money follows." },
  "bnpl.loan.rejected": { ...record, description: "The loan is not granted." },
  "bnpl.loan.cancelled": { ...record, description: "The loan was taken back before any money went out." },
  "bnpl.loan.expired": { ...record, description: "The customer did not consent or link a card within a day." },
  "bnpl.loan.disbursed": { ...record, description: "The money has reached your bank account." },
  "bnpl.loan.overdue": { ...record, description: "An instalment was not paid within its days of grace." },
  "bnpl.loan.completed": { ...record, description: "Everything is repaid." },
  "bnpl.loan.refunded": {
    data: reductionData,
    description: "You refunded the order, or part of it, and the customer's plan has shrunk.",
  },
  "bnpl.loan.credit.refunded": {
    data: creditRefundData,
    description: "The customer got back what was overpaid, or what you refunded after the loan was repaid.",
  },
  "bnpl.loan.repayment.successful": { ...repayments, data: repaymentData, description: "A repayment was recorded." },
  "bnpl.loan.repayment.failed": {
    data: failedRepaymentData,
    description: "A card could not be charged, or a recorded repayment was reversed.",
  },
} as const satisfies EventCatalogue;
