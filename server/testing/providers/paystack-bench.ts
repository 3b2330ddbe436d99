/** Paystack's adapter with its twin behind it. */
import type { BankRail } from "../../src/rails/bank.ts";
import { paystack } from "../../src/rails/paystack/provider.ts";
import type { Connected, ConnectionMode } from "../../src/rails/provider.ts";
import { type Fate, missingBank, twinAccounts } from "./bank-contract.ts";
import { paymentOrder } from "./payment-order.ts";
import type { PayoutBench } from "./payout-run.ts";
import { type PaystackTwin, type PaystackTwinOptions, startPaystackTwin } from "./paystack-twin.ts";

export interface PaystackBench extends PayoutBench {
  readonly twin: PaystackTwin;
  readonly connected: Connected;
  /** Another connection to the same twin. */
  connect(secretKey: string, mode: ConnectionMode): Connected & { readonly bank: BankRail };
}

export async function openPaystackBench(options: PaystackTwinOptions = {}): Promise<PaystackBench> {
  const twin = await startPaystackTwin(0, options);
  const connect: PaystackBench["connect"] = (secretKey, mode) => {
    const connected = paystack.connect({ connectionId: "c", mode, baseUrl: twin.url, credentials: { secretKey } });
    if (connected.bank === undefined) throw new Error("the connection has no bank rail");
    return { ...connected, bank: connected.bank };
  };
  const connected = connect(twin.account.secretKey, twin.account.domain);
  const outcomes: Readonly<Record<Fate, "success" | "failed" | "pending">> = {
    paid: "success",
    refused: "failed",
    pending: "pending",
    "paid, reply lost": "success",
  };
  const words = { paid: "success", refused: "failed", "taken back": "reversed" } as const;
  const float = twin.account.balance();
  twin.bank.missingBanks.add(missingBank);
  return {
    twin,
    connected,
    connect,
    rail: connected.bank,
    tellsTakenBack: true,
    order: (fate) => {
      twin.bank.outcome = outcomes[fate];
      if (fate === "paid, reply lost") twin.misbehave(["lost_reply"], "POST /transfer");
      return paymentOrder();
    },
    decide: ({ sessionId }, to) => twin.bank.settle(sessionId, words[to]),
    moved: ({ sessionId }) => {
      const { status, amount } = twin.bank.transfers.get(sessionId) ?? { status: "none", amount: 0 };
      return status === "success" ? BigInt(amount) : 0n;
    },
    isOpen: ({ sessionId }) => twin.bank.transfers.get(sessionId)?.status === "pending",
    recordName: "data",
    books: {
      orders: twin.bank.transfers,
      paidOut: twin.bank.paidOut,
      spent: () => float - twin.account.balance(),
      fees: () => twin.bank.fees(),
    },
    accounts: twinAccounts,
  };
}
