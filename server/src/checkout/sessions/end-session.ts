import type { Tx } from "../../platform/database/database.ts";
import { recordEvents } from "../../platform/records/outbox.ts";
import { cancelScheduled } from "../../platform/work/agenda.ts";
import { type CheckoutSession, expireSessionTask, type SessionStatus, sessionResource } from "./checkout-session.ts";
import type { sessionEvents } from "./events.ts";
import { presentSession } from "./present-session.ts";
import { moveSession } from "./session-store.ts";

/** A cancelled session sends no event: the caller cancelled it. */
const endEvents: Readonly<Partial<Record<SessionStatus, keyof typeof sessionEvents>>> = {
  completed: "checkout.session.completed",
  expired: "checkout.session.expired",
};

/** Ends an open session that has this loan, or none, and tells the merchant. False when it is no longer so. */
export async function endSession(
  tx: Tx,
  end: { readonly id: string; readonly loanId: string | null; readonly to: Exclude<SessionStatus, "open"> },
): Promise<boolean> {
  const ended = await moveSession(tx, end);
  if (ended === undefined) return false;
  await cancelScheduled(tx, expireSessionTask, [end.id]);
  const event = endEvents[end.to];
  if (event !== undefined) await announceSession(tx, event, ended);
  return true;
}

async function announceSession(tx: Tx, event: keyof typeof sessionEvents, session: CheckoutSession): Promise<void> {
  const { kind } = tx.environment;
  const data = presentSession(session, { kind, url: null });
  await recordEvents(tx, [
    { event, resourceType: sessionResource, resourceId: session.id, resourceVersion: session.version, data },
  ]);
}
