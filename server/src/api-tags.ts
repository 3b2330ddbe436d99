/** The sections of the API reference, in the order in which it shows them, with the states of their records. */
import { billTransitions } from "./bills/bill.ts";
import { linkTransitions } from "./checkout/cards/card-link.ts";
import { checkoutLoanTransitions, consentTransitions } from "./checkout/loans/checkout-loan.ts";
import { sessionTransitions } from "./checkout/sessions/checkout-session.ts";
import { loanTransitions } from "./lending/loan-account.ts";
import { drawStates } from "./platform/http/openapi/states.ts";
import { transferTransitions } from "./transfers/transfer.ts";

const sentBack =
  "A completed loan is open again when a repayment is reversed. A loan whose payment the bank sent back is approved again.";

/** The text, then the drawings. */
const section = (...parts: readonly string[]): string => parts.join("\n\n");

export const apiTags = [
  {
    name: "Loans",
    description: section(
      "Loan requests for applicants, their schedules, repayments and every figure explained.",
      drawStates("a loan", loanTransitions, sentBack),
    ),
  },
  {
    name: "Checkout",
    description: section(
      "Customers buy on credit: eligibility, consent by a code, cards, and the loans that follow.",
      drawStates("a checkout loan", checkoutLoanTransitions, sentBack),
      drawStates("a consent", consentTransitions),
      drawStates("a checkout session", sessionTransitions),
      drawStates("a card link", linkTransitions),
    ),
  },
  {
    name: "Transfers",
    description: section(
      "Payouts to Nigerian bank accounts, one at a time or thousands in a request.",
      drawStates("a transfer", transferTransitions),
    ),
  },
  {
    name: "Bills",
    description: section(
      "Airtime, data, electricity, TV and betting: what is on offer, who the customer is, vending.",
      drawStates("a bill", billTransitions),
    ),
  },
  { name: "Webhooks", description: "Where events are sent, and what they look like when they arrive." },
  { name: "Events", description: "The log of everything that happened: read it, follow it, have it sent again." },
  { name: "Wallets", description: "The main wallet, sub-accounts with their virtual account numbers, and statements." },
  { name: "Sandbox", description: "Steers a sandbox: its clock, its money, the outcomes of what is simulated." },
  { name: "Operator", description: "For people who run the service: merchants, environments, keys, the audit trail." },
];
