import { Type } from "typebox";
import { acceptRequest } from "../ledger/accept-request.ts";
import { keyRoute, type Route } from "../platform/http/route.ts";
import { IdParams } from "../platform/http/wire.ts";
import { pageOf } from "../platform/records/pagination.ts";
import { findBank } from "../rails/bank-directory.ts";
import { type LimitPeople, payWithinLimit } from "../wallets/limit-people.ts";
import { newestTransfers, payoutById, transferByReference } from "./ask-transfers.ts";
import { nubanWarning, nubanWarningHeader } from "./check-nuban.ts";
import { createTransfer, type TransferDependencies } from "./create-transfer.ts";
import { transferProblem } from "./errors.ts";
import { isOfAll, listTransfers } from "./list-transfers.ts";
import { payoutRules } from "./payout-rules.ts";
import { presentTransfer } from "./present-transfer.ts";
import { payoutRequestOf } from "./read-order.ts";
import { createTransferBody, listQuery, transferData, verifyQuery } from "./schemas.ts";
import { payoutList, type Transfer } from "./transfer.ts";
import { readQuestion } from "./transfer-question.ts";

const tag = "Transfers";

export interface PayoutRouteDependencies extends TransferDependencies {
  /** Runs what is due in a frozen sandbox; never rejects. */
  settleFrozen(environmentId: string): Promise<void>;
  readonly limitPeople: LimitPeople;
}

export function payoutRoutes(deps: PayoutRouteDependencies): Route[] {
  return [createRoute(deps), verifyRoute(), readRoute(), listRoute()];
}

function createRoute(deps: PayoutRouteDependencies): Route {
  return keyRoute({
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
      "unknown_bank",
      "account_number_invalid",
      "amount_below_minimum",
      "amount_above_maximum",
      "name_enquiry_invalid",
      "source_account_not_found",
      "bank_unavailable",
      "rail_not_configured",
      "ledger_busy",
    ],
    handle: (request) => {
      const { body, caller } = request;
      const { environmentId, kind } = caller;
      const asked = payoutRequestOf(body);
      const pay = () =>
        acceptRequest(request, {
          accept: (keep) => createTransfer(deps, { environmentId, kind }, asked, keep),
          present: (transfer: Transfer) => presentTransfer(transfer, kind),
          headers: nubanWarning(findBank(body.bankCode, kind), body.accountNumber),
          settleFrozen: deps.settleFrozen,
        });
      return payWithinLimit(deps, caller, { list: payoutList, ...asked, pay });
    },
  });
}

function verifyRoute(): Route {
  return keyRoute({
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
  return keyRoute({
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
  return keyRoute({
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
