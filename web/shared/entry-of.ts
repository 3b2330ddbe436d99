/**
 * What a table has under a name that came from outside. A plain look-up would also find what every object inherits:
 * a reply with the code `constructor` would be taken for one that the page has words for.
 */
export function entryOf<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
