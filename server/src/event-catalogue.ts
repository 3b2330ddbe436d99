/** Every event that a merchant can receive, by its name: the union of the domains' catalogues. */
import { billEvents } from "./bills/events.ts";
import { cardEvents } from "./checkout/cards/events.ts";
import { checkoutLoanEvents } from "./checkout/loans/events.ts";
import { sessionEvents } from "./checkout/sessions/events.ts";
import { eventExamples } from "./event-examples.gen.ts";
import { loanEvents } from "./loans/events.ts";
import { type EventCatalogue, mergeEventCatalogues, withExamples } from "./platform/records/event-catalogue.ts";
import { transferEvents } from "./transfers/events.ts";
import { walletEvents } from "./wallets/events.ts";
import { webhookEvents } from "./webhooks/events.ts";

const declared = mergeEventCatalogues([
  loanEvents,
  checkoutLoanEvents,
  cardEvents,
  sessionEvents,
  transferEvents,
  billEvents,
  walletEvents,
  webhookEvents,
]);

export const eventCatalogue: EventCatalogue = withExamples(declared, eventExamples);
