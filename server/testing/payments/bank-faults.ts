/**
 * Puts faults between us and a bank: answers that are lost, a worker that dies, orders that arrive twice, a bank that
 * forgets or takes its time. Each fault strikes a set number of times and then no more, so that a test ends.
 */
import type { BankRail, PaymentOrder, QueryAnswer } from "../../src/rails/bank.ts";

export interface BankFaults {
  /** The worker dies before the order leaves. */
  crashBeforeSend?: number;
  /** The worker dies after the bank has done the work. */
  crashAfterSend?: number;
  /** The bank does the work, the answer does not arrive. */
  lostAnswers?: number;
  /** The network delivers the order twice; we see the second answer. */
  doubledOrders?: number;
  /** The bank is asked and does not know yet, whatever its books say. */
  lateAnswers?: number;
  /** The bank is asked and says that it has never heard of it. */
  forgottenRecords?: number;
}

export interface FaultyBank {
  readonly rail: BankRail;
  /** Every order that left for the bank, by session. */
  readonly orders: readonly PaymentOrder[];
  readonly queries: () => number;
}

export function withFaults(rail: BankRail, faults: BankFaults): FaultyBank {
  const orders: PaymentOrder[] = [];
  let queries = 0;
  const strikes = (fault: keyof BankFaults): boolean => {
    const left = faults[fault] ?? 0;
    if (left > 0) faults[fault] = left - 1;
    return left > 0;
  };
  const order = (sent: PaymentOrder) => {
    orders.push(sent);
    return rail.send(sent);
  };
  return {
    orders,
    queries: () => queries,
    rail: {
      ...rail,
      async send(sent) {
        if (strikes("crashBeforeSend")) throw new Error("the worker died before the order left");
        const answer = await order(sent);
        if (strikes("crashAfterSend")) throw new Error("the worker died before it heard the answer");
        if (strikes("lostAnswers")) return { outcome: "unknown", code: null };
        return strikes("doubledOrders") ? order(sent) : answer;
      },
      async query(question): Promise<QueryAnswer> {
        queries += 1;
        if (strikes("forgottenRecords")) return { outcome: "no_record" };
        if (strikes("lateAnswers")) return { outcome: "unknown", code: "09" };
        return rail.query(question);
      },
    },
  };
}
