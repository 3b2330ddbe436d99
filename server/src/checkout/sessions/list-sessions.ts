import type { Tx } from "../../platform/database/database.ts";
import type { PageMeta, PageRequest } from "../../platform/records/pagination.ts";
import type { CheckoutSession } from "./checkout-session.ts";
import { readSessions, type SessionFilter } from "./session-list-store.ts";

/** One page of the environment's sessions, newest first. The row after the page tells whether there is another. */
export async function listSessions(
  tx: Tx,
  filter: SessionFilter,
  { page, limit }: PageRequest,
): Promise<{ rows: readonly CheckoutSession[]; meta: PageMeta }> {
  const skip = BigInt(page - 1) * BigInt(limit);
  const found = await readSessions(tx, filter, { skip, limit: limit + 1 });
  const meta = {
    current_page: page,
    next_page: found.length > limit ? page + 1 : null,
    prev_page: page > 1 ? page - 1 : null,
    per_page: limit,
  };
  return { rows: found.slice(0, limit), meta };
}
