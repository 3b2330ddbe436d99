/** The keys of a record whose type says all it has, such as a table of transitions. TypeScript calls them strings. */
export function keysOf<Key extends string>(record: Readonly<Partial<Record<Key, unknown>>>): Key[] {
  return Object.keys(record) as Key[];
}
