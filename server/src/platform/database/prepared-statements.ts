/**
 * Lets a connection remember the statements it runs again and again, so that PostgreSQL parses and plans them once.
 * A statement is known by its text. The number remembered is bounded, because texts with lists of changing length
 * would otherwise fill the server's memory: the first ones to come are the ones that matter.
 *
 * Named statements do not survive a pooler in transaction mode, so they can be turned off.
 */
import { createHash } from "node:crypto";
import type pg from "pg";

/** What the program says in all, twice over. */
const remembered = 1_000;

/** The names of a pool's statements: undefined for one that comes too late. */
export type StatementNames = (text: string) => string | undefined;

export function createStatementNames(): StatementNames {
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined || names.size >= remembered) return known;
    const name = `jara_${createHash("sha256").update(text).digest("hex").slice(0, 16)}`;
    names.set(text, name);
    return name;
  };
}

/** From now on every statement with parameters that runs on this connection is prepared. */
export function prepareStatements(client: pg.ClientBase, nameOf: StatementNames): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  const prepared = (text: unknown, values: unknown, ...rest: unknown[]): unknown => {
    const name = typeof text === "string" && Array.isArray(values) && values.length > 0 ? nameOf(text) : undefined;
    return name === undefined ? query(text, values, ...rest) : query({ name, text, values }, ...rest);
  };
  client.query = prepared as typeof client.query;
}
