/**
 * A merchant's own keys, for its owners and developers at the console. A key that comes here finds nothing: a program
 * can neither see nor make keys. In a live environment nobody hands out more than they may do themselves, so that a key
 * is no way around a role, or around a second person's agreement.
 */
import { Type } from "typebox";
import { type Database, inEnvironment, operatorScope, type Tx } from "../platform/database/database.ts";
import { everyScope, hasScope, type Member } from "../platform/http/caller.ts";

import { describeRoute, type Route } from "../platform/http/route.ts";
import { IdParams } from "../platform/http/wire.ts";
import type { Origin } from "../platform/records/audit.ts";
import { pageOf, pageQuery } from "../platform/records/pagination.ts";
import type { ApiKey } from "./api-key.ts";
import { authProblem } from "./errors.ts";
import { issueKey, keyLimitErrors, refuseBadLimits } from "./issue-key.ts";
import { listKeys } from "./list-keys.ts";
import { revokeKey } from "./revoke-key.ts";
import { rotateKey } from "./rotate-key.ts";
import { issuedKeyData, issueKeyBody, keyData, presentKey, rotatedKeyData, rotateKeyBody } from "./schemas.ts";
import { withKey } from "./with-key.ts";

/** Of owners, who have every scope, and of developers. */
const scope = "keys:write";

export function ownKeyRoutes(db: Database, known: readonly string[]): Route[] {
  const change = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => inEnvironment(db, operatorScope, work);
  return [listRoute(change), issueRoute(change, known), rotateRoute(change), revokeRoute(change)];
}

/** Keys are looked after in the operator's scope, where their trail is. */
type Change = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

interface Asked {
  readonly caller: Member;
  readonly address: string;
  readonly requestId: string;
}

function originOf({ caller, address, requestId }: Asked): Origin {
  return { actor: caller.person.email, address, requestId };
}

function refuseMore(caller: Member, scopes: readonly string[]): void {
  if (caller.kind !== "LIVE") return;
  const beyond = scopes.find((wanted) => !hasScope(caller, wanted));
  if (beyond !== undefined) throw authProblem("key_beyond_role", { data: { scope: beyond } });
}

/** Another environment's key is as unknown as one that nobody has. */
function requireOwn(tx: Tx, { environmentId }: Member, id: string): Promise<ApiKey> {
  return withKey(tx, id, async (_, key) => {
    if (key.environmentId !== environmentId) throw authProblem("key_not_found");
    return key;
  });
}

function listRoute(change: Change): Route {
  return describeRoute("member", {
    method: "GET",
    path: "/keys",
    scope,
    summary: "List keys",
    description: "All keys of the environment, newest first, the revoked and expired ones too. Secrets are not shown.",
    query: pageQuery,
    reply: { status: 200, message: "Keys retrieved.", data: Type.Array(keyData), paged: true },
    handle: async ({ caller, query }) => {
      const { rows, pagination } = await change((tx) => listKeys(tx, caller.environmentId, pageOf(query)));
      return { data: rows.map(presentKey), pagination };
    },
  });
}

function issueRoute(change: Change, known: readonly string[]): Route {
  return describeRoute("member", {
    method: "POST",
    path: "/keys",
    scope,
    summary: "Issue a key",
    description: "The key itself is shown in this reply only, and the reply is kept nowhere.",
    body: issueKeyBody(known),
    rules: (fields) => keyLimitErrors(known, fields),
    keepsNothing: true,
    reply: { status: 201, message: "Key issued. Keep it now: it is not shown again.", data: issuedKeyData },
    problems: ["key_beyond_role"],
    handle: async (request) => {
      const { caller, body } = request;
      refuseBadLimits(known, body);
      const { expiresAt, scopes = [everyScope], ...limits } = body;
      refuseMore(caller, scopes);
      const { environmentId } = caller;
      const end = typeof expiresAt === "string" ? new Date(expiresAt) : null;
      const command = { ...limits, scopes, environmentId, expiresAt: end, origin: originOf(request) };
      const issued = await change((tx) => issueKey(tx, command));
      return { data: { ...presentKey(issued), key: issued.key } };
    },
  });
}

function rotateRoute(change: Change): Route {
  return describeRoute("member", {
    method: "POST",
    path: "/keys/{id}/rotate",
    scope,
    summary: "Rotate a key",
    description: "Issues a successor with the same limits; the old key works on during the overlap.",
    params: IdParams,
    body: rotateKeyBody,
    keepsNothing: true,
    reply: { status: 201, message: "Key rotated. Keep the new one now: it is not shown again.", data: rotatedKeyData },
    problems: ["key_not_found", "key_already_rotated", "key_not_active", "key_beyond_role"],
    handle: async (request) => {
      const { caller, body, params } = request;
      const { issued, replaced } = await change(async (tx) => {
        refuseMore(caller, (await requireOwn(tx, caller, params.id)).scopes);
        return rotateKey(tx, { ...body, keyId: params.id, origin: originOf(request) });
      });
      return { data: { ...presentKey(issued), key: issued.key, replacedKey: presentKey(replaced) } };
    },
  });
}

function revokeRoute(change: Change): Route {
  return describeRoute("member", {
    method: "POST",
    path: "/keys/{id}/revoke",
    scope,
    summary: "Revoke a key",
    description: "Ends a key for good, everywhere within five seconds. Revoking again changes nothing.",
    params: IdParams,
    keepsNothing: true,
    reply: { status: 200, message: "Key revoked.", data: keyData },
    problems: ["key_not_found"],
    handle: async (request) => {
      const revoked = await change(async (tx) => {
        await requireOwn(tx, request.caller, request.params.id);
        return revokeKey(tx, { keyId: request.params.id, origin: originOf(request) });
      });
      return { data: presentKey(revoked) };
    },
  });
}
