/** What an operator does with verifications. */
import { Type } from "typebox";
import { operatorRoute, type Route } from "../platform/http/route.ts";
import { IdParams } from "../platform/http/wire.ts";
import { originOf, recordAudit } from "../platform/records/audit.ts";
import { pageOf, paginationOf } from "../platform/records/pagination.ts";
import { verificationProblem } from "./errors.ts";
import { listQuery, presentVerification, presentWhole, verificationData, wholeData } from "./schemas.ts";
import {
  countVerifications,
  findUnderWay,
  findVerification,
  insertVerification,
  listVerifications,
} from "./verification-store.ts";

const tag = "Operator";

export function verificationRoutes(): Route[] {
  return [startRoute(), listRoute(), showRoute()];
}

function startRoute(): Route {
  return operatorRoute({
    method: "POST",
    path: "/operator/verifications",
    operationId: "startVerification",
    tag,
    summary: "Verify the books now",
    description:
      "Recomputes the books of every environment, and the operator's own, from their entries and histories, as `npm run verify` does. A worker does it, reading only: read the verification until its state is no longer running. There is one at a time, and one every night by itself.",
    reply: { status: 201, message: "Verification started.", data: verificationData },
    problems: ["verification_under_way"],
    handle: (request) =>
      request.write(async (tx) => {
        const started = await insertVerification(tx, request.operator.name);
        if (started === undefined) {
          const underWay = await findUnderWay(tx);
          throw verificationProblem("verification_under_way", { data: { verificationId: underWay?.id } });
        }
        await recordAudit(tx, originOf(request), {
          action: "verification.start",
          subjectType: "verification",
          subjectId: started.id,
        });
        return { data: presentVerification(started) };
      }),
  });
}

function listRoute(): Route {
  return operatorRoute({
    method: "GET",
    path: "/operator/verifications",
    operationId: "listVerifications",
    tag,
    summary: "List verifications",
    description: "Newest first, without what they have found.",
    query: listQuery,
    reply: { status: 200, message: "Verifications retrieved.", data: Type.Array(verificationData), paged: true },
    handle: ({ query, read }) =>
      read(async (tx) => {
        const { page, limit } = pageOf(query);
        const total = await countVerifications(tx, query.state);
        const skip = BigInt(page - 1) * BigInt(limit);
        const rows = skip >= total ? [] : await listVerifications(tx, query.state, { skip, limit });
        return { data: rows.map(presentVerification), pagination: paginationOf(total, page, limit) };
      }),
  });
}

function showRoute(): Route {
  return operatorRoute({
    method: "GET",
    path: "/operator/verifications/{id}",
    operationId: "getVerification",
    tag,
    summary: "Read a verification",
    description: "With the first of what it has found: which check, of which record, what it must be and what it is.",
    params: IdParams,
    reply: { status: 200, message: "Verification retrieved.", data: wholeData },
    problems: ["verification_not_found"],
    handle: ({ params, read }) =>
      read(async (tx) => {
        const found = await findVerification(tx, params.id);
        if (found === undefined) throw verificationProblem("verification_not_found");
        return { data: presentWhole(found) };
      }),
  });
}
