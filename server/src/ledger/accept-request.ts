/**
 * How a route accepts what group commit makes: the reply is kept under the Idempotency-Key by the command itself, a
 * repeated reference returns 200 with the record as it is now, and a frozen sandbox does at once what is due. Other
 * writes are `request.write`.
 */
import { type Reply, type RouteRequest, repeated, type Written } from "../platform/http/route.ts";
import type { KeepReply, Submitted } from "./submit-once.ts";

export interface AcceptRequest<Made, Data> {
  accept(keep: KeepReply<Made> | null): Promise<Submitted<Made>>;
  present(made: Made): Data;
  readonly headers?: Readonly<Record<string, string>>;
  /** For records that a worker takes further. */
  settleFrozen?(environmentId: string): Promise<void>;
}

export async function acceptRequest<Made, Data>(
  { caller, keeping }: Pick<RouteRequest<"key">, "caller" | "keeping">,
  { accept, present, headers = {}, settleFrozen }: AcceptRequest<Made, Data>,
): Promise<Reply<Data> | Written<Data>> {
  const { key, requestHash, present: write } = keeping();
  const keep = key === null ? null : { key, requestHash, present: (made: Made) => write({ data: present(made) }) };
  const submitted = await accept(keep);
  if ("kept" in submitted) return { presented: submitted.kept, replayed: true, headers: {} };
  if (submitted.frozen) await settleFrozen?.(caller.environmentId);
  const data = present(submitted.made);
  return submitted.repeated ? { data, ...repeated, headers: { ...headers, ...repeated.headers } } : { data, headers };
}
