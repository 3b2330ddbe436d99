/** Paystack's card rail with its twin behind it. */
import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { CardRail, LinkedCard } from "../../src/rails/card.ts";
import { paystack } from "../../src/rails/paystack/provider.ts";
import type { Connected } from "../../src/rails/provider.ts";
import type { CardSubject } from "./card-contract.ts";
import { type PaystackTwin, startPaystackTwin } from "./paystack-twin.ts";
import { createCardBooks, type PaystackCardBooks, type TwinAuthorization } from "./paystack-twin-card-books.ts";
import { paystackCards } from "./paystack-twin-cards.ts";

export interface PaystackCardBench extends CardSubject {
  readonly twin: PaystackTwin;
  readonly books: PaystackCardBooks;
  readonly connected: Connected;
  /** Opens the page for a new link and has the holder pay there. Returns the link's id. */
  payOnPage(card?: Partial<TwinAuthorization>): Promise<string>;
  link(linkId: string): ReturnType<CardRail["link"]>;
}

const environmentId = "0198f000-0000-7000-8000-000000000001";
const email = "ada@example.com";

export async function openPaystackCardBench(): Promise<PaystackCardBench> {
  const books = createCardBooks();
  books.refundWord = "processed";
  const twin = await startPaystackTwin(0, { parts: [paystackCards(books)] });
  const { secretKey, domain: mode } = twin.account;
  const connected = paystack.connect({ connectionId: "c", mode, baseUrl: twin.url, credentials: { secretKey } });
  const rail = connected.card;
  if (rail === undefined) throw new Error("the connection has no card rail");
  const customerId = randomUUID();
  const link = (linkId: string) => rail.link({ environmentId, linkId, customerId, cardToken: null });
  const payOnPage: PaystackCardBench["payOnPage"] = async (card) => {
    const linkId = randomUUID();
    const returnUrl = "https://jara.example/card-links/1";
    const started = await rail.startLink?.({ environmentId, linkId, customerId, email, returnUrl });
    expect(started).toMatchObject({ outcome: "started", redirectUrl: expect.stringMatching(/^http:\/\/127.0.0.1:/) });
    books.payOnPage(linkId, card);
    return linkId;
  };
  const words = { confirm: "success", decline: "failed", take_back: "reversed" } as const;
  return {
    twin,
    books,
    connected,
    rail,
    environmentId,
    payOnPage,
    link,
    linkCard: async (): Promise<LinkedCard> => {
      const answer = await link(await payOnPage());
      if (answer.outcome !== "linked") throw new Error(`the card was not linked: ${JSON.stringify(answer)}`);
      return answer.card;
    },
    prepare: async (fate) => {
      if (fate === "lost_reply") twin.misbehave(["lost_reply"], "POST /transaction/charge_authorization");
      else books.fate = fate;
    },
    decide: async (chargeId, decision) => books.settle(chargeId, words[decision]),
    slowRefunds: async () => {
      books.refundWord = "pending";
    },
    endRefund: async (refundId, to) => {
      const refund = books.refunds.find(({ note }) => note === refundId);
      if (refund === undefined) throw new Error(`no refund ${refundId}`);
      refund.status = to === "complete" ? "processed" : "failed";
    },
    loseRefundReply: () => twin.misbehave(["lost_reply"], "POST /refund"),
    takings: async (chargeId) => books.transactions.get(chargeId)?.takings ?? 0,
    givenBack: async (chargeId) => {
      const id = books.transactions.get(chargeId)?.id;
      const back = books.refunds.filter(({ transactionId }) => transactionId === id);
      return { count: back.length, sum: back.reduce((sum, { amount }) => sum + BigInt(amount), 0n) };
    },
  };
}
