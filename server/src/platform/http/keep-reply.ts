import type { KeyRequest, Reply, Write, Written } from "../platform/http/route.ts";

const notKept = new Error("no reply is kept under this key yet");

/**
 * For work that takes many transactions, or one that empties the sandbox, and so cannot be the work of one `write`.
 * The kept reply is looked up first and written afterwards; the environment's lock, which the caller holds throughout,
 * keeps a twin from slipping between.
 */
export async function keepReply<Data>(
  request: Pick<KeyRequest<unknown, unknown, unknown>, "headers"> & { readonly write: Write },
  work: () => Promise<Data>,
): Promise<Reply<Data> | Written<Data>> {
  if (request.headers["idempotency-key"] === undefined) return { data: await work() };
  try {
    return await request.write<Data>(() => Promise.reject(notKept));
  } catch (error) {
    if (error !== notKept) throw error;
  }
  const data = await work();
  return request.write<Data>(async () => ({ data }));
}
