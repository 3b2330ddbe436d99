import { Type } from "typebox";
import { wayBack } from "../lending/account/loan-account.ts";
import { drawStates } from "../platform/http/openapi/states.ts";
import type { EventCatalogue } from "../platform/records/event-catalogue.ts";
import type { OrderBook } from "../platform/records/order-book.ts";
import type { OwedKind } from "../platform/records/owed-kind.ts";
import type { Slice } from "../platform/slice-description.ts";
import { linkTransitions } from "./cards/card-link.ts";
import { cardProblems } from "./cards/errors.ts";
import { type CardSandboxDependencies, cardSandboxRoutes } from "./cards/sandbox-routes.ts";
import { linkEventData } from "./cards/schemas.ts";
import { cardSealedColumns } from "./cards/sealed-columns.ts";
import { type CardSteering, cardSteerRoutes } from "./cards/steer-routes.ts";
import {
  type CheckoutTaskDependencies,
  checkoutSweepSources,
  checkoutTaskKinds,
  checkoutTasks,
} from "./checkout.job.ts";
import { consentProblems } from "./consent/errors.ts";
import { openCheckout } from "./credit/policies.ts";
import { customerProblems } from "./customers/errors.ts";
import { customerSealedColumns } from "./customers/sealed-columns.ts";
import { loanMoved } from "./follow-loans.ts";
import { announceCheckoutLoan } from "./loans/announce-checkout-loan.ts";
import { checkoutLoanTransitions, consentTransitions } from "./loans/checkout-loan.ts";
import { checkoutLoanProblems } from "./loans/errors.ts";
import { checkoutLoanEvents } from "./loans/events.ts";
import { planSealedColumns } from "./plans/plan-page-store.ts";
import { type CheckoutRouteDependencies, checkoutRoutes } from "./routes.ts";
import { searchedCheckout } from "./search-store.ts";
import { sessionTransitions } from "./sessions/checkout-session.ts";
import { sessionEvents } from "./sessions/end-session.ts";
import { sessionProblems } from "./sessions/read-session.ts";
import { sessionSealedColumns } from "./sessions/session-store.ts";
import { checkoutTrace } from "./trace-checkout.ts";
import { verifyCardRefunds, verifyCredit, verifyPolicies } from "./verify-checkout.ts";

const fieldsOfCards = {
  loanId: Type.String({ format: "uuid", description: "Card charges and refunds: the loan that they are for." }),
};

/** CBN (June 2020): disputes of payments with a card on the web end within three days. */
const cardClocks = [{ name: "resolved", seconds: 259_200 }];

/** Charges and refunds whose outcome the card network owes us. */
const owedCardOutcomes: readonly OwedKind[] = [
  {
    type: "card_charge",
    noun: "card charges",
    gauge: "jara_unknown_card_charges",
    clocks: cardClocks,
    fields: fieldsOfCards,
    detail: (column) => ({ loanId: column("loan_id") }),
  },
  {
    type: "card_refund",
    noun: "card refunds",
    gauge: "jara_unknown_card_refunds",
    clocks: cardClocks,
    fields: fieldsOfCards,
    detail: (column) => ({ loanId: column("loan_id") }),
  },
];

/** Charges and refunds, to be held against a processor's lists. What cards have paid stands there as owed to us. */
const cardOrderBooks: readonly OrderBook[] = [
  {
    kind: "charge",
    type: "card_charge",
    port: "card",
    booked: { account: "card_settlement", sign: -1n },
  },
  {
    kind: "refund",
    type: "card_refund",
    port: "card",
    booked: { account: "card_settlement", sign: 1n },
  },
];

const cardEvents = {
  "customer.card.link.successful": {
    data: linkEventData,
    description: "A customer has linked a card. Loans that waited for one go on.",
  },
  "customer.card.link.failed": {
    data: linkEventData,
    description: "The card network refused the card that a customer wanted to link; another can be tried.",
  },
} as const satisfies EventCatalogue;

interface RouteNeeds extends CheckoutRouteDependencies {
  readonly simulatedCard: Pick<CardSteering, "decideCharge" | "decideRefund"> & {
    readonly makeToken: CardSandboxDependencies["makeCardToken"];
  };
}

export const checkoutSlice: Slice<RouteNeeds, CheckoutTaskDependencies> = {
  sections: [
    {
      name: "Checkout",
      description: [
        "Customers buy on credit: eligibility, consent by a code, cards, and the loans that follow.",
        drawStates("a checkout loan", checkoutLoanTransitions, wayBack),
        drawStates("a consent", consentTransitions),
        drawStates("a checkout session", sessionTransitions),
        drawStates("a card link", linkTransitions),
      ].join("\n\n"),
    },
  ],
  scopes: ["checkout"],
  problems: { ...customerProblems, ...checkoutLoanProblems, ...consentProblems, ...cardProblems, ...sessionProblems },
  events: { ...checkoutLoanEvents, ...cardEvents, ...sessionEvents },
  sealedColumns: [...customerSealedColumns, ...cardSealedColumns, ...sessionSealedColumns, ...planSealedColumns],
  lookupFunctions: {
    "find_page(text,bytea)":
      "A browser carries a page's token; the token tells which environment its record belongs to.",
    "find_unidentified_customers(uuid,uuid,integer)":
      "The sweeper looks for customers of any environment whose identity is not established.",
    "find_waiting_checkout_loans(boolean,integer,uuid,uuid,integer)":
      "The sweeper looks for checkout loans of any environment that nothing expires or pays out.",
    "find_open_checkout_sessions(uuid,uuid,integer)":
      "The sweeper looks for checkouts of any environment that time will end.",
    "find_card_work(text,uuid,uuid,integer)":
      "The sweeper looks for cards to forget and collections of any environment that nothing will move.",
    "read_link_tries(uuid,timestamp with time zone)":
      "A person who tries cards out is counted at all merchants of a lender; a tenant learns the sums and no rows.",
    "read_card_declines(uuid,uuid)": "A declining card waits at all merchants of a lender; a tenant learns how long.",
    "read_refused_card(bytea[],timestamp with time zone)":
      "A card that networks refused to link is counted at all merchants of a lender; a tenant learns how often.",
    "read_person_standing(bytea[],bytea[],bytea[],text[],bytea[],uuid,integer,integer)":
      "One person has one limit at all merchants of a lender; a tenant learns the sums and no rows.",
  },
  queues: { messages: { says: "Codes and links that wait to be sent to customers", slowSeconds: 60 } },
  decisions: ["checkout_loan_payout", "contact_change", "identity"],
  owedKinds: owedCardOutcomes,
  orderBooks: cardOrderBooks,
  traces: [checkoutTrace],
  searched: searchedCheckout,
  taskKinds: checkoutTaskKinds,
  sweepSources: checkoutSweepSources,
  environmentOpened: openCheckout,
  checks: [verifyCredit, verifyPolicies, verifyCardRefunds],
  routes: (needs) => [
    ...checkoutRoutes(needs),
    ...cardSandboxRoutes({ ...needs, loanMoved, makeCardToken: needs.simulatedCard.makeToken }),
    ...cardSteerRoutes({ ...needs, ...needs.simulatedCard, announce: announceCheckoutLoan({ loanMoved }) }),
  ],
  tasks: checkoutTasks,
};
