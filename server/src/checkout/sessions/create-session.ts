/**
 * Making a session. The holder of the merchant's account was asked before (a mistake there is the merchant's to mend,
 * and must not reach the customer), and so was the identity provider about a customer who comes along.
 */

import type { Tx } from "../../platform/database/database.ts";
import { commonProblem } from "../../platform/problem.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import { schedule } from "../../platform/work/agenda.ts";
import type { Person } from "../customers/customer.ts";
import { type Onboarding, onboardCustomer } from "../customers/onboard-customer.ts";
import { findIdByBvn } from "../customers/person-store.ts";
import { requireCustomer } from "../customers/read-customer.ts";
import type { LoanFollowing } from "../loans/loan-moved.ts";
import { newPageToken } from "../pages/page-token.ts";
import {
  type CheckoutSession,
  expireSessionTask,
  type Order,
  type OrderItem,
  sessionLifeMs,
} from "./checkout-session.ts";
import { expireSession } from "./expire-session.ts";
import { isOverdue } from "./read-session.ts";
import { findSessionByOrder, insertSession, lockOrder } from "./session-store.ts";

/** A customer the merchant has onboarded before, or one who is onboarded on the way. */
export type Buyer = { readonly id: string } | { readonly person: Person };

export interface SessionRequest {
  readonly order: Order;
  readonly buyer: Buyer;
  /**
   * What the register says about a customer who comes along. Null when it was not asked because the order is known; it
   * is asked when that is no longer so.
   */
  readonly identity: Onboarding | null;
}

export interface CreateDependencies extends LoanFollowing {
  readonly sealer: Sealer;
}

export async function createSession(
  tx: Tx,
  deps: CreateDependencies,
  request: SessionRequest,
): Promise<{ readonly session: CheckoutSession; readonly replayed: boolean }> {
  const { order, buyer } = request;
  await lockOrder(tx, order.orderReference);
  const earlier = await findLiveOrder(tx, deps, order.orderReference);
  if (earlier !== undefined) {
    await refuseOtherContent(tx, deps.sealer, earlier, { order, buyer });
    return { session: earlier, replayed: true };
  }
  const customerId = await customerOf(tx, deps.sealer, request);
  return { session: await writeSession(tx, deps.sealer, customerId, order), replayed: false };
}

/** What time has ended makes way, even if the task that says so has not run yet. */
async function findLiveOrder(
  tx: Tx,
  deps: CreateDependencies,
  reference: string,
): Promise<CheckoutSession | undefined> {
  const session = await findSessionByOrder(tx, reference);
  if (session === undefined || !isOverdue(session, tx.environment.clock.now())) return session;
  await expireSession(tx, deps, session.id);
  return findSessionByOrder(tx, reference);
}

async function customerOf(tx: Tx, sealer: Sealer, { buyer, identity }: SessionRequest): Promise<string> {
  if ("id" in buyer) return (await requireCustomer(tx, buyer.id)).id;
  // The order was known a moment ago and has ended since: to be asked again.
  if (identity === null) throw commonProblem("unavailable", { headers: { "Retry-After": "1" } });
  // Filling in a shop's form proves nothing: contact data of a known customer are not even asked about.
  const { customer } = await onboardCustomer(tx, sealer, identity);
  return customer.id;
}

async function writeSession(tx: Tx, sealer: Sealer, customerId: string, order: Order): Promise<CheckoutSession> {
  const { clock } = tx.environment;
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + sessionLifeMs);
  const session: CheckoutSession = {
    ...order,
    id: clock.newId(),
    customerId,
    status: "open",
    loanId: null,
    version: 1,
    expiresAt,
    createdAt: now,
    updatedAt: now,
  };
  await insertSession(tx, sealer, session, newPageToken());
  await schedule(tx, [{ kind: expireSessionTask, subject: session.id, dueAt: expiresAt }]);
  return session;
}

/** Throws reference_conflict; the names are those of the wire. */
async function refuseOtherContent(
  tx: Tx,
  sealer: Sealer,
  earlier: CheckoutSession,
  { order, buyer }: Pick<SessionRequest, "order" | "buyer">,
): Promise<void> {
  const customerId = "id" in buyer ? buyer.id.toLowerCase() : await findIdByBvn(tx, sealer, buyer.person.bvn);
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ["id" in buyer ? "customer_id" : "customer", earlier.customerId, customerId],
    ["amount", earlier.amount, order.amount],
    ["items", inOneWord(earlier.items), inOneWord(order.items)],
    ["bank_account_no", earlier.bankAccountNo, order.bankAccountNo],
    ["bank_code", earlier.bankCode, order.bankCode],
    ["success_url", earlier.successUrl, order.successUrl],
    ["cancel_url", earlier.cancelUrl, order.cancelUrl],
  ];
  const fields = pairs.filter(([, left, right]) => left !== right).map(([field]) => field);
  if (fields.length > 0) throw commonProblem("reference_conflict", { data: { fields } });
}

function inOneWord(items: readonly OrderItem[]): string {
  return JSON.stringify(items.map(({ name, quantity, amount }) => [name, quantity, String(amount)]));
}
