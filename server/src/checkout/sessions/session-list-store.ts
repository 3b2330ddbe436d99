/** Lists of checkout sessions, by what they are narrowed down to; each way over an index that ends in the id. */
import type { Tx } from "../../platform/database/database.ts";
import { earliestIdFrom, idBeyond } from "../../platform/database/ids.ts";
import type { CheckoutSession, SessionStatus } from "./checkout-session.ts";
import { selectSessions, toSession } from "./session-store.ts";

export interface SessionFilter {
  readonly status: SessionStatus | null;
  readonly customerId: string | null;
  /** In the environment's time; `from` counts in, `to` does not. */
  readonly from: Date | null;
  readonly to: Date | null;
}

/** Newest first: ids carry the time of their making. */
export async function readSessions(
  tx: Tx,
  { status, customerId, from, to }: SessionFilter,
  page: { readonly skip: bigint; readonly limit: number },
): Promise<CheckoutSession[]> {
  let matching = selectSessions(tx);
  if (status !== null) matching = matching.where("status", "=", status);
  if (customerId !== null) matching = matching.where("customer_id", "=", customerId);
  if (from !== null) matching = matching.where("created_at", ">=", from).where("id", ">=", earliestIdFrom(from));
  if (to !== null) matching = matching.where("created_at", "<", to).where("id", "<", idBeyond(to));
  const rows = await matching.orderBy("id", "desc").limit(page.limit).offset(page.skip).execute();
  return rows.map(toSession);
}
