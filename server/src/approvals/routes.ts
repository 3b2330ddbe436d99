/** For people at the console only: a key that comes here finds nothing, and the OpenAPI document does not name it. */
import { type Static, Type } from "typebox";
import { nairaNumber } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import type { Member } from "../platform/http/caller.ts";
import { describeRoute, type Route } from "../platform/http/route.ts";
import { IdParams, readNaira } from "../platform/http/wire.ts";
import { pageOf } from "../platform/records/pagination.ts";
import type { Order, OrderDesk, ReadOrder } from "../transfers/order-desk.ts";
import type { Payer } from "../transfers/payouts/create-transfer.ts";
import {
  approveByHand,
  byPerson,
  recordByHand,
  refuseRepeated,
  withdrawByHand,
} from "../transfers/payouts/hand-payment.ts";
import { payoutRuleProblems } from "../transfers/payouts/payout-rules.ts";
import { type Approval, type Decider, expiryOf, requireSecondPerson, requireWaiting, statusAt } from "./approval.ts";
import {
  decideApproval,
  findApproval,
  insertApproval,
  listApprovals,
  listWaiting,
  lockApproval,
} from "./approval-store.ts";
import { approvalProblem } from "./errors.ts";
import { spentLately } from "./limit-people.ts";
import { readLimit, writeLimit } from "./limit-store.ts";
import {
  approvalData,
  askBody,
  detailData,
  limitBody,
  limitData,
  listQuery,
  presentApproval,
  presentPayouts,
  presentPreview,
  rejectBody,
} from "./schemas.ts";

export interface ApprovalRouteDependencies {
  readonly orderDesk: OrderDesk;
}

const largestBodyBytes = 8 * 1024 * 1024;

export function approvalRoutes({ orderDesk }: ApprovalRouteDependencies): Route[] {
  return [
    askRoute(orderDesk),
    listRoute(),
    readRoute(orderDesk),
    approveRoute(orderDesk),
    rejectRoute(),
    readLimitRoute(),
    setLimitRoute(),
  ];
}

const payerOf = ({ environmentId, kind }: Member) => ({ environmentId, kind });

const nowIn = (tx: Tx): Date => tx.environment.clock.now();

function askRoute(desk: OrderDesk): Route {
  return describeRoute("member", {
    method: "POST",
    path: "/approvals",
    scope: "transfers:write",
    summary: "Ask a second person",
    description: "Stores a payout or a batch as it would be sent, until somebody else agrees to it or says no.",
    body: askBody,
    withoutProof: true,
    bodyLimitBytes: largestBodyBytes,
    reply: { status: 201, message: "Asked for.", data: approvalData },
    problems: [...payoutRuleProblems, "account_number_invalid", "batch_refused", "source_account_not_found"],
    handle: async ({ caller, body, headers, write }) => {
      const order = orderOf(body);
      const judged = await desk.judge(payerOf(caller), order);
      const asked = { kind: order.kind, ...judged };
      const by = byPerson(caller.person, headers);
      const { note = null } = body;
      return write(async (tx) => {
        await refuseRepeated(tx, by, asked);
        const made = await askApproval(tx, { order, judged, by: caller.person, note });
        await recordByHand(tx, by, { id: made.id, order: asked, state: "waiting" });
        return { data: presentApproval(made, caller.person.id, nowIn(tx)) };
      });
    },
  });
}

function orderOf({ payout, batch }: Static<typeof askBody>): Order {
  if (batch !== undefined) return { kind: "batch", body: batch };
  if (payout === undefined) throw new Error("the schema let an order without content pass");
  // A sealed answer of the bank's lives for half an hour. The name that it says is asked for again in the end.
  const { nameEnquiryReference: _, ...lasting } = payout;
  return { kind: "payout", body: lasting };
}

function listRoute(): Route {
  return describeRoute("member", {
    method: "GET",
    path: "/approvals",
    scope: "transfers:read",
    summary: "List approvals",
    description: "Newest first; with waiting=true only those that somebody still has to decide.",
    query: listQuery,
    reply: { status: 200, message: "Approvals retrieved.", data: Type.Array(approvalData), paged: true },
    handle: ({ caller, query, read }) =>
      read(async (tx) => {
        const list = query.waiting === "true" ? listWaiting : listApprovals;
        const { rows, pagination } = await list(tx, pageOf(query));
        return { data: rows.map((row) => presentApproval(row, caller.person.id, nowIn(tx))), pagination };
      }),
  });
}

function readRoute(desk: OrderDesk): Route {
  return describeRoute("member", {
    method: "GET",
    path: "/approvals/{id}",
    scope: "transfers:read",
    summary: "Read an approval",
    description: "What was asked for. While it waits: the fee, the name that the bank says, and the wallet afterwards.",
    params: IdParams,
    reply: { status: 200, message: "Approval retrieved.", data: detailData },
    problems: ["approval_not_found"],
    handle: async ({ caller, params, read }) => {
      const { approval, now } = await read(async (tx) => ({
        approval: await requireApproval(tx, params.id),
        now: nowIn(tx),
      }));
      const payer = payerOf(caller);
      const waits = statusAt(approval, now) === "waiting";
      const preview = waits ? presentPreview(await desk.preview(payer, approval.order)) : null;
      const payouts = presentPayouts(desk.read(payer, approval.order));
      return { data: { ...presentApproval(approval, caller.person.id, now), payouts, preview } };
    },
  });
}

function approveRoute(desk: OrderDesk): Route {
  return describeRoute("member", {
    method: "POST",
    path: "/approvals/{id}/approve",
    scope: "transfers:write",
    summary: "Agree",
    description: "Sends what was asked for, once. The asker cannot agree.",
    params: IdParams,
    reply: { status: 200, message: "Approved and accepted.", data: approvalData },
    problems: [
      "approval_not_found",
      "approval_own",
      "approval_decided",
      "approval_expired",
      "reference_conflict",
      "insufficient_funds",
      "account_not_found",
      "account_name_mismatch",
      "bank_unavailable",
      "rail_not_configured",
      "batch_refused",
      ...payoutRuleProblems,
      "account_number_invalid",
    ],
    handle: async ({ caller, params, read, write, kept }) => {
      // Whoever sends it again gets the first reply, not that it was decided.
      const before = await kept<Static<typeof approvalData>>();
      if (before !== undefined) return before;
      const { person: by } = caller;
      const approval = await read(async (tx) => {
        const found = await requireApproval(tx, params.id);
        requireWaiting(found, nowIn(tx));
        requireSecondPerson(found, by);
        return found;
      });
      const agree = await prepareApproval(desk, { payer: payerOf(caller), by, approval });
      return write(async (tx) => ({ data: presentApproval(await agree(tx), by.id, nowIn(tx)) }));
    },
  });
}

function rejectRoute(): Route {
  return describeRoute("member", {
    method: "POST",
    path: "/approvals/{id}/reject",
    scope: "transfers:write",
    summary: "Say no",
    description: "Nothing is sent. The asker may say no too, and takes it back by that.",
    params: IdParams,
    body: rejectBody,
    withoutProof: true,
    reply: { status: 200, message: "Rejected.", data: approvalData },
    problems: ["approval_not_found", "approval_decided", "approval_expired"],
    handle: ({ caller: { person: by }, params, body, write }) =>
      write(async (tx) => {
        const rejected = await rejectApproval(tx, { id: params.id, by, reason: body.reason ?? null });
        return { data: presentApproval(rejected, by.id, nowIn(tx)) };
      }),
  });
}

async function presentLimit(tx: Tx, personId: string) {
  const limit = await readLimit(tx);
  return {
    amount: limit?.amount == null ? null : nairaNumber(limit.amount),
    setBy: limit?.setBy.email ?? null,
    setAt: limit?.setAt.toISOString() ?? null,
    spent: nairaNumber(await spentLately(tx, personId)),
  };
}

function readLimitRoute(): Route {
  return describeRoute("member", {
    method: "GET",
    path: "/approval-limits",
    scope: "transfers:read",
    summary: "Read the limit",
    description:
      "How much one person may take out of wallets alone within 24 hours, by payouts, bills, repayments and refunds, and how much of it you have taken. Null: no limit.",
    reply: { status: 200, message: "Limit retrieved.", data: limitData },
    handle: ({ caller, read }) => read(async (tx) => ({ data: await presentLimit(tx, caller.person.id) })),
  });
}

/** No role but the owner's has this scope. */
function setLimitRoute(): Route {
  return describeRoute("member", {
    method: "PUT",
    path: "/approval-limits",
    scope: "approvals:write",
    summary: "Set the limit",
    description: "For owners. Null takes it away; 0 lets nobody pay alone. What waits already is not touched.",
    body: limitBody,
    reply: { status: 200, message: "Limit set.", data: limitData },
    handle: ({ caller: { person }, body, write }) =>
      write(async (tx) => {
        const amount = body.amount === null ? null : readNaira(body.amount);
        await writeLimit(tx, { amount, setBy: person, setAt: nowIn(tx) });
        return { data: await presentLimit(tx, person.id) };
      }),
  });
}

interface Asking {
  readonly order: Order;
  readonly judged: ReadOrder;
  readonly by: Decider;
  readonly note: string | null;
}

/** Stores the order as it was asked. Nothing is held for it: money is looked for when somebody agrees. */
async function askApproval(tx: Tx, { order, judged, by, note }: Asking): Promise<Approval> {
  const { clock } = tx.environment;
  const createdAt = clock.now();
  const approval: Approval = {
    id: clock.newId(),
    order,
    reference: judged.reference,
    amount: judged.amount,
    payouts: judged.payouts.length,
    note,
    requestedBy: by,
    createdAt,
    expiresAt: expiryOf(createdAt),
    storedStatus: "waiting",
    decision: null,
    transferId: null,
    batchId: null,
  };
  await insertApproval(tx, approval);
  return approval;
}

/**
 * Deciding. The approval is locked, looked at again, its order accepted and the decision written in one transaction: of
 * two who agree at once one pays, and a server that is killed has either done all of it or nothing.
 */
async function requireApproval(tx: Tx, id: string): Promise<Approval> {
  const found = await findApproval(tx, id);
  if (found === undefined) throw approvalProblem("approval_not_found");
  return found;
}

interface Agreeing {
  readonly payer: Payer;
  readonly by: Decider;
  /** As it was read before the bank was asked. */
  readonly approval: Approval;
}

/** Asks the bank, then returns what agrees in a transaction. What is paid is what was asked for, never what is sent now. */
async function prepareApproval(desk: OrderDesk, { payer, by, approval }: Agreeing) {
  const accept = await desk.prepare(payer, approval.order);
  return async (tx: Tx): Promise<Approval> => {
    const locked = await lock(tx, approval.id);
    requireSecondPerson(locked, by);
    const accepted = await accept(tx);
    await approveByHand(tx, locked.id);
    return decideApproval(tx, locked.id, { status: "approved", by, reason: null, ...accepted });
  };
}

/** The asker may take it back in this way too. */
async function rejectApproval(
  tx: Tx,
  { id, by, reason }: { readonly id: string; readonly by: Decider; readonly reason: string | null },
): Promise<Approval> {
  const { id: locked } = await lock(tx, id);
  await withdrawByHand(tx, locked);
  return decideApproval(tx, locked, { status: "rejected", by, reason, transferId: null, batchId: null });
}

async function lock(tx: Tx, id: string): Promise<Approval> {
  const locked = await lockApproval(tx, id);
  if (locked === undefined) throw approvalProblem("approval_not_found");
  requireWaiting(locked, tx.environment.clock.now());
  return locked;
}
