import { Type } from "typebox";
import type { Database } from "../platform/database/database.ts";
import { everyScope } from "../platform/http/caller.ts";
import { describeRoute, type Route } from "../platform/http/route.ts";
import { IdParams } from "../platform/http/wire.ts";
import { listAudit, originOf } from "../platform/records/audit.ts";
import { pageOf, pageQuery } from "../platform/records/pagination.ts";
import { issueKey, keyLimitErrors, refuseBadLimits } from "./issue-key.ts";
import { listKeys } from "./list-keys.ts";
import { ownKeyRoutes } from "./member-routes.ts";
import { revokeKey } from "./revoke-key.ts";
import { rotateKey } from "./rotate-key.ts";
import {
  auditData,
  issuedKeyData,
  issueKeyBody,
  keyData,
  presentAuditEntry,
  presentKey,
  rotatedKeyData,
  rotateKeyBody,
} from "./schemas.ts";

const tag = "Operator";

export interface AuthRouteDependencies {
  readonly db: Database;
  /** What keys can be limited to, of all slices. */
  readonly scopes: readonly string[];
}

export function authRoutes({ db, scopes }: AuthRouteDependencies): Route[] {
  const known = knownScopes(scopes);
  const operators = [issueRoute(known), listRoute(), rotateRoute(), revokeRoute(), auditRoute()];
  return [...operators, ...ownKeyRoutes(db, known)];
}

function issueRoute(known: readonly string[]): Route {
  return describeRoute("operator", {
    method: "POST",
    path: "/operator/environments/{id}/keys",
    operationId: "createKey",
    tag,
    summary: "Issue a key",
    description: "Issues a secret key of an environment. The key itself is shown in this reply only.",
    params: IdParams,
    body: issueKeyBody(known),
    rules: (fields) => keyLimitErrors(known, fields),
    reply: { status: 201, message: "Key issued. Keep it now: it is not shown again.", data: issuedKeyData },
    problems: ["environment_not_found"],
    handle: (request) =>
      request.write(async (tx) => {
        refuseBadLimits(known, request.body);
        const { expiresAt, ...limits } = request.body;
        const issued = await issueKey(tx, {
          ...limits,
          environmentId: request.params.id,
          expiresAt: typeof expiresAt === "string" ? new Date(expiresAt) : null,
          origin: originOf(request),
        });
        return { data: { ...presentKey(issued), key: issued.key } };
      }),
  });
}

function listRoute(): Route {
  return describeRoute("operator", {
    method: "GET",
    path: "/operator/environments/{id}/keys",
    operationId: "listKeys",
    tag,
    summary: "List keys",
    description: "All keys of an environment, newest first, the revoked and expired ones too. Secrets are not shown.",
    params: IdParams,
    query: pageQuery,
    reply: { status: 200, message: "Keys retrieved.", data: Type.Array(keyData), paged: true },
    problems: ["environment_not_found"],
    handle: (request) =>
      request.read(async (tx) => {
        const { rows, pagination } = await listKeys(tx, request.params.id, pageOf(request.query));
        return { data: rows.map(presentKey), pagination };
      }),
  });
}

function rotateRoute(): Route {
  return describeRoute("operator", {
    method: "POST",
    path: "/operator/keys/{id}/rotate",
    operationId: "rotateKey",
    tag,
    summary: "Rotate a key",
    description:
      "Issues a successor with the same name, scopes, addresses and end date. The old key keeps working during the overlap (a day unless you choose), so that you can roll the new one out without a gap.",
    params: IdParams,
    body: rotateKeyBody,
    reply: { status: 201, message: "Key rotated. Keep the new one now: it is not shown again.", data: rotatedKeyData },
    problems: ["key_not_found", "key_already_rotated", "key_not_active"],
    handle: (request) =>
      request.write(async (tx) => {
        const command = { ...request.body, keyId: request.params.id, origin: originOf(request) };
        const { issued, replaced } = await rotateKey(tx, command);
        return { data: { ...presentKey(issued), key: issued.key, replacedKey: presentKey(replaced) } };
      }),
  });
}

function revokeRoute(): Route {
  return describeRoute("operator", {
    method: "POST",
    path: "/operator/keys/{id}/revoke",
    operationId: "revokeKey",
    withoutProof: true,
    tag,
    summary: "Revoke a key",
    description:
      "Ends a key for good. It stops working everywhere within five seconds. Revoking again changes nothing.",
    params: IdParams,
    reply: { status: 200, message: "Key revoked.", data: keyData },
    problems: ["key_not_found"],
    handle: (request) =>
      request.write(async (tx) => ({
        data: presentKey(await revokeKey(tx, { keyId: request.params.id, origin: originOf(request) })),
      })),
  });
}

/** What a key may be limited to. `resources` are those of all slices. */
export function knownScopes(resources: readonly string[]): string[] {
  return [everyScope, ...resources.flatMap((resource) => [`${resource}:read`, `${resource}:write`])];
}

function auditRoute(): Route {
  return describeRoute("operator", {
    method: "GET",
    path: "/operator/audit",
    operationId: "listAuditEntries",
    tag: "Operator",
    summary: "Read the audit trail",
    description:
      "What operators did, newest first: who, what, when, from where and by which request. Entries are never changed or deleted.",
    query: pageQuery,
    reply: { status: 200, message: "Audit trail retrieved.", data: Type.Array(auditData), paged: true },
    handle: async ({ query, read }) => {
      const { rows, pagination } = await read((tx) => listAudit(tx, pageOf(query)));
      return { data: rows.map(presentAuditEntry), pagination };
    },
  });
}
