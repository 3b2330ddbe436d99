/**
 * How a route accepts what group commit makes: the reply is kept under the Idempotency-Key by the command itself, and a
 * repeated reference returns 200 with the record as it is now. Other writes are `request.write`.
 */
import { type Reply, type RouteRequest, repeated, type Written } from "../platform/http/route.ts";
import type { KeepReply, Submitted } from "./submit-once.ts";

export interface AcceptRequest<Made, Data> {
  accept(keep: KeepReply<Made> | null): Promise<Submitted<Made>>;
  present(made: Made): Data;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function acceptRequest<Made, Data>(
  { keeping }: Pick<RouteRequest<"key">, "keeping">,
  { accept, present, headers = {} }: AcceptRequest<Made, Data>,
): Promise<Reply<Data> | Written<Data>> {
  const { key, requestHash, present: write, committed } = keeping();
  const keep = key === null ? null : { key, requestHash, present: (made: Made) => write({ data: present(made) }) };
  const submitted = await accept(keep);
  if ("kept" in submitted) return { presented: submitted.kept, replayed: true, headers: {} };
  const data = present(submitted.made);
  if (submitted.repeated) return { data, ...repeated, headers: { ...headers, ...repeated.headers } };
  await committed();
  return { data, headers };
}
