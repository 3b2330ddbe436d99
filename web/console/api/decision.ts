/** What a person has decided to pay for, under the one reference that it has. */
export interface Decision<Order> {
  readonly order: Order;
  readonly reference: string;
}

/** One reference for one order: whoever presses twice, or goes back and comes again after a broken line, pays once. */
export function decide<Order>(order: Order, before: Decision<Order> | undefined): Decision<Order> {
  const isSame = before !== undefined && JSON.stringify(before.order) === JSON.stringify(order);
  return isSame ? before : { order, reference: `console-${crypto.randomUUID()}` };
}
