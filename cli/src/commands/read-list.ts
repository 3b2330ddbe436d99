import { randomBytes } from "node:crypto";

/** The first so many of a list. */
export async function readSome<Row>(list: AsyncIterable<Row>, limit: number): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const row of list) {
    rows.push(row);
    if (rows.length >= limit) break;
  }
  return rows;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether somebody typed an id of ours, and not a reference of their own. */
export function isId(text: string): boolean {
  return uuid.test(text);
}

/** For somebody who has none. */
export function newReference(kind: string): string {
  return `${kind}-${Date.now().toString(36)}-${randomBytes(3).toString("hex")}`;
}
