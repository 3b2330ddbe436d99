/** What the console offers to a role is what the server lets it do: neither a dead button nor a missing one. */
import { expect, test } from "vitest";
import { merchantRoles, operatorMay, operatorRoles, scopesOf } from "../../server/src/console/roles.ts";
import { house } from "../../server/src/start/slices.ts";
import { mayChange } from "../../web/console/api/may-change.ts";
import { operatorMayChange } from "../../web/console/operator/operator-may-change.ts";
import { roles } from "../../web/console/team/roles.ts";

const resources = ["transfers", "bills", "loans", "checkout", "webhooks", "events", "keys", "sandbox"] as const;

test.each(merchantRoles)("a merchant's %s is offered exactly what the server allows", (role) => {
  const scopes = scopesOf(role, house.scopes);
  const allowed = resources.filter((name) => scopes.includes("*") || scopes.includes(`${name}:write`));
  expect(resources.filter((name) => mayChange(role, name))).toEqual(allowed);
});

test("who invites somebody chooses among the roles that there are", () => {
  expect(Object.keys(roles)).toEqual([...merchantRoles]);
});

/** What each change of an operator's page asks of the server. */
const asks = {
  checks: [["POST", "/operator/connections/{id}/check"]],
  connections: [["PATCH", "/operator/connections/{id}"]],
  incidents: [
    ["POST", "/operator/incidents"],
    ["POST", "/operator/incidents/{id}/updates"],
    ["POST", "/operator/incidents/{id}/withdraw"],
  ],
  merchants: [["POST", "/operator/merchants"]],
  payments: [
    ["POST", "/operator/transfers/{id}/resolve"],
    ["POST", "/operator/bills/{id}/resolve"],
  ],
  reconciliations: [
    ["POST", "/operator/reconciliations"],
    ["POST", "/operator/reconciliations/exceptions/{id}/resolve"],
  ],
  suspense: [["POST", "/operator/suspense/{id}/assign"]],
  verifications: [["POST", "/operator/verifications"]],
} as const;

test.each(operatorRoles)("an operator's %s is offered exactly what the server allows", (role) => {
  for (const [what, routes] of Object.entries(asks)) {
    for (const [method, path] of routes) {
      const offered = operatorMayChange(role, what as keyof typeof asks);
      expect([what, path, offered]).toEqual([what, path, operatorMay(role, { method, path })]);
    }
  }
});
