/** Of several items about one record the first, all in the order of their ids: in which rows are locked. */
export function firstOfEach<Item extends { readonly id: string }>(items: readonly Item[]): Item[] {
  const first = new Map(items.toReversed().map((item) => [item.id, item]));
  return [...first.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** What came of each item, null where nothing did. Of several items about one record only the first has it. */
export function eachOnce<Item extends { readonly id: string }, Made>(
  items: readonly Item[],
  made: ReadonlyMap<string, Made>,
): (Made | null)[] {
  const left = new Map(made);
  return items.map(({ id }) => {
    const own = left.get(id) ?? null;
    left.delete(id);
    return own;
  });
}
