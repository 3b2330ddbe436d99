import { Type } from "typebox";
import { acceptRequest } from "../../ledger/accept-request.ts";
import type { EnvironmentKind, Tx } from "../../platform/database/database.ts";
import { describeRoute, type Reply, type Route } from "../../platform/http/route.ts";
import { IdParams, readNaira } from "../../platform/http/wire.ts";
import { commonProblem } from "../../platform/problem.ts";
import { readAll } from "../../platform/records/counted-list.ts";
import { type Pagination, pageOf, paginationOf } from "../../platform/records/pagination.ts";
import { findHolders } from "../../platform/records/reference-claims.ts";
import { parseSpan } from "../../platform/time/time-span.ts";
import type { Question } from "../../platform/work/ask-together.ts";
import { findBank } from "../../rails/bank-directory.ts";
import { type LimitPeople, payWithinLimit } from "../../wallets/limit-people.ts";
import { createTransfer, payoutRequestOf, type TransferDependencies } from "./create-transfer.ts";
import { transferProblem } from "./errors.ts";
import { byHand, onceByHand } from "./hand-payment.ts";
import { nubanWarning, nubanWarningHeader, payoutRuleProblems, payoutRules, requireBank } from "./payout-rules.ts";
import { type PresentedTransfer, presentTransfer } from "./present-transfer.ts";
import { createTransferBody, type ListTransfersQuery, listQuery, transferData, verifyQuery } from "./schemas.ts";
import { payoutList, type Transfer, type TransferStatus } from "./transfer.ts";
import { findTransfers, listTransfers, payouts, type TransferQuestion } from "./transfer-store.ts";

const tag = "Transfers";

export interface PayoutRouteDependencies extends TransferDependencies {
  readonly limitPeople: LimitPeople;
}

export function payoutRoutes(deps: PayoutRouteDependencies): Route[] {
  return [createRoute(deps), verifyRoute(), readRoute(), listRoute()];
}

function createRoute(deps: PayoutRouteDependencies): Route {
  return describeRoute("key", {
    method: "POST",
    path: "/transfers",
    operationId: "createTransfer",
    tag,
    scope: "transfers:write",
    summary: "Send a payout",
    description:
      "Takes amount and fees from the wallet and pays the account. 201 means accepted: the outcome follows as transfer.completed or transfer.failed, or by reading the transfer. The same reference and content again return 200 with the record as it is now and pays nothing; other content is refused with 409. After a time-out, send it again or ask GET /transfers/verify.",
    body: createTransferBody,
    rules: payoutRules,
    reply: {
      status: 201,
      message: "Transfer accepted.",
      data: transferData,
      also: { 200: "This reference was accepted before; here is its transfer." },
      headers: nubanWarningHeader,
    },
    problems: [
      "reference_conflict",
      "insufficient_funds",
      "account_not_found",
      "account_name_mismatch",
      ...payoutRuleProblems,
      "account_number_invalid",
      "name_enquiry_invalid",
      "source_account_not_found",
      "bank_unavailable",
      "rail_not_configured",
      "ledger_busy",
    ],
    handle: (request) => {
      const { body, caller, headers } = request;
      const { environmentId, kind } = caller;
      const asked = payoutRequestOf(body);
      const pay = () =>
        acceptRequest(request, {
          accept: (keep) => createTransfer(deps, { environmentId, kind }, asked, keep),
          present: (transfer: Transfer) => presentTransfer(transfer, kind),
          headers: nubanWarning(findBank(body.bankCode, kind), body.accountNumber),
        });
      const bankCode = findBank(asked.bankCode, kind)?.code ?? asked.bankCode;
      const order = { kind: "payout", reference: asked.reference, payouts: [{ ...asked, bankCode }] } as const;
      const limitPeople = onceByHand(deps, byHand(caller, headers), order);
      return payWithinLimit({ db: deps.db, limitPeople }, caller, { list: payoutList, ...asked, pay });
    },
  });
}

function verifyRoute(): Route {
  return describeRoute("key", {
    method: "GET",
    path: "/transfers/verify",
    operationId: "verifyTransfer",
    tag,
    scope: "transfers:read",
    summary: "Find a transfer by reference",
    description: "Finds by reference or externalReference, from the moment the request was accepted.",
    query: verifyQuery,
    reply: { status: 200, message: "Transfer retrieved.", data: transferData },
    problems: ["transfer_not_found"],
    handle: async ({ query, ask }) => found(await ask(transferByReference, query.reference)),
  });
}

function readRoute(): Route {
  return describeRoute("key", {
    method: "GET",
    path: "/transfers/{id}",
    operationId: "getTransfer",
    tag,
    scope: "transfers:read",
    summary: "Read a transfer",
    description: "The transfer as it is now.",
    params: IdParams,
    reply: { status: 200, message: "Transfer retrieved.", data: transferData },
    problems: ["transfer_not_found"],
    handle: async ({ params, ask }) => found(await ask(payoutById, params.id)),
  });
}

function found<Shown>(reply: Shown | undefined): Shown {
  if (reply === undefined) throw transferProblem("transfer_not_found");
  return reply;
}

function listRoute(): Route {
  return describeRoute("key", {
    method: "GET",
    path: "/transfers",
    operationId: "listTransfers",
    tag,
    scope: "transfers:read",
    summary: "List transfers",
    description:
      "Newest first, the items of bulk requests included. status, bankCode, minAmount, maxAmount, reference, from and to (creation) narrow it down, all at once if you like.",
    query: listQuery,
    reply: { status: 200, message: "Transfers retrieved.", data: Type.Array(transferData), paged: true },
    problems: ["unknown_bank"],
    handle: async ({ caller, query, read, ask }) => {
      const question = readQuestion(query, caller.kind);
      const page = pageOf(query);
      const newest = isOfAll(question) && page.page === 1 ? await ask(newestTransfers, String(page.limit)) : undefined;
      if (newest !== undefined) return newest;
      const { rows, pagination } = await read((tx) => listTransfers(tx, question, page));
      return { data: rows.map((transfer) => presentTransfer(transfer, caller.kind)), pagination };
    },
  });
}

/** What a caller asks of the list of transfers, read from the query string. */

/** Throws unknown_bank, and validation_failed when two bounds contradict each other. */
export function readQuestion(query: ListTransfersQuery, kind: EnvironmentKind): TransferQuestion {
  const minAmount = query.minAmount === undefined ? null : readNaira(query.minAmount);
  const maxAmount = query.maxAmount === undefined ? null : readNaira(query.maxAmount);
  if (minAmount !== null && maxAmount !== null && maxAmount < minAmount) {
    const errors = [{ field: "maxAmount", message: "must not be less than minAmount" }];
    throw commonProblem("validation_failed", { errors });
  }
  return {
    reference: query.reference ?? null,
    // The schema lets nothing else through.
    statuses: query.status === undefined ? null : (query.status.split(",") as TransferStatus[]),
    bankCode: query.bankCode === undefined ? null : requireBank(query.bankCode, kind).code,
    minAmount,
    maxAmount,
    ...parseSpan(query),
  };
}

/** Whether nothing is left out. */
function isOfAll(question: TransferQuestion): boolean {
  return Object.values(question).every((value) => value === null);
}

/** What is asked about transfers again and again, by many at the same moment: each question is asked once for all. */
type Shown = Reply<PresentedTransfer>;

/** Keys are ids. A disbursement is the lender's. */
const payoutById: Question<Shown> = {
  async find(tx, ids) {
    const found = await findTransfers(tx, ids);
    return new Map(
      [...found].filter(([, { purpose }]) => purpose === "payout").map(([id, one]) => [id, show(tx, one)]),
    );
  },
};

/** Keys are references, of either kind. */
const transferByReference: Question<Shown> = {
  async find(tx, references) {
    const holders = await findHolders(tx, payoutList, references);
    const found = await findTransfers(tx, [...new Set(holders.values())]);
    const shown = new Map([...found].map(([id, transfer]) => [id, show(tx, transfer)]));
    return new Map([...holders].flatMap(([reference, id]) => pairOf(reference, shown.get(id))));
  },
};

function pairOf(reference: string, shown: Shown | undefined): (readonly [string, Shown])[] {
  return shown === undefined ? [] : [[reference, shown]];
}

function show(tx: Tx, transfer: Transfer): Shown {
  return { data: presentTransfer(transfer, tx.environment.kind), isShared: true };
}

/** The first page of all transfers. Keys are how many it holds: the longest has what the others want. */
const newestTransfers: Question<Reply<PresentedTransfer[]> & { readonly pagination: Pagination }> = {
  async find(tx, limits) {
    const longest = { page: 1, limit: Math.max(...limits.map(Number)) };
    const { rows, total } = await readAll(tx, payouts, longest);
    const data = rows.map((transfer) => presentTransfer(transfer, tx.environment.kind));
    const cut = (limit: number) =>
      ({ data: data.slice(0, limit), pagination: paginationOf(total, 1, limit), isShared: true }) as const;
    return new Map(limits.map((limit) => [limit, cut(Number(limit))]));
  },
};
