/** Monnify's adapter with its twin behind it. */
import { monnify } from "../../src/rails/monnify/provider.ts";
import type { Connected, ConnectionMode } from "../../src/rails/provider.ts";
import { benchOf } from "./bank-bench.ts";
import { type MonnifyTwin, monnifyKeys, startMonnifyTwin } from "./monnify-twin.ts";
import type { PayoutBench } from "./payout-run.ts";

export interface MonnifyBench extends PayoutBench {
  readonly twin: MonnifyTwin;
  readonly connected: Connected;
  /** Another connection to the same twin. */
  connect(changes: Readonly<Record<string, string>>, mode?: ConnectionMode): Connected;
}

const outcomes = { paid: "SUCCESS", refused: "FAILED", pending: "PENDING", "paid, reply lost": "COMPLETED" } as const;
const words = { paid: "SUCCESS", refused: "FAILED", "taken back": "REVERSED" } as const;

export async function openMonnifyBench(): Promise<MonnifyBench> {
  const twin = await startMonnifyTwin();
  const { books } = twin;
  const connect: MonnifyBench["connect"] = (changes, mode = "live") =>
    monnify.connect({ connectionId: "c", mode, baseUrl: twin.url, credentials: { ...monnifyKeys, ...changes } });
  const connected = connect({});
  const bench = benchOf({
    twin,
    connected,
    sendRoute: "POST /api/v2/disbursements/single",
    recordName: "responseBody",
    missingBanks: books.missingBanks,
    orders: books.disbursements,
    paidWords: ["SUCCESS", "COMPLETED"],
    openWord: "PENDING",
    expect: (fate) => {
      books.outcome = outcomes[fate];
    },
    settle: (sessionId, to) => books.settle(sessionId, words[to]),
    balance: books.balance,
    paidOut: books.paidOut,
    fees: books.fees,
  });
  return { ...bench, twin, connected, connect };
}
