/**
 * What people may do. A person of a merchant has a role, and a role is a set of the scopes that keys have: so every
 * route of the API refuses a person as it refuses a key, and nothing about roles is written at a route.
 *
 * An operator's people have a role as well. Operators' routes have no scopes, so the roles name the routes.
 */
import { everyScope } from "../platform/http/caller.ts";

export const merchantRoles = ["owner", "developer", "finance", "support", "viewer"] as const;
export type MerchantRole = (typeof merchantRoles)[number];

export const operatorRoles = ["admin", "support", "reconciliation"] as const;
export type OperatorRole = (typeof operatorRoles)[number];

/** What a role may write. Every role reads everything; a new slice's writes are the owner's until somebody decides. */
const writes: Readonly<Record<MerchantRole, readonly string[]>> = {
  owner: [everyScope],
  developer: ["webhooks", "events", "sandbox", "keys"],
  finance: ["transfers", "bills", "wallets", "loans", "checkout"],
  support: ["events"],
  viewer: [],
};

/** `resources` are those of all slices. */
export function scopesOf(role: MerchantRole, resources: readonly string[]): readonly string[] {
  const written = writes[role];
  if (written.includes(everyScope)) return [everyScope];
  return [...resources.map((name) => `${name}:read`), ...written.map((name) => `${name}:write`)];
}

/** What an operator's role may change, as `METHOD path` of the route's description. All of them may read. */
const operatorWrites: Readonly<Record<Exclude<OperatorRole, "admin">, readonly string[]>> = {
  support: [
    "POST /operator/customers/{id}/contact-changes/{changeId}/approve",
    "POST /operator/customers/{id}/contact-changes/{changeId}/reject",
    "POST /operator/customers/{id}/kyc",
    "POST /operator/keys/{id}/revoke",
    "POST /operator/environments/{id}/credit-policies/preview",
    "POST /operator/incidents",
    "POST /operator/incidents/{id}/updates",
    "POST /operator/incidents/{id}/withdraw",
  ],
  reconciliation: [
    "POST /operator/reconciliations",
    "POST /operator/reconciliations/exceptions/{id}/resolve",
    "POST /operator/suspense/{id}/assign",
    "POST /operator/transfers/{id}/resolve",
    "POST /operator/bills/{id}/resolve",
    "POST /operator/connections/{id}/check",
    "POST /operator/verifications",
  ],
};

export function operatorMay(role: OperatorRole, { method, path }: { method: string; path: string }): boolean {
  return role === "admin" || method === "GET" || operatorWrites[role].includes(`${method} ${path}`);
}
