import { Type } from "typebox";
import { newLoan } from "../lending/account/loan.ts";
import { cancelLoanAccount } from "../lending/account/move-loan-account.ts";
import { openLoanAccount } from "../lending/account/open-loan-account.ts";
import { viewOf } from "../lending/account/read-loan-account.ts";
import { findProduct } from "../lending/pricing/products.ts";
import type { EnvironmentKind, Tx } from "../platform/database/database.ts";
import { describeRoute, type Route } from "../platform/http/route.ts";
import { IdParams, OneOf } from "../platform/http/wire.ts";
import { pageOf, pageQuery } from "../platform/records/pagination.ts";
import type { Sealer } from "../platform/secrets/crypto.ts";
import { lagosDate } from "../platform/time/lagos-date.ts";
import { parseSpan, spanFields } from "../platform/time/time-span.ts";
import { cancelScheduled, schedule } from "../platform/work/agenda.ts";
import { listBanks } from "../rails/bank-directory.ts";
import type { LimitDependencies } from "../wallets/limit-people.ts";
import { announceLoan, announceRecord } from "./announce-loan.ts";
import { saveApplicant } from "./applicant-store.ts";
import { createBody } from "./application-fields.ts";
import { checkTerms } from "./check-terms.ts";
import { loanProblem } from "./errors.ts";
import type { LoanRequest } from "./loan-request.ts";
import { holdUndisbursed, insertLoan } from "./loan-store.ts";
import { loanFor, requestFor } from "./mask-loan.ts";
import { presentCreated, presentRequest } from "./present-request.ts";
import { readApplication } from "./read-application.ts";
import { findHome, listLoans, presentRecord, readLoanRecord, requireLoan } from "./read-loan.ts";
import { repaymentRoutes } from "./repayment-routes.ts";
import { scheduleRoutes } from "./schedule-routes.ts";
import { banksData, createdLoan, loanRecord, loanRequest, loanStatuses } from "./schemas.ts";
import { decideTask, decisionDelayMs, disburseTask, nameTask } from "./tasks.ts";

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
  return describeRoute("key", {
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
  return describeRoute("key", {
    method: "GET",
    path: "/loans/{id}",
    operationId: "getLoan",
    tag,
    scope: "loans:read",
    summary: "Read a loan",
    description:
      "The request with its applicant, and the loan with its figures and schedules. `id` is `loan_request.id` or `loan_request.reference`, here and in the paths below; events carry both.",
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
  return describeRoute("key", {
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
  return describeRoute("key", {
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
  return describeRoute("key", {
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

/** Takes a request back as long as no money is on its way. Throws invalid_state or loan_being_disbursed. */
async function cancelLoan(tx: Tx, sealer: Sealer, idOrReference: string): Promise<LoanRequest> {
  const { id } = await requireLoan(tx, sealer, idOrReference);
  const held = await holdUndisbursed(tx, id);
  const loan = await requireLoan(tx, sealer, id);
  if (!held && loan.status === "approved") throw loanProblem("loan_being_disbursed");
  await cancelLoanAccount(tx, { accountId: loan.accountId, announce: announceLoan(sealer) });
  await cancelScheduled(tx, decideTask, [id]);
  await cancelScheduled(tx, disburseTask, [id]);
  return requireLoan(tx, sealer, id);
}

/**
 * BVN and NIN of an applicant, for people at the console. Lists and records show them masked there (`mask-loan.ts`).
 * Roles that may change loans see them whole, one loan at a time. Like every change by a person, each look is in the
 * audit trail before it is answered, and in LIVE it wants a proof.
 */
const revealedNumbers = Type.Object({ bvn: Type.String(), nin: Type.String() });

function revealRoute({ sealer }: { readonly sealer: Sealer }): Route {
  return describeRoute("member", {
    method: "POST",
    path: "/loans/{id}/reveal",
    scope: "loans:write",
    summary: "Reveal BVN and NIN",
    description: "The applicant's numbers, whole. The audit trail has who asked.",
    params: IdParams,
    keepsNothing: true,
    reply: { status: 200, message: "Numbers revealed.", data: revealedNumbers },
    problems: ["loan_not_found"],
    handle: async ({ params, read }) => {
      const { bvn, nin } = (await read((tx) => requireLoan(tx, sealer, params.id))).applicant;
      return { data: { bvn, nin } };
    },
  });
}

/** Writes a request and its loan account. What follows (the bank's name for the account, the decision) is scheduled. */
async function createLoan(
  tx: Tx,
  sealer: Sealer,
  { body, kind }: { readonly body: unknown; readonly kind: EnvironmentKind },
): Promise<LoanRequest> {
  const product = await findProduct(tx);
  const application = readApplication(body, kind, (terms) => checkTerms(product, terms));
  const { clock } = tx.environment;
  const id = clock.newId();
  const applicantId = await saveApplicant(tx, sealer, application);
  const account = await openLoanAccount(tx, { owner: { kind: "loan_request", id }, product, terms: application });
  const decidesAt = clock.after(decisionDelayMs);
  await schedule(tx, [
    { kind: nameTask, subject: id },
    // Live, a person decides.
    ...(kind === "SANDBOX" ? [{ kind: decideTask, subject: id, dueAt: decidesAt }] : []),
  ]);
  await insertLoan(tx, sealer, { id, accountId: account.id, applicantId, application });
  const loan = await requireLoan(tx, sealer, id);
  const view = viewOf(newLoan({ account, product }), lagosDate(clock.now()));
  await announceRecord(tx, "loan.created", account, presentRecord({ loan, view }, await findHome(tx)));
  return loan;
}
