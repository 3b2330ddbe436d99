import type { Reply, RouteRequest, Written } from "./route.ts";

/**
 * For work that takes many transactions, empties the sandbox or asks a stranger, and so cannot be the work of one
 * `write`. The kept reply is looked up first and written afterwards. A twin can slip between the two and run the work a
 * second time, though it gets the first one's reply: a handler that minds holds the environment's lock throughout.
 */
export async function keepReply<Data>(
  { headers, kept, write }: Pick<RouteRequest<"key">, "headers" | "kept" | "write">,
  work: () => Promise<Data>,
): Promise<Reply<Data> | Written<Data>> {
  if (headers["idempotency-key"] === undefined) return { data: await work() };
  const earlier = await kept<Data>();
  if (earlier !== undefined) return earlier;
  const data = await work();
  return write<Data>(async () => ({ data }));
}
