/** Monnify's adapter with its twin behind it. */
import { monnify } from "../../src/rails/monnify/provider.ts";
import type { Connected, ConnectionMode } from "../../src/rails/provider.ts";
import { type Fate, missingBank, twinAccounts } from "./bank-contract.ts";
import type { DisbursementWord } from "./monnify-books.ts";
import { type MonnifyTwin, monnifyKeys, startMonnifyTwin } from "./monnify-twin.ts";
import { paymentOrder } from "./payment-order.ts";
import type { PayoutBench } from "./payout-run.ts";

export interface MonnifyBench extends PayoutBench {
  readonly twin: MonnifyTwin;
  readonly connected: Connected;
  /** Another connection to the same twin. */
  connect(changes: Readonly<Record<string, string>>, mode?: ConnectionMode): Connected;
}

const outcomes: Readonly<Record<Fate, DisbursementWord>> = {
  paid: "SUCCESS",
  refused: "FAILED",
  pending: "PENDING",
  "paid, reply lost": "COMPLETED",
};

export async function openMonnifyBench(): Promise<MonnifyBench> {
  const twin = await startMonnifyTwin();
  const connect: MonnifyBench["connect"] = (changes, mode = "live") =>
    monnify.connect({ connectionId: "c", mode, baseUrl: twin.url, credentials: { ...monnifyKeys, ...changes } });
  const connected = connect({});
  if (connected.bank === undefined) throw new Error("the connection has no bank rail");
  const words = { paid: "SUCCESS", refused: "FAILED", "taken back": "REVERSED" } as const;
  const float = twin.books.balance();
  twin.books.missingBanks.add(missingBank);
  return {
    twin,
    connected,
    connect,
    rail: connected.bank,
    tellsTakenBack: true,
    order: (fate) => {
      twin.books.outcome = outcomes[fate];
      if (fate === "paid, reply lost") twin.misbehave(["lost_reply"], "POST /api/v2/disbursements/single");
      return paymentOrder();
    },
    decide: ({ sessionId }, to) => twin.books.settle(sessionId, words[to]),
    moved: ({ sessionId }) => {
      const { status, amount } = twin.books.disbursements.get(sessionId) ?? { status: "none", amount: 0 };
      return status === "SUCCESS" || status === "COMPLETED" ? BigInt(amount) : 0n;
    },
    isOpen: ({ sessionId }) => twin.books.disbursements.get(sessionId)?.status === "PENDING",
    recordName: "responseBody",
    books: {
      orders: twin.books.disbursements,
      paidOut: twin.books.paidOut,
      spent: () => float - twin.books.balance(),
      fees: twin.books.fees,
    },
    accounts: twinAccounts,
  };
}
