/** What an endpoint can ask for: the events of the contract, those of domains still to come included. */
const loanEvents = [
  "created",
  "approved",
  "rejected",
  "cancelled",
  "disbursed",
  "repayment.successful",
  "repayment.failed",
  "overdue",
  "completed",
];

export const contractEvents: readonly string[] = [
  ...loanEvents.map((word) => `loan.${word}`),
  ...loanEvents.map((word) => `bnpl.loan.${word}`),
  "bill.successful",
  "bill.failed",
  "bill.reversed",
  "transfer.completed",
  "transfer.failed",
  "transfer.reversed",
  "transfer.batch.completed",
  "customer.card.link.successful",
  "customer.card.link.failed",
  "checkout.session.completed",
  "checkout.session.expired",
  "wallet.credited",
  "webhook.test",
  "webhook.endpoint.disabled",
];

export const everyEvent = "*";
