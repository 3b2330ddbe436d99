import type { EventCatalogue } from "../platform/records/event-catalogue.ts";
import { lineData } from "./schemas.ts";

export const walletEvents = {
  "wallet.credited": {
    description: "Money came into a wallet from outside: a payment to its virtual account, funding, an operator.",
    data: lineData,
    readAt: "/wallets/transactions?accountId={accountId}",
  },
} as const satisfies EventCatalogue;
