/** What an operator does with reconciliations. */
import { Type } from "typebox";
import { nairaString } from "../money/kobo.ts";
import { type Database, operatorScope, readEnvironment, timeIn } from "../platform/database/database.ts";
import { isUuid } from "../platform/database/ids.ts";
import { csvRow, foreignText } from "../platform/http/csv.ts";
import { describeRoute, type Route, repeated, type Streamed } from "../platform/http/route.ts";
import { IdParams } from "../platform/http/wire.ts";
import { commonProblem } from "../platform/problem.ts";
import { originOf, recordAudit } from "../platform/records/audit.ts";
import type { OrderBook } from "../platform/records/order-book.ts";
import { pageOf, paginationOf } from "../platform/records/pagination.ts";
import { isAfter, lagosDate } from "../platform/time/lagos-date.ts";
import { connectionProblem } from "../rails/connections/errors.ts";
import { reconciliationProblem } from "./errors.ts";
import { findException, listExceptions, writeResolution } from "./exception-store.ts";
import type { KeptException, Reconciliation } from "./reconciliation.ts";
import {
  countReconciliations,
  findReconciliation,
  findUnderWay,
  insertReconciliation,
  listReconciliations,
} from "./reconciliation-store.ts";
import { type Connections, comparableBooks } from "./run-reconciliation.ts";
import {
  exceptionData,
  koboOf,
  listQuery,
  presentException,
  presentReconciliation,
  reconciliationData,
  resolveBody,
  startBody,
  wholeData,
} from "./schemas.ts";

export interface ReconciliationRouteDependencies {
  readonly db: Database;
  readonly connections: Connections;
  readonly orderBooks: readonly OrderBook[];
}

const tag = "Operator";

export function reconciliationRoutes(deps: ReconciliationRouteDependencies): Route[] {
  return [startRoute(deps), listRoute(), showRoute(deps), resolveRoute()];
}

function startRoute(deps: ReconciliationRouteDependencies): Route {
  return describeRoute("operator", {
    method: "POST",
    path: "/operator/reconciliations",
    operationId: "startReconciliation",
    withoutProof: true,
    tag,
    summary: "Compare a day with a provider",
    description:
      "Holds our orders, our ledger and the provider's own records of a day in Lagos against each other. A worker does it: read the reconciliation until its state is no longer running. A day that was compared before gets a new version. Live connections are compared every night by themselves.",
    body: startBody,
    reply: { status: 201, message: "Reconciliation started.", data: reconciliationData },
    problems: [
      "connection_not_found",
      "reconciliation_date_refused",
      "reconciliation_not_offered",
      "reconciliation_under_way",
    ],
    handle: async (request) => {
      const earlier = await request.kept<ReturnType<typeof presentReconciliation>>();
      if (earlier !== undefined) return earlier;
      const { connectionId, date } = request.body;
      await requireComparable(deps, connectionId, date);
      return request.write(async (tx) => {
        const wanted = { connectionId, date, requestedBy: request.operator.name };
        const run = await insertReconciliation(tx, wanted);
        if (run === undefined) {
          const underWay = await findUnderWay(tx, wanted);
          throw reconciliationProblem("reconciliation_under_way", { data: { reconciliationId: underWay?.id } });
        }
        await recordAudit(tx, originOf(request), {
          action: "reconciliation.start",
          subjectType: "reconciliation",
          subjectId: run.id,
          detail: { connectionId, date, version: run.version },
        });
        return { data: presentReconciliation(run) };
      });
    },
  });
}

async function requireComparable(deps: ReconciliationRouteDependencies, id: string, date: string): Promise<void> {
  const found = isUuid(id) ? await deps.connections.find(id.toLowerCase()) : undefined;
  if (found === undefined) throw connectionProblem("connection_not_found");
  if (isAfter(Temporal.PlainDate.from(date), lagosDate(await timeIn(deps.db, operatorScope)))) {
    throw reconciliationProblem("reconciliation_date_refused");
  }
  const books = comparableBooks(deps.orderBooks, found.connection, found.connected.books);
  if (books.length === 0) throw reconciliationProblem("reconciliation_not_offered");
}

function listRoute(): Route {
  return describeRoute("operator", {
    method: "GET",
    path: "/operator/reconciliations",
    operationId: "listReconciliations",
    tag,
    summary: "List reconciliations",
    description: "Newest first, every version of every day, without their exceptions.",
    query: listQuery,
    reply: { status: 200, message: "Reconciliations retrieved.", data: Type.Array(reconciliationData), paged: true },
    handle: ({ query, read }) =>
      read(async (tx) => {
        const { page, limit } = pageOf(query);
        const { connectionId, state, date } = query;
        const isNobody = connectionId !== undefined && !isUuid(connectionId);
        const filter = { connectionId, state, date };
        const total = isNobody ? 0n : await countReconciliations(tx, filter);
        const skip = BigInt(page - 1) * BigInt(limit);
        const rows = skip >= total ? [] : await listReconciliations(tx, filter, { skip, limit });
        return { data: rows.map(presentReconciliation), pagination: paginationOf(total, page, limit) };
      }),
  });
}

const csv = "text/csv";
const mostShown = 1_000;

function showRoute({ db }: ReconciliationRouteDependencies): Route {
  return describeRoute("operator", {
    method: "GET",
    path: "/operator/reconciliations/{id}",
    operationId: "getReconciliation",
    tag,
    summary: "Read a reconciliation",
    description:
      "With what this version has found, the first 1,000 exceptions. With `Accept: text/csv` all of them come as one file; text that a spreadsheet would take for a formula has an apostrophe before it.",
    params: IdParams,
    reply: {
      status: 200,
      message: "Reconciliation retrieved.",
      data: wholeData,
      alsoAs: { [csv]: exceptionCsvHeader + exceptionCsvLine(exampleException, exampleException.firstSeenAt) },
    },
    problems: ["reconciliation_not_found", "not_acceptable"],
    handle: ({ params, mediaType, read }) =>
      read(async (tx) => {
        const run = await findReconciliation(tx, params.id);
        if (run === undefined) throw reconciliationProblem("reconciliation_not_found");
        const now = tx.environment.clock.now();
        if (mediaType === csv) return fileOf(db, run, now);
        const exceptions = hasResult(run) ? await listExceptions(tx, run, { limit: mostShown }) : [];
        return {
          data: { ...presentReconciliation(run), exceptions: exceptions.map((one) => presentException(one, now)) },
        };
      }),
  });
}

function hasResult({ state }: Reconciliation): boolean {
  return state === "clean" || state === "exceptions";
}

function fileOf(db: Database, run: Reconciliation, now: Date): Streamed {
  const filename = `reconciliation-${run.date}-${run.connectionId}-v${run.version}.csv`;
  return {
    mediaType: csv,
    chunks: linesOf(db, run, now),
    headers: { "content-disposition": `attachment; filename="${filename}"` },
  };
}

const chunkLines = 500;

/** Each chunk is read when the one before it was taken, in a short transaction of its own. */
async function* linesOf(db: Database, run: Reconciliation, now: Date): AsyncGenerator<string> {
  yield exceptionCsvHeader;
  let after: string | undefined;
  for (let isMore = hasResult(run); isMore; ) {
    const read: KeptException[] = await readEnvironment(db, operatorScope, (tx) =>
      listExceptions(tx, run, { after, limit: chunkLines }),
    );
    yield read.map((one) => exceptionCsvLine(one, now)).join("");
    after = read.at(-1)?.id;
    isMore = read.length === chunkLines;
  }
}

function resolveRoute(): Route {
  return describeRoute("operator", {
    method: "POST",
    path: "/operator/reconciliations/exceptions/{id}/resolve",
    operationId: "resolveReconciliationException",
    tag,
    summary: "Resolve an exception",
    description:
      "Says why the books differ, once. It moves no money: mend the order or the books first. The exception counts as resolved in every later version of the day while its figures stay as they are. The same reason again returns the exception as it is.",
    params: IdParams,
    body: resolveBody,
    reply: { status: 200, message: "Exception resolved.", data: exceptionData },
    problems: ["reconciliation_exception_not_found", "invalid_state"],
    handle: (request) =>
      request.write(async (tx) => {
        const { id } = request.params;
        const reason = request.body.reason.trim();
        // Locks: the exception, so that of two operators one resolves it.
        const found = await findException(tx, id, { lock: true });
        if (found === undefined) throw reconciliationProblem("reconciliation_exception_not_found");
        const now = tx.environment.clock.now();
        const { resolution } = found;
        if (resolution?.reason === reason) return { data: presentException(found, now), ...repeated };
        refuseSettled(found);
        await writeResolution(tx, id, { by: request.operator.name, reason });
        await recordAudit(tx, originOf(request), {
          action: "reconciliation_exception.resolve",
          subjectType: "reconciliation_exception",
          subjectId: id,
          detail: { kind: found.kind, connectionId: found.connectionId, date: found.date, reason },
        });
        const resolved = await findException(tx, id);
        if (resolved === undefined) throw new Error(`exception ${id} is gone`);
        return { data: presentException(resolved, now) };
      }),
  });
}

function refuseSettled({ resolution, closedAt }: KeptException): void {
  if (resolution === null && closedAt === null) return;
  const status = resolution === null ? "closed" : "resolved";
  const words = {
    resolved: "The exception was resolved before, with another reason.",
    closed: "A later run no longer found the exception, so there is nothing to resolve.",
  };
  throw commonProblem("invalid_state", { message: words[status], data: { status } });
}

/** The exceptions of a run as a file. Texts of merchants and providers are made harmless. */
export const exceptionCsvHeader = csvRow([
  "id",
  "kind",
  "ourType",
  "ourId",
  "environmentId",
  "ourReference",
  "ourStatus",
  "ourAmount",
  "ourFee",
  "ledger",
  "sentAt",
  "orderId",
  "providerReference",
  "theirStatus",
  "theirWord",
  "theirAmount",
  "theirFee",
  "theirCreatedAt",
  "firstSeenAt",
  "ageDays",
  "closedAt",
  "resolvedBy",
  "resolvedAt",
  "reason",
]);

export function exceptionCsvLine(exception: KeptException, now: Date): string {
  const { id, kind, ours, theirs } = exception;
  const shown = presentException(exception, now);
  const amount = (digits: string | null | undefined) => (digits == null ? "" : nairaString(koboOf(digits)));
  return csvRow([
    id,
    kind,
    ours?.type ?? "",
    ours?.id ?? "",
    ours?.environmentId ?? "",
    foreignText(ours?.reference ?? ""),
    ours?.status ?? "",
    amount(ours?.amount),
    amount(ours?.fee),
    amount(ours?.ledger),
    ours?.sentAt ?? "",
    foreignText(ours?.orderId ?? theirs?.orderId ?? ""),
    foreignText(theirs?.providerReference ?? ""),
    theirs?.status ?? "",
    foreignText(theirs?.word ?? ""),
    amount(theirs?.amount),
    amount(theirs?.fee),
    theirs?.createdAt ?? "",
    shown.firstSeenAt,
    String(shown.ageDays),
    shown.closedAt ?? "",
    foreignText(shown.resolvedBy ?? ""),
    shown.resolvedAt ?? "",
    foreignText(shown.reason ?? ""),
  ]);
}

/** What the documents show. */
export const exampleException: KeptException = {
  id: "01932c61-2b3c-7d4e-8f50-617283940a5b",
  connectionId: "01932c60-1d2e-7a3b-8c4d-5e6f70819203",
  date: "2026-11-15",
  kind: "missing_at_provider",
  ours: {
    type: "transfer",
    id: "01932c61-2b3c-7d4e-8f50-617283940a5c",
    environmentId: "01932c60-1d2e-7a3b-8c4d-5e6f70819204",
    orderId: "999001261115101500000000000042",
    reference: "order-1",
    status: "success",
    amount: "250000",
    fee: "1000",
    ledger: "250000",
    sentAt: "2026-11-15T09:15:00.000Z",
  },
  theirs: null,
  firstSeenAt: new Date("2026-11-16T01:00:00.000Z"),
  closedAt: null,
  resolution: null,
};
