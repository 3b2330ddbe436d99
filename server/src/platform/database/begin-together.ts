/**
 * BEGIN waits for nothing, so nobody waits for BEGIN: it travels with the first statement of its transaction, in one
 * write to the socket. Whoever only reads does not wait for COMMIT either: by then they have what they came for, and
 * whatever uses the connection next stands in line behind it.
 *
 * Only on connections in the driver's pipeline mode: otherwise it would keep the second statement back until the first
 * one is answered.
 */
import type { Socket } from "node:net";
import type pg from "pg";

type Query = (...given: unknown[]) => unknown;

const begin = /^(begin|start transaction)/;
const onlyReads = /read only$/;

export function beginTogether(client: pg.ClientBase): void {
  const query = client.query.bind(client) as Query;
  let begun: Promise<unknown> | undefined;
  let reading = false;

  function openTransaction(text: string, given: unknown[]): Promise<unknown> {
    // Both go out with one write.
    socketOf(client).cork();
    reading = onlyReads.test(text);
    begun = quietly(query(...given));
    return Promise.resolve(said("BEGIN"));
  }

  /** Fails as BEGIN did if that failed: outside a transaction nothing would be as it should. */
  async function askFirst(opened: Promise<unknown>, given: unknown[]): Promise<unknown> {
    begun = undefined;
    const asked = quietly(query(...given));
    socketOf(client).uncork();
    await opened;
    return asked;
  }

  const together = (...given: unknown[]): unknown => {
    const [text] = given;
    if (typeof text !== "string") return query(...given);
    if (begin.test(text)) return openTransaction(text, given);
    if (begun !== undefined) return askFirst(begun, given);
    if (text !== "commit" || !reading) return query(...given);
    void quietly(query(...given));
    return Promise.resolve(said("COMMIT"));
  };
  client.query = together as typeof client.query;
}

/** Its failure is somebody's who waits for it, or nobody's. */
function quietly(asked: unknown): Promise<unknown> {
  const answered = Promise.resolve(asked);
  answered.catch(() => undefined);
  return answered;
}

function said(command: string) {
  return { command, rowCount: null, rows: [] };
}

/** The driver's types do not name it. */
export function socketOf(client: pg.ClientBase): Socket {
  return (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream;
}
