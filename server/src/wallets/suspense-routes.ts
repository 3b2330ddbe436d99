import { Type } from "typebox";
import { nairaNumber } from "../money/kobo.ts";
import { named } from "../platform/http/named-schema.ts";
import { describeRoute, type Route, repeated } from "../platform/http/route.ts";
import { Id, IdParams, NairaNumber, Nullable, OneOf, Timestamp, Uuid } from "../platform/http/wire.ts";
import { originOf } from "../platform/records/audit.ts";
import { pageOf, pageQuery, paginationOf } from "../platform/records/pagination.ts";
import { assignSuspense } from "./assign-suspense.ts";
import { type StoredCredit, suspenseReasons, suspenseStates } from "./inbound-credit.ts";
import { countSuspense, readSuspense } from "./inbound-credit-store.ts";

const suspenseData = named(
  "Suspense",
  Type.Object({
    id: Uuid,
    state: OneOf(suspenseStates, {
      description:
        "open: in nobody's wallet yet. assigned: it went to one. foreign_currency: not in naira, so it is in no books of ours; give it back at the provider.",
    }),
    reason: OneOf(suspenseReasons, {
      description:
        "unknown_account: no wallet has the number. keys_disagree: number and holder do not name one wallet. session_seen: another payment came under the same session of the interbank switch. credit_ceiling, daily_ceiling: the credit, or its wallet's day with it, is more than the ceilings of incoming money let through.",
    }),
    connectionId: Uuid,
    provider: Type.String({ examples: ["paystack"] }),
    mode: OneOf(["live", "test"]),
    transactionId: Type.String({ description: "By which the provider knows the payment.", examples: ["3012151281"] }),
    amount: NairaNumber,
    fee: NairaNumber,
    currency: Type.String({ description: "Of amount and fee.", examples: ["NGN"] }),
    accountNumber: Nullable(Type.String({ description: "The number that was paid to.", examples: ["9930000020"] })),
    senderName: Nullable(Type.String({ examples: ["CHIDINMA OKAFOR"] })),
    senderBank: Nullable(Type.String({ examples: ["Guaranty Trust Bank"] })),
    senderAccount: Nullable(Type.String({ description: "The last four digits.", examples: ["4553"] })),
    networkSessionId: Nullable(Type.String({ description: "30 digits, where the provider tells them." })),
    paidAt: Timestamp,
    createdAt: Timestamp,
    accountId: Nullable({ ...Uuid, description: "The wallet that it was assigned to." }),
    environmentId: Nullable({ ...Uuid, description: "The environment of that wallet." }),
    assignedAt: Nullable(Timestamp),
  }),
);

const assignBody = named(
  "SuspenseAssignment",
  Type.Object(
    {
      accountId: Id("The wallet that the money belongs to, by its id."),
      reason: Type.String({ minLength: 1, maxLength: 200, pattern: "\\S", description: "Kept in the audit trail." }),
    },
    {
      examples: [
        {
          accountId: "01932c60-1d2e-7a3b-8c4d-5e6f70819203",
          reason: "Payer's receipt names Mama Put Ikeja, ticket 881",
        },
      ],
    },
  ),
);

export function suspenseRoutes(): Route[] {
  return [listRoute(), assignRoute()];
}

function listRoute(): Route {
  return describeRoute("operator", {
    method: "GET",
    path: "/operator/suspense",
    operationId: "listSuspense",
    tag: "Operator",
    summary: "List money that came in for nobody",
    description:
      "Payments that a provider took in and that could not be booked to a wallet, newest first. Money for an account that was still being opened goes to it by itself once it is open.",
    query: Type.Object({ state: Type.Optional(OneOf(suspenseStates)), ...pageQuery.properties }),
    reply: { status: 200, message: "Suspense retrieved.", data: Type.Array(suspenseData), paged: true },
    handle: ({ query, read }) =>
      read(async (tx) => {
        const { page, limit } = pageOf(query);
        const state = query.state ?? null;
        const total = await countSuspense(tx, state);
        const skip = BigInt(page - 1) * BigInt(limit);
        const rows = skip >= total ? [] : await readSuspense(tx, state, { skip, limit });
        return { data: rows.map(presentSuspense), pagination: paginationOf(total, page, limit) };
      }),
  });
}

function assignRoute(): Route {
  return describeRoute("operator", {
    method: "POST",
    path: "/operator/suspense/{id}/assign",
    operationId: "assignSuspense",
    tag: "Operator",
    summary: "Put money in suspense into a wallet",
    description:
      "Moves the whole amount to the wallet, once. Recorded in the audit trail; the merchant gets `wallet.credited`. The same account again changes nothing.",
    params: IdParams,
    body: assignBody,
    reply: { status: 200, message: "Money assigned.", data: suspenseData },
    problems: [
      "suspense_not_found",
      "suspense_assigned",
      "suspense_currency",
      "suspense_mode_mismatch",
      "wallet_not_found",
      "invalid_state",
    ],
    handle: (request) =>
      request.write(async (tx) => {
        const { accountId, reason } = request.body;
        const assignment = { id: request.params.id, accountId, reason, origin: originOf(request) };
        const { credit, replayed } = await assignSuspense(tx, assignment);
        const data = presentSuspense(credit);
        return replayed ? { data, ...repeated } : { data };
      }),
  });
}

function presentSuspense(credit: StoredCredit) {
  const { state, reason } = credit;
  if (state === "credited" || reason === null) throw new Error(`${credit.id} was never in suspense`);
  return {
    id: credit.id,
    state,
    reason,
    connectionId: credit.connectionId,
    provider: credit.provider,
    mode: credit.mode,
    transactionId: credit.transactionId,
    amount: nairaNumber(credit.amount),
    fee: nairaNumber(credit.fee),
    currency: credit.currency,
    accountNumber: credit.accountNumber,
    senderName: credit.senderName,
    senderBank: credit.senderBank,
    senderAccount: credit.senderAccount,
    networkSessionId: credit.networkSessionId,
    paidAt: credit.paidAt.toISOString(),
    createdAt: credit.createdAt.toISOString(),
    accountId: credit.wallet?.walletId ?? null,
    environmentId: credit.wallet?.environmentId ?? null,
    assignedAt: credit.assignedAt?.toISOString() ?? null,
  };
}
