/** Every role at every route: allowed exactly where a key with the role's scopes would be. */
import { expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { signIn } from "../../testing/console.ts";
import { isDocumented } from "../platform/http/route.ts";
import { appRoutes } from "../start/app.ts";
import { house } from "../start/slices.ts";
import { merchantRoles, operatorMay, operatorRoles, scopesOf } from "./roles.ts";

const testing = await createTestApp();
const routes = appRoutes(testing.dependencies).filter(isDocumented);
const someId = "01932c5e-0000-7000-8000-000000000000";
const pathOf = (path: string) => path.replaceAll(/\{\w+\}/g, someId);

/** What keeps a caller out before the handler is asked; everything else means that the guard let them in. */
const isKeptOut = (code: string | undefined) => code === "scope_missing" || code === "role_missing";

test("there are routes of both kinds to ask", () => {
  expect(new Set(routes.map(({ guard }) => guard))).toEqual(new Set(["key", "operator"]));
});

test.each(merchantRoles)("a merchant's %s may do what the role's scopes say, at every route", async (role) => {
  const person = await signIn(testing, { email: `${role}@example.com`, role });
  const scopes = scopesOf(role, house.scopes);
  for (const route of routes) {
    // Emptying the sandbox would end the walk, and streams do not end.
    if (route.guard !== "key" || route.path === "/sandbox/reset" || route.path.endsWith("/stream")) continue;
    const allowed = scopes.includes("*") || scopes.includes(route.scope);
    const body = route.method === "GET" || route.method === "DELETE" ? undefined : { nonsense: true };
    const reply = await person.call(route.method, pathOf(route.path), body);
    const code = reply.statusCode < 400 ? undefined : reply.json<{ code?: string }>().code;
    expect([route.method, route.path, !isKeptOut(code)]).toEqual([route.method, route.path, allowed]);
  }
});

test("roles differ as they should", () => {
  const may = (role: (typeof merchantRoles)[number], scope: string) => {
    const scopes = scopesOf(role, house.scopes);
    return scopes.includes("*") || scopes.includes(scope);
  };
  const who = (scope: string) => merchantRoles.filter((role) => may(role, scope));
  expect(who("transfers:write")).toEqual(["owner", "finance"]);
  expect(who("bills:write")).toEqual(["owner", "finance"]);
  expect(who("wallets:write")).toEqual(["owner", "finance"]);
  expect(who("webhooks:write")).toEqual(["owner", "developer"]);
  expect(who("sandbox:write")).toEqual(["owner", "developer"]);
  expect(who("events:write")).toEqual(["owner", "developer", "support"]);
  for (const name of house.scopes) expect(who(`${name}:read`)).toEqual([...merchantRoles]);
});

test.each(operatorRoles)("an operator's %s may do what the table says, at every route", async (role) => {
  const person = await signIn(testing, { email: `operator-${role}@example.com`, operator: role });
  for (const route of routes) {
    if (route.guard !== "operator") continue;
    const body = route.method === "GET" ? undefined : { nonsense: true };
    const reply = await person.ask(route.method, `/console/api${pathOf(route.path)}`, body);
    const code = reply.statusCode < 400 ? undefined : reply.json<{ code?: string }>().code;
    expect([route.method, route.path, !isKeptOut(code)]).toEqual([route.method, route.path, operatorMay(role, route)]);
  }
});

test("every route that an operator's role names is there", () => {
  const written = (role: (typeof operatorRoles)[number]) =>
    routes.filter((route) => route.guard === "operator" && route.method !== "GET" && operatorMay(role, route));
  expect(written("support")).toHaveLength(8);
  expect(written("reconciliation")).toHaveLength(7);
});
