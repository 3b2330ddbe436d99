import { Type } from "typebox";
import { keyRoute, type Route } from "../platform/http/route.ts";
import { IdParams, OneOf } from "../platform/http/wire.ts";
import { pageOf, pageQuery } from "../platform/records/pagination.ts";
import type { Sealer } from "../platform/secrets/crypto.ts";
import { parseSpan, spanFields } from "../platform/time/time-span.ts";
import { listBanks } from "../rails/bank-directory.ts";
import type { LimitDependencies } from "../wallets/limit-people.ts";
import { createBody } from "./application-fields.ts";
import { cancelLoan } from "./cancel-loan.ts";
import { createLoan } from "./create-loan.ts";
import { loanFor, requestFor } from "./mask-loan.ts";
import { presentCreated, presentRequest } from "./present-request.ts";
import { findHome, listLoans, readLoanRecord } from "./read-loan.ts";
import { repaymentRoutes } from "./repayment-routes.ts";
import { revealRoute } from "./reveal-route.ts";
import { scheduleRoutes } from "./schedule-routes.ts";
import { banksData, createdLoan, loanRecord, loanRequest, loanStatuses } from "./schemas.ts";

export interface LoanRouteDependencies extends LimitDependencies {
  readonly sealer: Sealer;
}

const tag = "Loans";

export function loanRoutes(deps: LoanRouteDependencies): Route[] {
  return [
    createRoute(deps),
    listRoute(deps),
    banksRoute(),
    ...scheduleRoutes(deps),
    readRoute(deps),
    revealRoute(deps),
    ...repaymentRoutes(deps),
    cancelRoute(deps),
  ];
}

function createRoute({ sealer }: LoanRouteDependencies): Route {
  return keyRoute({
    method: "POST",
    path: "/loans/create",
    operationId: "createLoan",
    tag,
    scope: "loans:write",
    summary: "Request a loan",
    description:
      "Asks for a loan for an applicant, who is found again by BVN or else created. Every field is required and a string; all bad fields are reported at once. There is no merchant reference: send an Idempotency-Key to be safe against doubles. `loan.approved` and `loan.disbursed` follow; in a sandbox each about 2 s later, and a BVN that ends with 0000 is rejected.",
    body: createBody,
    bodyCheckedByHandler: true,
    reply: { status: 201, title: "Loan request", message: "Loan request created", data: createdLoan },
    handle: ({ caller, body, write }) =>
      write(async (tx) => {
        const loan = await createLoan(tx, sealer, { body, kind: caller.kind });
        return { data: presentCreated(loan, caller) };
      }),
  });
}

function readRoute({ sealer }: LoanRouteDependencies): Route {
  return keyRoute({
    method: "GET",
    path: "/loans/{id}",
    operationId: "getLoan",
    tag,
    scope: "loans:read",
    summary: "Read a loan",
    description: "The request with its applicant, and the loan with its figures and schedules.",
    params: IdParams,
    reply: { status: 200, title: "Loan", message: "Loan retrieved", data: loanRecord },
    problems: ["loan_not_found"],
    handle: ({ caller, params, read }) =>
      read(async (tx) => ({ data: loanFor(caller, await readLoanRecord(tx, sealer, params.id)) })),
  });
}

const listQuery = Type.Object({
  status: Type.Optional(OneOf(loanStatuses)),
  ...spanFields,
  ...pageQuery.properties,
});

function listRoute({ sealer }: LoanRouteDependencies): Route {
  return keyRoute({
    method: "GET",
    path: "/loans",
    operationId: "listLoans",
    tag,
    scope: "loans:read",
    summary: "List loans",
    description:
      "Newest first, ten to a page unless limit says otherwise. status, from and to (creation) narrow it down. Checkout loans are not among them.",
    query: listQuery,
    reply: { status: 200, title: "Loans", message: "Loans retrieved", data: Type.Array(loanRequest), paged: true },
    handle: async ({ caller, query, read }) => {
      const filter = { status: query.status ?? null, ...parseSpan(query) };
      return read(async (tx) => {
        const { rows, meta } = await listLoans(tx, sealer, filter, pageOf(query));
        const home = await findHome(tx);
        return { data: rows.map((loan) => requestFor(caller, presentRequest(loan, home))), meta };
      });
    },
  });
}

function banksRoute(): Route {
  return keyRoute({
    method: "GET",
    path: "/loans/banks",
    operationId: "listLoanBanks",
    tag,
    scope: "loans:read",
    summary: "Get banks",
    description: "Every bank that a loan can be paid to. bank_code and nip_code are both accepted as bank_code.",
    reply: { status: 200, title: "Banks", message: "Banks retrieved", data: banksData },
    handle: async ({ caller }) => ({
      data: listBanks(caller.kind).map(({ name, code, nipCode }) => ({
        bank_name: name,
        bank_code: code,
        nip_code: nipCode,
      })),
    }),
  });
}

function cancelRoute({ sealer }: LoanRouteDependencies): Route {
  return keyRoute({
    method: "POST",
    path: "/loans/{id}/cancel",
    operationId: "cancelLoan",
    withoutProof: true,
    tag,
    scope: "loans:write",
    summary: "Cancel a loan",
    description: "Cancels a pending or approved request, as long as no money is on its way. Sends `loan.cancelled`.",
    params: IdParams,
    reply: { status: 200, title: "Loan", message: "Loan cancelled", data: loanRecord },
    problems: ["loan_not_found", "invalid_state", "loan_being_disbursed"],
    handle: ({ caller, params, write }) =>
      write(async (tx) => {
        await cancelLoan(tx, sealer, params.id);
        return { data: loanFor(caller, await readLoanRecord(tx, sealer, params.id)) };
      }),
  });
}
