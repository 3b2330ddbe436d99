/**
 * Puts faults between us and a biller: answers that are lost, a worker that dies, orders that arrive twice, a biller
 * that forgets or takes its time. Each fault strikes a set number of times and then no more, so that a test ends.
 */
import type { BillerRail, VendOrder, VendQueryAnswer } from "../../src/rails/biller.ts";

export interface BillerFaults {
  /** The worker dies before the order leaves. */
  crashBeforeVend?: number;
  /** The biller delivers and answers 500: the adapter cannot tell. */
  errorsAfterDelivery?: number;
  /** The network delivers the order twice; we see the second answer. */
  doubledOrders?: number;
  /** The biller is asked and does not know yet, whatever its books say. */
  lateAnswers?: number;
  /** The biller is asked and says that it has never heard of it. */
  forgottenRecords?: number;
}

export interface FaultyBiller {
  readonly rail: BillerRail;
  /** Every order that left for the biller. */
  readonly orders: readonly VendOrder[];
  readonly queries: () => number;
}

export function withBillerFaults(rail: BillerRail, faults: BillerFaults): FaultyBiller {
  const orders: VendOrder[] = [];
  let queries = 0;
  const strikes = (fault: keyof BillerFaults): boolean => {
    const left = faults[fault] ?? 0;
    if (left > 0) faults[fault] = left - 1;
    return left > 0;
  };
  const order = (sent: VendOrder) => {
    orders.push(sent);
    return rail.vend(sent);
  };
  return {
    orders,
    queries: () => queries,
    rail: {
      ...rail,
      async vend(sent) {
        if (strikes("crashBeforeVend")) throw new Error("the worker died before the order left");
        const answer = await order(sent);
        if (strikes("errorsAfterDelivery")) throw new Error("503 Service Unavailable");
        return strikes("doubledOrders") ? order(sent) : answer;
      },
      async query(question): Promise<VendQueryAnswer> {
        queries += 1;
        if (strikes("forgottenRecords")) return { outcome: "no_record" };
        if (strikes("lateAnswers")) return { outcome: "unknown", code: "in_progress" };
        return rail.query(question);
      },
    },
  };
}
