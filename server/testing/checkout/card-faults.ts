/**
 * Puts faults between us and a card network: answers that are lost, a worker that dies, orders that arrive twice, a
 * network that forgets or takes its time. Each fault strikes a set number of times and then no more, so that a test
 * ends.
 */
import type { CardChargeOrder, CardLinkOrder, CardRail, CardRefundOrder } from "../../src/rails/card.ts";

export interface CardFaults {
  /** The card is linked, or refused, and the answer is lost. */
  lostLinkAnswers?: number;
  /** The worker dies before the order leaves. */
  crashBeforeCharge?: number;
  /** The money is taken, or refused, and the network answers 500: the adapter cannot tell. */
  errorsAfterCharge?: number;
  /** The worker dies before the refund leaves. */
  crashBeforeRefund?: number;
  /** The worker dies when the money has gone back. */
  crashAfterRefund?: number;
  /** The money goes back, or is refused, and the adapter cannot tell. */
  errorsAfterRefund?: number;
  /** The network refuses to give money back, and keeps no record. */
  declinedRefunds?: number;
  /** The network delivers the order twice; we see the second answer. */
  doubledCharges?: number;
  /** The network is asked and does not know yet, whatever its books say. */
  lateAnswers?: number;
  /** The network is asked and says that it has never heard of the charge. */
  forgottenRecords?: number;
}

export interface FaultyCard {
  readonly rail: CardRail;
  /** Every order that left for the network. */
  readonly links: readonly CardLinkOrder[];
  readonly charges: readonly CardChargeOrder[];
  readonly refunds: readonly CardRefundOrder[];
  readonly queries: () => number;
}

export function withCardFaults(rail: CardRail, faults: CardFaults): FaultyCard {
  const links: CardLinkOrder[] = [];
  const charges: CardChargeOrder[] = [];
  const refunds: CardRefundOrder[] = [];
  let queries = 0;
  const strikes = (fault: keyof CardFaults): boolean => {
    const left = faults[fault] ?? 0;
    if (left > 0) faults[fault] = left - 1;
    return left > 0;
  };
  const charge = (sent: CardChargeOrder) => {
    charges.push(sent);
    return rail.charge(sent);
  };
  return {
    links,
    charges,
    refunds,
    queries: () => queries,
    rail: {
      ...rail,
      async link(sent) {
        links.push(sent);
        const answer = await rail.link(sent);
        return strikes("lostLinkAnswers") ? { outcome: "unknown" } : answer;
      },
      async charge(sent) {
        if (strikes("crashBeforeCharge")) throw new Error("the worker died before the order left");
        const answer = await charge(sent);
        if (strikes("errorsAfterCharge")) return { outcome: "unknown" };
        return strikes("doubledCharges") ? charge(sent) : answer;
      },
      async refund(sent) {
        if (strikes("crashBeforeRefund")) throw new Error("the worker died before the refund left");
        refunds.push(sent);
        if (strikes("declinedRefunds")) return { outcome: "declined", code: "57", message: "The issuer refused it." };
        const answer = await rail.refund(sent);
        if (strikes("crashAfterRefund")) throw new Error("the worker died after the refund");
        return strikes("errorsAfterRefund") ? { outcome: "unknown" } : answer;
      },
      async query(question) {
        queries += 1;
        if (strikes("forgottenRecords")) return { outcome: "no_record" };
        return strikes("lateAnswers") ? { outcome: "unknown" } : rail.query(question);
      },
    },
  };
}
