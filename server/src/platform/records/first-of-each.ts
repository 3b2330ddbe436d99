/** Of several items about one record the first, all in the order of their ids: in which rows are locked. */
export function firstOfEach<Item extends { readonly id: string }>(items: readonly Item[]): Item[] {
  const first = new Map(items.toReversed().map((item) => [item.id, item]));
  return [...first.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
}
