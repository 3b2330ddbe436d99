import type { EventCatalogue } from "../platform/records/event-catalogue.ts";
import { lineData } from "./schemas.ts";
import { subAccountStateData } from "./sub-account-state.ts";

export const walletEvents = {
  "wallet.credited": {
    description: "Money came into a wallet from outside: a payment to its virtual account, funding, an operator.",
    data: lineData,
    readAt: "/wallets/transactions?accountId={accountId}",
  },
  "wallet.opened": {
    description: "A provider gave a live sub-account its number: it can be paid into and used from now on.",
    data: subAccountStateData,
    readAt: "/wallets/sub-accounts/{id}",
  },
  "wallet.refused": {
    description: "A provider refused to give a sub-account a number. Its externalId is free again.",
    data: subAccountStateData,
    readAt: "/wallets/sub-accounts/{id}",
  },
} as const satisfies EventCatalogue;
