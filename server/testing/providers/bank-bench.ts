/** What the benches of all bank adapters have in common: an adapter with its twin behind it, in the contract's words. */
import type { Connected } from "../../src/rails/provider.ts";
import { type Decision, type Fate, missingBank, twinAccounts } from "./bank-contract.ts";
import { paymentOrder } from "./payment-order.ts";
import type { PayoutBench } from "./payout-run.ts";

/** How a provider's twin says it. */
export interface TwinBank {
  readonly twin: PayoutBench["twin"];
  readonly connected: Connected;
  /** The route that takes orders. */
  readonly sendRoute: string;
  /** Where the record of a payment stands in a reply. */
  readonly recordName: string;
  readonly missingBanks: Set<string>;
  readonly orders: ReadonlyMap<string, { readonly status: string; readonly amount: number }>;
  readonly paidWords: readonly string[];
  readonly openWord: string;
  expect(fate: Fate): void;
  settle(sessionId: string, to: Decision): void;
  balance(): number;
  paidOut(): number;
  fees(): number;
}

export function benchOf(bank: TwinBank): PayoutBench {
  const rail = bank.connected.bank;
  if (rail === undefined) throw new Error("the connection has no bank rail");
  const float = bank.balance();
  bank.missingBanks.add(missingBank);
  return {
    twin: bank.twin,
    rail,
    tellsTakenBack: true,
    order: (fate) => {
      bank.expect(fate);
      if (fate === "paid, reply lost") bank.twin.misbehave(["lost_reply"], bank.sendRoute);
      return paymentOrder();
    },
    decide: ({ sessionId }, to) => bank.settle(sessionId, to),
    moved: ({ sessionId }) => {
      const found = bank.orders.get(sessionId);
      return found !== undefined && bank.paidWords.includes(found.status) ? BigInt(found.amount) : 0n;
    },
    isOpen: ({ sessionId }) => bank.orders.get(sessionId)?.status === bank.openWord,
    recordName: bank.recordName,
    books: {
      orders: bank.orders,
      paidOut: bank.paidOut,
      spent: () => float - bank.balance(),
      fees: bank.fees,
    },
    accounts: twinAccounts,
  };
}
