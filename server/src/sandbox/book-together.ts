/**
 * Orders that reach a simulated rail while its books are busy are booked together, and share one wait for the disk. A
 * lone order is booked at once. One sandbox has one batch under way, so its orders never wait for one another's rows.
 */
import { createBatches } from "../platform/work/batches.ts";

export interface Bookkeeping<Order, Booked> {
  /** The rail's connections. */
  readonly connections: number;
  /** What the rail knows an order by. */
  keyOf(order: Order): string;
  /** Books orders with different keys, sorted by them, in one transaction. Answers in the order of what it is given. */
  book(sandbox: string, orders: readonly Order[]): Promise<readonly Booked[]>;
}

export type BookTogether<Order, Booked> = (sandbox: string, order: Order) => Promise<Booked>;

const mostAtOnce = 256;

export function bookTogether<Order, Booked>(options: Bookkeeping<Order, Booked>): BookTogether<Order, Booked> {
  const batches = createBatches<Order, Outcome<Booked>>({
    slots: options.connections,
    atOnce: 2,
    patienceMs: 25,
    batchSize: mostAtOnce,
    serve: (sandbox, orders) => bookAll(options, sandbox, orders),
  });
  return async (sandbox, order) => {
    for (;;) {
      const outcome = await batches.submit(sandbox, order);
      if (outcome !== "again") return outcome.booked;
    }
  };
}

/** A second order under the same key is booked with the next batch, and finds the first one in the books. */
type Outcome<Booked> = { readonly booked: Booked } | "again";

async function bookAll<Order, Booked>(
  { keyOf, book }: Bookkeeping<Order, Booked>,
  sandbox: string,
  orders: readonly Order[],
): Promise<(Outcome<Booked> | undefined)[]> {
  const byKey = new Map(orders.toReversed().map((order) => [keyOf(order), order]));
  const first = [...byKey].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, order]) => order);
  const answers = await book(sandbox, first);
  const booked = new Map(first.map((order, place) => [order, answers[place]]));
  return orders.map((order) => {
    if (!booked.has(order)) return "again";
    const answer = booked.get(order);
    return answer && { booked: answer };
  });
}
