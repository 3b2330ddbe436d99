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

/**
 * The keys of the requests that one window sends. The same request keeps its key for as long as the window is open, so
 * it acts once however often it is pressed, also after another was tried in between. A corrected one is another: under
 * the key of the first the server would refuse it, where a broken line hid that the first had arrived.
 */
export function keepKeys(): (request: unknown) => string {
  const keys = new Map<string, string>();
  return (request) => {
    const text = JSON.stringify(request);
    const key = keys.get(text) ?? crypto.randomUUID();
    keys.set(text, key);
    return key;
  };
}
