/** What an operator does with verifications. */
import { type Static, Type } from "typebox";
import { named } from "../platform/http/named-schema.ts";
import { describeRoute, type Route } from "../platform/http/route.ts";
import { IdParams, Nullable, OneOf, Timestamp, Uuid } from "../platform/http/wire.ts";
import { type ProblemCatalogue, problemsFrom } from "../platform/problem.ts";
import { originOf, recordAudit } from "../platform/records/audit.ts";
import { pageOf, pageQuery, paginationOf } from "../platform/records/pagination.ts";
import { mostKept, type Verification, verificationStates } from "./verification.ts";
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
  return describeRoute("operator", {
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
  return describeRoute("operator", {
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
  return describeRoute("operator", {
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

/** Verifications on the wire. */
const state = OneOf(verificationStates, {
  description:
    "running: it waits for a worker, or one is at it. clean: nothing contradicts. contradictions: something does. failed: it broke off; nothing is said about the books.",
  examples: ["clean"],
});

export const listQuery = Type.Object({ ...pageQuery.properties, state: Type.Optional(state) });

const verificationFields = {
  id: Uuid,
  state,
  requestedBy: Type.String({ description: "The operator, or nightly.", examples: ["nightly"] }),
  environments: Type.Integer({ description: "How many are verified so far.", examples: [12] }),
  checks: Type.Integer({ description: "How many checks were made so far.", examples: [180] }),
  contradictions: Type.Integer({ examples: [0] }),
  failure: Nullable(Type.String({ examples: ["It broke off 3 times. The log of the workers says why."] })),
  createdAt: Timestamp,
  startedAt: Nullable(Timestamp),
  endedAt: Nullable(Timestamp),
};

export const verificationData = named("Verification", Type.Object(verificationFields));

const contradiction = named(
  "Contradiction",
  Type.Object({
    environmentId: Nullable(Uuid),
    check: Type.String({ description: "What must be so.", examples: ["balance equals entries"] }),
    subject: Type.String({ description: "Of which record.", examples: ["01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11"] }),
    expected: Type.String({ examples: ["5000"] }),
    found: Type.String({ examples: ["4999"] }),
  }),
);

export const wholeData = named(
  "VerificationWithContradictions",
  Type.Object({
    ...verificationFields,
    found: Type.Array(contradiction, {
      description: `The first ${mostKept}. Without an environment it is in the operator's own books.`,
    }),
  }),
);

export function presentVerification(verification: Verification): Static<typeof verificationData> {
  const { found: _, createdAt, startedAt, endedAt, ...rest } = verification;
  return {
    ...rest,
    createdAt: createdAt.toISOString(),
    startedAt: startedAt?.toISOString() ?? null,
    endedAt: endedAt?.toISOString() ?? null,
  };
}

export function presentWhole(verification: Verification): Static<typeof wholeData> {
  return { ...presentVerification(verification), found: verification.found.map((one) => ({ ...one })) };
}

export const verificationProblems = {
  verification_not_found: { status: 404, cause: "No verification has this id." },
  verification_under_way: {
    status: 409,
    cause: "The books are being verified now.",
    cure: "Read data.verificationId until it has ended.",
    data: Type.Object({ verificationId: Uuid }),
  },
} as const satisfies ProblemCatalogue;

const verificationProblem = problemsFrom(verificationProblems);
