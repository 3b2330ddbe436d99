/** Paystack's lists, which come in pages. */
import type { WireReply } from "../provider-client.ts";
import { isRecord, recordAt, type WireRecord } from "../wire-json.ts";

type Page = WireReply & { readonly body: WireRecord & { readonly data: readonly unknown[] } };

export function isPage(reply: WireReply): reply is Page {
  if (reply.kind !== "answer" || reply.status !== 200 || !isRecord(reply.body)) return false;
  return reply.body.status === true && Array.isArray(reply.body.data);
}

const mostPages = 10_000;

/** Every row of a list, page by page. Throws when a page could not be read: a list with a hole explains nothing. */
export async function* readRows(
  list: string,
  readPage: (page: number) => Promise<WireReply>,
): AsyncGenerator<WireRecord> {
  for (let page = 1; page <= mostPages; page += 1) {
    const reply = await readPage(page);
    if (!isPage(reply)) throw new Error(`Paystack's list of ${list} could not be read`);
    yield* reply.body.data.map((row) => recordAt(row));
    const { pageCount } = recordAt(reply.body, "meta");
    const isLast = typeof pageCount === "number" && page >= pageCount;
    if (reply.body.data.length === 0 || isLast) return;
  }
  throw new Error(`Paystack's list of ${list} does not end`);
}
