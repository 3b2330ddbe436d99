import { repaymentData } from "../lending/repayment-on-wire.ts";
import type { EventCatalogue } from "../platform/records/event-catalogue.ts";
import { loanRecord } from "./schemas.ts";

const record = { data: loanRecord, readAt: "/loans/{loan_request.id}" } as const;
const repayment = { data: repaymentData, readAt: "/loans/{loan_id}/repayments" } as const;

export const loanEvents = {
  "loan.created": { ...record, description: "A loan was asked for." },
  "loan.approved": { ...record, description: "The loan is granted; the money follows." },
  "loan.rejected": { ...record, description: "The loan is not granted." },
  "loan.cancelled": { ...record, description: "The request was taken back before any money went out." },
  "loan.disbursed": { ...record, description: "The money has reached the applicant's bank account." },
  "loan.overdue": { ...record, description: "An instalment was not paid within its days of grace." },
  "loan.completed": { ...record, description: "Everything is repaid." },
  "loan.repayment.successful": { ...repayment, description: "A repayment was recorded." },
  "loan.repayment.failed": { ...repayment, description: "A recorded repayment was reversed: it had not been made." },
} as const satisfies EventCatalogue;
