import type { Tx } from "../../platform/database/database.ts";
import { isUuid } from "../../platform/database/ids.ts";
import { commonProblem } from "../../platform/problem.ts";
import { type ContactChange, shownChangeStatus } from "./contact-change.ts";
import { findChange } from "./contact-change-store.ts";
import { customerProblem } from "./errors.ts";

/** Throws contact_change_not_found, or invalid_state when it was decided or its time is over. */
export async function requirePendingChange(
  tx: Tx,
  key: { readonly customerId: string; readonly changeId: string },
): Promise<ContactChange> {
  const change = isUuid(key.changeId) ? await findChange(tx, key) : undefined;
  if (change === undefined) throw customerProblem("contact_change_not_found");
  const status = shownChangeStatus(change, tx.environment.clock.now());
  if (status === "pending") return change;
  throw commonProblem("invalid_state", {
    message: `The change is ${status}. Onboard the customer again with the new data to ask for it again.`,
    data: { status },
  });
}
