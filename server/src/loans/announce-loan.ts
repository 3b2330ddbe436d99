/**
 * What a merchant hears of its loans. Lending tells every change in the transaction that makes it; here the request
 * follows its account, and what the merchant waits for becomes an event with the record as GET shows it at that step.
 */
import type { Announce, LoanAccount, LoanChange, LoanStatus } from "../lending/account/loan-account.ts";
import { readRepayment } from "../lending/account/read-loan-account.ts";
import { presentRepayment, repaymentData } from "../lending/collect/repayment-on-wire.ts";
import type { Repayment } from "../lending/position/repayment.ts";
import type { Tx } from "../platform/database/database.ts";
import type { EventCatalogue } from "../platform/records/event-catalogue.ts";
import { recordEvents } from "../platform/records/outbox.ts";
import type { Sealer } from "../platform/secrets/crypto.ts";
import { loanResource } from "./loan-request.ts";
import { followAccounts } from "./loan-store.ts";
import { maskLoan } from "./mask-loan.ts";
import { readLoanRecord } from "./read-loan.ts";
import { loanRecord, type PresentedLoan } from "./schemas.ts";

type LoanEvent = keyof typeof loanEvents;

/** Becoming active again sends no event: the repayment that caused it has sent one. */
const moveEvents: Readonly<Partial<Record<LoanStatus, LoanEvent>>> = {
  approved: "loan.approved",
  disbursed: "loan.disbursed",
  rejected: "loan.rejected",
  cancelled: "loan.cancelled",
  overdue: "loan.overdue",
  completed: "loan.completed",
};

export function announceLoan(sealer: Sealer): Announce {
  return async (tx, changes) => {
    const own = changes.filter(({ account }) => account.owner.kind === "loan_request");
    await followAccounts(
      tx,
      own.map(({ account }) => account),
    );
    for (const change of own) {
      if (change.what === "moved") await announceMove(tx, sealer, change);
      if (change.what === "repaid") await announceRepayment(tx, "loan.repayment.successful", change);
      if (change.what === "repayment_reversed") await announceRepayment(tx, "loan.repayment.failed", change);
    }
  };
}

async function announceMove(tx: Tx, sealer: Sealer, change: LoanChange & { what: "moved" }): Promise<void> {
  const { account, from } = change;
  const event = moveEvents[account.status];
  // A loan whose payment came back is approved as it was before.
  const isNews = account.status !== "approved" || from === "pending";
  if (event === undefined || !isNews) return;
  await announceRecord(tx, event, account, await readLoanRecord(tx, sealer, account.owner.id));
}

/** The whole record, with BVN and NIN masked. */
export function announceRecord(tx: Tx, event: LoanEvent, account: LoanAccount, record: PresentedLoan): Promise<void> {
  return recordChange(tx, event, account, maskLoan(record));
}

async function announceRepayment(
  tx: Tx,
  event: LoanEvent,
  { account, repayment }: { readonly account: LoanAccount; readonly repayment: Repayment },
): Promise<void> {
  const found = await readRepayment(tx, account.id, repayment.id);
  if (found === undefined) throw new Error(`repayment ${repayment.id} vanished`);
  await recordChange(tx, event, account, presentRepayment(account.owner.id, found));
}

async function recordChange(tx: Tx, event: LoanEvent, account: LoanAccount, data: Readonly<Record<string, unknown>>) {
  await recordEvents(tx, [
    { event, resourceType: loanResource, resourceId: account.owner.id, resourceVersion: account.version, data },
  ]);
}

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
