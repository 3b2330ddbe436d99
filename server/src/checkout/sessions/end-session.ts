import type { Tx } from "../../platform/database/database.ts";
import type { EventCatalogue } from "../../platform/records/event-catalogue.ts";
import { recordEvents } from "../../platform/records/outbox.ts";
import { cancelScheduled } from "../../platform/work/agenda.ts";
import { type CheckoutSession, expireSessionTask, type SessionStatus, sessionResource } from "./checkout-session.ts";
import { presentSession } from "./present-session.ts";
import { sessionData } from "./schemas.ts";
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

const record = { data: sessionData, readAt: "/loans/bnpl/checkout-sessions/{id}" } as const;

export const sessionEvents = {
  "checkout.session.completed": {
    ...record,
    description: "The customer's loan is paid out: the order is paid and can be delivered.",
  },
  "checkout.session.expired": { ...record, description: "The customer did not finish in time; nothing was bought." },
} as const satisfies EventCatalogue;
