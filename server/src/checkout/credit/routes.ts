/** How an operator reads, tries and publishes the credit policy of an environment. */
import { Type } from "typebox";
import { findEnvironment } from "../../merchants/find-environment.ts";
import { type Tx, visitEnvironment } from "../../platform/database/database.ts";
import { describeRoute, type Route, repeated } from "../../platform/http/route.ts";
import { IdParams } from "../../platform/http/wire.ts";
import { originOf, recordAudit } from "../../platform/records/audit.ts";
import { publishingProblems } from "../../platform/records/dated-version.ts";
import { findPolicy } from "./policies.ts";
import { readPolicies } from "./policy-store.ts";
import { previewRules, publishRules } from "./publish-policy.ts";
import {
  policyBody,
  policyData,
  presentPolicy,
  presentPreview,
  previewBody,
  previewData,
  readFigures,
  readPolicy,
} from "./schemas.ts";

const path = "/operator/environments/{id}/credit-policies";
const common = { tag: "Operator", params: IdParams } as const;

export function creditPolicyRoutes(): Route[] {
  return [listRoute(), previewRoute(), publishRoute()];
}

function listRoute(): Route {
  return describeRoute("operator", {
    ...common,
    path,
    method: "GET",
    operationId: "listCreditPolicies",
    summary: "List credit policies",
    description: "Every version of an environment, the latest date first. `inForce` marks the one of now.",
    reply: { status: 200, message: "Credit policies retrieved.", data: Type.Array(policyData) },
    problems: ["environment_not_found"],
    handle: ({ params, read }) =>
      read(async (tx) => {
        const { id } = await findEnvironment(tx, params.id);
        const present = async (inside: Tx) => {
          const { version } = await findPolicy(inside);
          return (await readPolicies(inside)).map((policy) => presentPolicy(policy, policy.version === version));
        };
        return { data: await visitEnvironment(tx, id, present) };
      }),
  });
}

function previewRoute(): Route {
  return describeRoute("operator", {
    ...common,
    path: `${path}/preview`,
    method: "POST",
    operationId: "previewCreditPolicy",
    withoutProof: true,
    summary: "Try a credit policy",
    description:
      "Decides about people whose figures you send, by the policy in force and by the one in the body, and says where the two differ. Nothing is stored.",
    body: previewBody,
    keepsNothing: true,
    reply: { status: 200, message: "Decisions compared.", data: previewData },
    problems: ["environment_not_found"],
    handle: ({ params, body, read }) =>
      read(async (tx) => {
        const { id } = await findEnvironment(tx, params.id);
        const compare = async (inside: Tx) => {
          const from = body.effectiveFrom === undefined ? inside.environment.clock.now() : new Date(body.effectiveFrom);
          return previewRules(inside, readPolicy(body, 0, from), body.people.map(readFigures));
        };
        return { data: (await visitEnvironment(tx, id, compare)).map(presentPreview) };
      }),
  });
}

function publishRoute(): Route {
  return describeRoute("operator", {
    ...common,
    path,
    method: "POST",
    operationId: "publishCreditPolicy",
    summary: "Publish a credit policy",
    description:
      "Stores the next version, checked as a whole against the product of its day. New loans are decided by it from its date on; loans keep the version that allowed them. To take a planned version back, publish another one for the same date. Recorded in the audit trail. The same version and content again return 200.",
    body: policyBody,
    reply: {
      status: 201,
      message: "Credit policy published.",
      data: policyData,
      also: { 200: "It was published before" },
    },
    problems: ["environment_not_found", ...publishingProblems],
    handle: (request) =>
      request.write(async (tx) => {
        const { version, reason, confirmLargeChanges: confirmed = false } = request.body;
        const { id: environmentId } = await findEnvironment(tx, request.params.id);
        const wanted = readPolicy(request.body, version, new Date(request.body.effectiveFrom));
        const publish = async (inside: Tx) => {
          const done = await publishRules(inside, wanted, confirmed);
          return { ...done, inForce: (await findPolicy(inside)).version === version };
        };
        const { published, replayed, inForce } = await visitEnvironment(tx, environmentId, publish);
        const data = presentPolicy(published, inForce);
        if (replayed) return { data, ...repeated };
        await recordAudit(tx, originOf(request), {
          action: "credit_policy.publish",
          subjectType: "credit_policy",
          subjectId: String(version),
          environmentId,
          detail: { version, effectiveFrom: data.effectiveFrom, reason, confirmed },
        });
        return { data };
      }),
  });
}
