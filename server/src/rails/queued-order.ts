/** What follows for an order from its table being a queue (`order-queue.ts`). */
import type { EnvironmentKind } from "../platform/database/database.ts";
import type { DomainLoop } from "../platform/work/background-loop.ts";
import type { Rounds } from "../platform/work/rounds.ts";
import type { OrderKind } from "./order.ts";
import { countQueued, findQueued, type OrderQueue } from "./order-queue.ts";

/** The part of its `OrderKind`. */
export function orderOfQueue<Order extends { readonly id: string; readonly status: string }, Row>(
  queue: OrderQueue<Order, Row>,
  task: string,
): Pick<OrderKind<Order, never>, "noun" | "task" | "find" | "countQueries"> {
  return {
    noun: queue.noun,
    task,
    find: (tx, id) => findQueued(tx, queue, id),
    countQueries: (tx, orders) => countQueued(tx, queue, orders),
  };
}

/** Live environments have a sender of their own, so that no sandbox's work comes before theirs. */
export function senderLoops(noun: string, createSender: (kind: EnvironmentKind) => Rounds): DomainLoop[] {
  return (["LIVE", "SANDBOX"] as const).map((kind) => {
    const { round, drain } = createSender(kind);
    return { name: `${noun} sender ${kind}`, step: round, drain };
  });
}
