/** Paystack's adapter with its twin behind it. */
import type { BankRail } from "../../src/rails/bank.ts";
import { paystack } from "../../src/rails/paystack/provider.ts";
import type { Connected, ConnectionMode } from "../../src/rails/provider.ts";
import { benchOf } from "./bank-bench.ts";
import type { PayoutBench } from "./payout-run.ts";
import { type PaystackTwin, type PaystackTwinOptions, startPaystackTwin } from "./paystack-twin.ts";

export interface PaystackBench extends PayoutBench {
  readonly twin: PaystackTwin;
  readonly connected: Connected;
  /** Another connection to the same twin. */
  connect(secretKey: string, mode: ConnectionMode): Connected & { readonly bank: BankRail };
}

const outcomes = { paid: "success", refused: "failed", pending: "pending", "paid, reply lost": "success" } as const;
const words = { paid: "success", refused: "failed", "taken back": "reversed" } as const;

export async function openPaystackBench(options: PaystackTwinOptions = {}): Promise<PaystackBench> {
  const twin = await startPaystackTwin(0, options);
  const { account, bank } = twin;
  const connect: PaystackBench["connect"] = (secretKey, mode) => {
    const connected = paystack.connect({ connectionId: "c", mode, baseUrl: twin.url, credentials: { secretKey } });
    if (connected.bank === undefined) throw new Error("the connection has no bank rail");
    return { ...connected, bank: connected.bank };
  };
  const connected = connect(account.secretKey, account.domain);
  const bench = benchOf({
    twin,
    connected,
    sendRoute: "POST /transfer",
    recordName: "data",
    missingBanks: bank.missingBanks,
    orders: bank.transfers,
    paidWords: ["success"],
    openWord: "pending",
    expect: (fate) => {
      bank.outcome = outcomes[fate];
    },
    settle: (sessionId, to) => bank.settle(sessionId, words[to]),
    balance: account.balance,
    paidOut: bank.paidOut,
    fees: bank.fees,
  });
  return { ...bench, twin, connected, connect };
}
