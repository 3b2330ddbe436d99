/**
 * Orders that reach a simulated rail while its books are busy are booked together, and share one wait for the disk. A
 * lone order is booked at once. One sandbox has one batch under way, so its orders never wait for one another's rows.
 */
import { createLanes } from "../platform/work/batch-lanes.ts";

export interface Bookkeeping<Order, Booked> {
  /** The rail's connections. */
  readonly connections: number;
  /** What the rail knows an order by. */
  keyOf(order: Order): string;
  /** Books orders with different keys, sorted by them, in one transaction. Answers in the order of what it is given. */
  book(sandbox: string, orders: readonly Order[]): Promise<readonly Booked[]>;
}

export type BookTogether<Order, Booked> = (sandbox: string, order: Order) => Promise<Booked>;

interface Waiting<Order, Booked> {
  readonly order: Order;
  booked(booked: Booked): void;
  failed(error: unknown): void;
}

const mostAtOnce = 256;

export function bookTogether<Order, Booked>(options: Bookkeeping<Order, Booked>): BookTogether<Order, Booked> {
  const { keyOf } = options;
  const lanes = createLanes<Waiting<Order, Booked>>({
    slots: options.connections,
    reserved: 0,
    comesFirst: () => false,
    atOnce: 2,
    patienceMs: 25,
    batchSize: mostAtOnce,
    perLane: 1,
    laneBound: Number.POSITIVE_INFINITY,
    serve: async (sandbox, batch) => {
      // A second order under the same key finds the first one in the books.
      const byKey = new Map(batch.toReversed().map((item) => [keyOf(item.order), item]));
      const first = [...byKey].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => item);
      for (const item of batch) if (byKey.get(keyOf(item.order)) !== item) lanes.offer(sandbox, item);
      await bookAll(options, sandbox, first);
    },
  });
  return (sandbox, order) =>
    new Promise((booked, failed) => {
      lanes.offer(sandbox, { order, booked, failed });
    });
}

/** Tells everybody; never rejects. */
async function bookAll<Order, Booked>(
  { book }: Pick<Bookkeeping<Order, Booked>, "book">,
  sandbox: string,
  items: readonly Waiting<Order, Booked>[],
): Promise<void> {
  try {
    const answers = await book(
      sandbox,
      items.map(({ order }) => order),
    );
    for (const [place, item] of items.entries()) {
      const answer = answers[place];
      if (answer === undefined) item.failed(new Error("the books gave no answer about an order"));
      else item.booked(answer);
    }
  } catch (error) {
    for (const { failed } of items) failed(error);
  }
}
