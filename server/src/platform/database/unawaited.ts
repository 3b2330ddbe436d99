/**
 * Writes whose result nobody reads. A transaction goes on as soon as such a write is sent, so several of them share one
 * round trip, the last ones with COMMIT. Nothing is lost by it: a write that fails aborts its transaction, and whatever
 * the transaction waits for next, COMMIT at the latest, fails with the reason.
 *
 * Only on connections in the driver's pipeline mode. On others these writes are awaited like any statement.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type pg from "pg";

type Query = (...given: unknown[]) => unknown;

const unread = new AsyncLocalStorage<true>();
const noResult = { command: "SENT", rowCount: null, rows: [] };

/** Sends the statements of `write`. Not for one whose rows or errors the caller looks at. */
export async function unawaited(write: () => Promise<unknown>): Promise<void> {
  await unread.run(true, write);
}

export function sendUnawaited(client: pg.ClientBase): void {
  const query = client.query.bind(client) as Query;
  /** Of the open transaction. */
  let sent: Promise<unknown>[] = [];

  async function answerOf(asked: Promise<unknown>, before: readonly Promise<unknown>[], text: unknown) {
    const [answer] = await Promise.allSettled([asked]);
    // PostgreSQL answers in order, so these are settled. The first failure made all later ones fail.
    const earlier = text === "rollback" ? [] : await Promise.allSettled(before);
    const failed = [...earlier, answer].find(({ status }) => status === "rejected");
    if (failed?.status === "rejected") throw failed.reason;
    return asked;
  }

  const sending = (...given: unknown[]): unknown => {
    const [text] = given;
    const asked = query(...given);
    if (!(asked instanceof Promise)) return asked;
    if (unread.getStore() === true) {
      asked.catch(() => undefined);
      sent.push(asked);
      return Promise.resolve(noResult);
    }
    const before = sent;
    if (text === "commit" || text === "rollback") sent = [];
    return before.length === 0 ? asked : answerOf(asked, before, text);
  };
  client.query = sending as typeof client.query;
}
