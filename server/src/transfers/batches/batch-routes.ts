import { Type } from "typebox";
import { sum } from "../../money/arithmetic.ts";
import { describeRoute, type Route, repeated } from "../../platform/http/route.ts";
import { pageOf } from "../../platform/records/pagination.ts";
import { parseSpan } from "../../platform/time/time-span.ts";
import { openRail } from "../../rails/desk.ts";
import { requireWallet } from "../../wallets/known-wallets.ts";
import { type LimitDependencies, payWithinLimit } from "../../wallets/limit-people.ts";
import type { TransferDependencies } from "../payouts/create-transfer.ts";
import { byHand } from "../payouts/hand-payment.ts";
import { batchReferences } from "../payouts/transfer.ts";
import { presentBatch, summarizeBatch } from "./batch.ts";
import { judgeItems } from "./batch-items.ts";
import {
  batchData,
  batchesQuery,
  batchParams,
  createBatchBody,
  createdBatchData,
  listedBatch,
  reviewBody,
  reviewData,
} from "./batch-schemas.ts";
import { findBatch, listBatches, readBatchItems } from "./batch-store.ts";
import { batchRequestOf, createBatch } from "./create-batch.ts";
import { batchProblem } from "./errors.ts";
import { reviewBatch } from "./review-batch.ts";

const tag = "Transfers";
const largestBodyBytes = 8 * 1024 * 1024;

type BatchRouteDependencies = TransferDependencies & LimitDependencies;

export function batchRoutes(deps: BatchRouteDependencies): Route[] {
  return [createRoute(deps), listRoute(), reviewRoute(deps), readRoute()];
}

function createRoute(deps: BatchRouteDependencies): Route {
  return describeRoute("key", {
    method: "POST",
    path: "/transfers/bulk",
    operationId: "createBulkTransfer",
    tag,
    scope: "transfers:write",
    summary: "Send many payouts",
    description:
      "Up to 5,000 payouts from the main wallet or the one in sourceAccountId, accepted in one transaction. One bad item refuses the whole request; with onInvalid: continue it is rejected and the others are sent. If the wallet cannot cover all items that would be sent, the whole request is refused. The banks name the account holders afterwards: an item whose account is unknown, or whose accountName does not match, fails and its money comes back. The same batchReference and content again return 200 with the batch as it is now.",
    body: createBatchBody,
    bodyLimitBytes: largestBodyBytes,
    reply: {
      status: 201,
      message: "Bulk transfer accepted.",
      data: createdBatchData,
      also: { 200: "This batch reference was accepted before; here is its batch." },
    },
    problems: [
      "reference_conflict",
      "batch_refused",
      "insufficient_funds",
      "rail_not_configured",
      "source_account_not_found",
    ],
    handle: async ({ caller, body, headers, write }) => {
      await openRail(deps.rails.bank, caller);
      const payer = { environmentId: caller.environmentId, kind: caller.kind };
      const request = batchRequestOf(
        body,
        await requireWallet(deps.knownWallets, payer.environmentId, body.sourceAccountId ?? null),
      );
      const { narration = null } = body;
      const items = judgeItems(body.transfers, { kind: caller.kind, nubanCheck: deps.nubanCheck, narration });
      const tariffs = await deps.tariffs();
      const pay = () =>
        write(async (tx) => {
          const created = await createBatch(tx, request, items, tariffs, byHand(caller, headers));
          const data = presentBatch(created.batch, created.items);
          return created.replayed ? { data, ...repeated } : { data };
        });
      const amount = sum(items.payable.map((item) => item.amount));
      return payWithinLimit(deps, caller, { list: batchReferences, reference: body.batchReference, amount, pay });
    },
  });
}

function listRoute(): Route {
  return describeRoute("key", {
    method: "GET",
    path: "/transfers/bulk",
    operationId: "listBulkTransfers",
    tag,
    scope: "transfers:read",
    summary: "List bulk transfers",
    description:
      "Newest first, without their items. status, reference, from and to (creation) narrow it down, all at once if you like.",
    query: batchesQuery,
    reply: { status: 200, message: "Bulk transfers retrieved.", data: Type.Array(listedBatch), paged: true },
    handle: async ({ query, read }) => {
      const { reference = null, status = null } = query;
      const question = { reference, status, ...parseSpan(query) };
      const { rows, pagination } = await read((tx) => listBatches(tx, question, pageOf(query)));
      return { data: rows.map(summarizeBatch), pagination };
    },
  });
}

/** What a person sees of a batch before it is paid. For people only: programs look at what they send themselves. */
function reviewRoute(deps: BatchRouteDependencies): Route {
  return describeRoute("member", {
    method: "POST",
    path: "/transfers/bulk/review",
    scope: "transfers:write",
    summary: "Review a bulk transfer",
    description:
      "Fees, the wallet afterwards, what would be refused, and what a batch of the last seven days has paid.",
    body: reviewBody,
    bodyLimitBytes: largestBodyBytes,
    keepsNothing: true,
    withoutProof: true,
    reply: { status: 200, message: "Nothing was paid yet.", data: reviewData },
    problems: ["source_account_not_found"],
    handle: async ({ caller: { person, kind, environmentId }, body, read }) => {
      const source = await requireWallet(deps.knownWallets, environmentId, body.sourceAccountId ?? null);
      const judged = judgeItems(body.transfers, { kind, nubanCheck: deps.nubanCheck, narration: null });
      const tariffs = await deps.tariffs();
      const review = await read((tx) => reviewBatch(tx, { judged, source, tariffs, personId: person.id }));
      return { data: review };
    },
  });
}

function readRoute(): Route {
  return describeRoute("key", {
    method: "GET",
    path: "/transfers/bulk/{batchId}",
    operationId: "getBulkTransfer",
    tag,
    scope: "transfers:read",
    summary: "Read a bulk transfer",
    description: "The batch as it is now, with its items and their number by state.",
    params: batchParams,
    reply: { status: 200, message: "Bulk transfer retrieved.", data: batchData },
    problems: ["batch_not_found"],
    handle: ({ params, read }) =>
      read(async (tx) => {
        const batch = await findBatch(tx, params.batchId);
        if (batch === undefined) throw batchProblem("batch_not_found");
        return { data: presentBatch(batch, await readBatchItems(tx, batch)) };
      }),
  });
}
