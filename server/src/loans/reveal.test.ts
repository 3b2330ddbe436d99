/** BVN and NIN at the console: masked for everybody, revealed to owners and finance, and each look written down. */
import { describe, expect, test } from "vitest";
import { signIn, type Visitor } from "../../testing/console.ts";
import { application, createLendingApp } from "../../testing/lending/loans.ts";
import { merchantRoles } from "../console/roles.ts";
import type { Route } from "../platform/http/route.ts";
import { appRoutes } from "../start/app.ts";

const testing = await createLendingApp();
const { call, operate, request } = testing;
const { bvn, nin } = application;
const masked = { bvn: `*******${bvn.slice(-4)}`, nin: `*******${nin.slice(-4)}` };
const as = (role: (typeof merchantRoles)[number]) => signIn(testing, { email: `${role}@example.com`, role });
const owner = await as("owner");

/** Every operation that returns them, as a person asks for it. */
const operations: Readonly<Record<string, (who: Visitor, id: string) => ReturnType<Visitor["call"]>>> = {
  listLoans: (who) => who.call("GET", "/loans"),
  getLoan: (who, id) => who.call("GET", `/loans/${id}`),
  cancelLoan: (who, id) => who.call("POST", `/loans/${id}/cancel`),
  approveSandboxLoan: (who, id) => who.call("POST", `/sandbox/loans/${id}/approve`),
  rejectSandboxLoan: (who, id) => who.call("POST", `/sandbox/loans/${id}/reject`),
  disburseSandboxLoan: async (who, id) => {
    await who.call("POST", `/sandbox/loans/${id}/approve`);
    return who.call("POST", `/sandbox/loans/${id}/disburse`);
  },
};

const namesIn = (schema: object): string[] =>
  Object.entries(schema).flatMap(([name, inner]) => [name, ...(inner instanceof Object ? namesIn(inner) : [])]);
const hasNumbers = (route: Route) => namesIn(route.reply.data).some((name) => name === "bvn" || name === "nin");

test("no other operation of a merchant returns them", () => {
  const found = appRoutes(testing.dependencies).flatMap((route) =>
    route.guard === "key" && hasNumbers(route) ? [route.operationId] : [],
  );
  expect(found.sort()).toEqual(Object.keys(operations).sort());
});

test.each(Object.keys(operations))("%s shows people the last four digits", async (name) => {
  const reply = await operations[name]?.(owner, await request());
  expect(reply?.statusCode).toBe(200);
  expect(reply?.body).toContain(`"bvn":"${masked.bvn}"`);
  expect(reply?.body).not.toContain(bvn);
  expect(reply?.body).not.toContain(nin);
});

test("programs with a key see what the specification says", async () => {
  const id = await request();
  const { loan_request, loan_details } = (await call("GET", `/loans/${id}`)).json().data;
  expect([loan_request.daas_user, loan_details.user]).toMatchObject([{ bvn, nin }, { bvn }]);
  expect((await call("GET", "/loans")).json().data[0].daas_user).toMatchObject({ bvn, nin });
});

describe("revealing", () => {
  test.each(["owner", "finance"] as const)("shows them whole to %s, and is in the audit trail", async (role) => {
    const id = await request();
    const who = await as(role);
    const reply = await who.call("POST", `/loans/${id}/reveal`, {});
    expect([reply.statusCode, reply.json().data]).toEqual([200, { bvn, nin }]);
    const [newest] = (await operate("GET", "/operator/audit?limit=1")).json().data;
    expect(newest).toMatchObject({
      actor: who.email,
      action: "console.request",
      environmentId: testing.merchant.environment.id,
      detail: { method: "POST", path: `/loans/${id}/reveal` },
    });
    expect(JSON.stringify(newest)).not.toContain(bvn);
  });

  test.each(merchantRoles.filter((role) => role !== "owner" && role !== "finance"))("is not for %s", async (role) => {
    const reply = await (await as(role)).call("POST", `/loans/${await request()}/reveal`, {});
    expect([reply.statusCode, reply.json().code]).toEqual([403, "scope_missing"]);
  });

  test("finds no other merchant's loan", async () => {
    const { merchant } = testing.otherMerchant;
    const eve = await signIn(testing, { email: "eve@example.com", role: "owner", merchantId: merchant.id });
    const theirs = `/console/api/environments/${testing.otherMerchant.environment.id}`;
    const reply = await eve.ask("POST", `${theirs}/loans/${await request()}/reveal`, {});
    expect([reply.statusCode, reply.json().code]).toEqual([404, "loan_not_found"]);
  });
});
