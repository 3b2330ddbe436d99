import type { KeyRequest, Reply, Write, Written } from "./route.ts";

const notKept = new Error("no reply is kept under this key yet");

type Keeper = Pick<KeyRequest<unknown, unknown, unknown>, "headers"> & { readonly write: Write };

/** The reply that was kept under the request's Idempotency-Key; undefined when there is none yet, or no key was sent. */
export async function findKeptReply<Data>(request: Keeper): Promise<Written<Data> | undefined> {
  if (request.headers["idempotency-key"] === undefined) return undefined;
  try {
    return await request.write<Data>(() => Promise.reject(notKept));
  } catch (error) {
    if (error !== notKept) throw error;
    return undefined;
  }
}

/**
 * For work that takes many transactions, empties the sandbox or asks a stranger, and so cannot be the work of one
 * `write`. The kept reply is looked up first and written afterwards. A twin can slip between the two and run the work a
 * second time, though it is answered like the first: whoever minds holds the environment's lock throughout.
 */
export async function keepReply<Data>(
  request: Keeper,
  work: () => Promise<Data>,
): Promise<Reply<Data> | Written<Data>> {
  if (request.headers["idempotency-key"] === undefined) return { data: await work() };
  const kept = await findKeptReply<Data>(request);
  if (kept !== undefined) return kept;
  const data = await work();
  return request.write<Data>(async () => ({ data }));
}
