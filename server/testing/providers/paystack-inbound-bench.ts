/** Paystack's inbound rail with its twin behind it. */
import { randomUUID } from "node:crypto";
import { paystack } from "../../src/rails/paystack/provider.ts";
import type { Connected, ConnectionMode } from "../../src/rails/provider.ts";
import type { CreditOddity, InboundSubject } from "./inbound-contract.ts";
import { type PaystackTwin, startPaystackTwin } from "./paystack-twin.ts";
import { createInboundBooks, type PaystackInboundBooks, type TwinCredit } from "./paystack-twin-inbound.ts";

export interface PaystackInboundBench extends InboundSubject {
  readonly twin: PaystackTwin;
  readonly books: PaystackInboundBooks;
  readonly connected: Connected;
}

const environmentId = "0198f000-0000-7000-8000-000000000001";

const oddities: Readonly<Record<CreditOddity, Partial<TwinCredit>>> = {
  failed: { status: "failed" },
  pending: { status: "pending" },
  "taken back": { status: "reversed" },
  "by card": { channel: "card" },
  "of another mode": { domain: "test" },
  "in dollars": { currency: "USD" },
};

export async function openPaystackInboundBench(secretKey = "sk_live_twin"): Promise<PaystackInboundBench> {
  const books = createInboundBooks();
  const twin = await startPaystackTwin(0, { secretKey, parts: [books.part] });
  const mode: ConnectionMode = twin.account.domain;
  const credentials = { secretKey, accountsDomain: "accounts.example.com", accountsPhone: "+2348031234567" };
  const connected = paystack.connect({ connectionId: "c", mode, baseUrl: twin.url, credentials });
  const rail = connected.inbound;
  if (rail === undefined) throw new Error("the connection has no inbound rail");
  return {
    twin,
    books,
    connected,
    rail,
    order: (fate) => {
      books.assignsLater = fate === "later";
      if (fate === "opened, reply lost") twin.misbehave(["lost_reply"], "POST /dedicated_account");
      if (fate === "no answer") twin.misbehave(["unavailable"], "POST /dedicated_account");
      const name = fate === "name refused" ? "0800 0000" : "Mama Put Ikeja";
      return { environmentId, walletId: randomUUID(), name };
    },
    assign: books.assign,
    pay: ({ accountNumber }, amount, oddity) =>
      String(books.payIn(accountNumber, amount, oddity === undefined ? {} : oddities[oddity]).id),
    accountsOf: ({ walletId }) => books.accounts.filter(({ customer }) => customer.email.includes(walletId)).length,
    breakList: () => twin.misbehave(["unavailable"], "GET /transaction"),
  };
}
