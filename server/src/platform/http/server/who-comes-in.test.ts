/** Who is let in, how often, and what is written down about a request that has its reply. */

import fc from "fast-check";
import type { FastifyReply, FastifyRequest } from "fastify";
import { beforeEach, describe, expect, test } from "vitest";
import { commonProblem, type Problem } from "../../problem.ts";
import { type Caller, environmentOf, hasScope } from "../caller.ts";
import { familyOf } from "../family.ts";
import { type Authentication, createGuardDependencies, guardFor } from "../guard/guard.ts";
import { bucketOf, createStrangers } from "../guard/strangers.ts";
import { httpProblem } from "../http-problems.ts";
import { keepReply } from "../keep-reply.ts";
import { recordOf, routeOf } from "../reply/answered-request.ts";
import { isKnownTag } from "../reply/replies.ts";
import type { Route } from "../route.ts";

const environmentId = "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11";
const caller: Caller = {
  environmentId,
  kind: "SANDBOX",
  merchantId: "m1",
  holderId: "key-1",
  scopes: ["transfers:write"],
  person: null,
  recheck: async () => undefined,
};

describe("whose guesses are counted together", () => {
  test.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2:ffff::1"],
    ["2001:0db8:0001:0002::1", "2001:db8:1:2::2"],
  ])("%s and %s are one", (one, other) => {
    expect(bucketOf(one)).toBe(bucketOf(other));
  });

  test.each([
    ["203.0.113.7", "203.0.113.8"],
    ["2001:db8:1:2::1", "2001:db8:1:3::1"],
    ["::1", "::ffff:0.0.0.1"],
  ])("%s and %s are two", (one, other) => {
    expect(bucketOf(one)).not.toBe(bucketOf(other));
  });

  test("whatever calls itself an address has a bucket, and nothing breaks", () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()), (address) => {
        expect(bucketOf(bucketOf(address)).length).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe("a stranger", () => {
  const wrong = () => Promise.reject(httpProblem("invalid_page_token"));

  test("is refused as such ten times in a burst for each one a second, and then for guessing", async () => {
    const strangers = createStrangers(1);
    for (let guess = 0; guess < 10; guess += 1) {
      await expect(strangers.enter("203.0.113.7", wrong)).rejects.toMatchObject({ code: "invalid_page_token" });
    }
    await expect(strangers.enter("203.0.113.7", wrong)).rejects.toMatchObject({
      code: "rate_limited",
      headers: { "Retry-After": "1" },
    });
    await expect(strangers.enter("203.0.113.8", wrong)).rejects.toMatchObject({ code: "invalid_page_token" });
  });

  test("locks nobody out who has a right key behind the same address", async () => {
    const strangers = createStrangers(1);
    for (let guess = 0; guess < 12; guess += 1) await strangers.enter("a", wrong).catch(() => undefined);
    expect(await strangers.enter("a", async () => "in")).toBe("in");
  });

  test("is not one whose key is right and who is refused for something else, nor one whom a bug met", async () => {
    const strangers = createStrangers(1);
    for (let time = 0; time < 30; time += 1) {
      const refusal = commonProblem("not_found");
      await expect(strangers.enter("a", () => Promise.reject(refusal))).rejects.toBe(refusal);
      await expect(strangers.enter("a", () => Promise.reject(new Error("bug")))).rejects.toThrow("bug");
    }
    await expect(strangers.enter("a", wrong)).rejects.toMatchObject({ code: "invalid_page_token" });
  });

  test("is never counted where the operator turned limits off", async () => {
    const strangers = createStrangers(0);
    for (let guess = 0; guess < 50; guess += 1) {
      await expect(strangers.enter("a", wrong)).rejects.toMatchObject({ code: "invalid_page_token" });
    }
  });
});

describe("the guard of a key's route", () => {
  const reached: string[] = [];
  beforeEach(() => reached.splice(0));
  const authentication = (who: Caller): Authentication =>
    ({
      authenticate: async () => who,
      requireScope: (asked: Caller, scope: string) => {
        reached.push("scope");
        if (!hasScope(asked, scope)) throw commonProblem("not_found");
      },
      admit: async () => void reached.push("admitted"),
      findPage: async (kind: string, token: string) =>
        token === "right" ? { kind, pageId: "p1", environmentId, environmentKind: "SANDBOX" } : undefined,
    }) as unknown as Authentication;

  async function enter(route: object, who: Caller = caller, perSecond = 0, headers = {}) {
    const told: Record<string, unknown> = {};
    const request = { ip: "203.0.113.7", headers, caller: null, page: null } as unknown as FastifyRequest;
    const header = (name: string, value: unknown) => Object.assign(told, { [name]: value });
    const reply = { header } as unknown as FastifyReply;
    const deps = createGuardDependencies(authentication(who), perSecond);
    const guard = guardFor(route as Route, deps) as unknown as (
      request: FastifyRequest,
      reply: FastifyReply,
    ) => Promise<void>;
    return { again: () => guard(request, reply), request, told };
  }
  const route = { guard: "key", scope: "transfers:write" };

  test("knows the caller, also of what is refused after that", async () => {
    const { again, request } = await enter({ ...route, scope: "transfers:read" });
    await expect(again()).rejects.toMatchObject({ code: "not_found" });
    expect(request.caller).toBe(caller);
    expect(environmentOf(request)).toBe(environmentId);
  });

  test("lets live keys into no sandbox's control, and test keys into it", async () => {
    const controls = { ...route, sandboxOnly: true };
    await expect((await enter(controls, { ...caller, kind: "LIVE" })).again()).rejects.toMatchObject({
      code: "sandbox_only",
      status: 403,
    });
    await expect((await enter(controls)).again()).resolves.toBeUndefined();
  });

  test("has the last word about a person, and not about a key", async () => {
    await (await enter(route)).again();
    expect(reached).toEqual(["scope"]);
    const person = { id: "p", email: "a@b.c", name: "A", sessionId: "s", signedInAt: new Date(), provenAt: new Date() };
    await (await enter(route, { ...caller, person })).again();
    expect(reached).toEqual(["scope", "scope", "admitted"]);
  });

  test("counts requests of a key in bursts of twice its rate, and says when to come again", async () => {
    const { again, told } = await enter(route, caller, 3);
    for (let place = 0; place < 6; place += 1) await again();
    expect(told).toMatchObject({ "ratelimit-limit": 6, "ratelimit-remaining": 0 });
    const refusal: Problem = await again().then(
      () => Promise.reject(new Error("a seventh came in")),
      (error) => error,
    );
    expect(refusal).toMatchObject({ code: "rate_limited", status: 429 });
    expect(Number(refusal.headers["Retry-After"])).toBeGreaterThanOrEqual(1);
  });

  test.each([undefined, "", "Bearer", "Bearer wrong", "Basic right"])(
    "of a page has one answer for %j",
    async (authorization) => {
      const { again } = await enter({ guard: "page", page: "checkout" }, caller, 0, { authorization });
      await expect(again()).rejects.toMatchObject({ code: "invalid_page_token", status: 401 });
    },
  );

  test("of a page knows which record it is about", async () => {
    const { again, request } = await enter({ guard: "page", page: "plan" }, caller, 0, {
      authorization: "Bearer right",
    });
    await again();
    expect(request.page).toMatchObject({ kind: "plan", pageId: "p1" });
    expect(environmentOf(request)).toBe(environmentId);
  });
});

describe("scopes", () => {
  test.each([
    [["transfers:read"], "transfers:read", true],
    [["transfers:write"], "transfers:read", false],
    [["transfers"], "transfers:read", false],
    [["*"], "anything:new", true],
    [["*:read"], "transfers:read", false],
    [[], "transfers:read", false],
  ])("%j open %s: %s", (scopes, scope, opens) => {
    expect(hasScope({ scopes }, scope)).toBe(opens);
  });
});

test.each([
  ["/loans", "loans"],
  ["/loans/create", "loans"],
  ["/loans?page=1", "loans"],
  ["/loansharks", "general"],
  ["/checkout/loans", "general"],
  ["/", "general"],
])("%s is of the family %s", (path, family) => {
  expect(familyOf(path)).toBe(family);
});

describe("the record of a request", () => {
  const id = environmentId;
  const body = (data: object) => JSON.stringify({ status: true, message: "m", data });
  const asked = { method: "POST", status: 201 };

  test.each([
    [{ id }, id],
    [{ batchId: id, batchReference: "b" }, id],
    [{ loan_id: id }, id],
    [{ reference: "r-1", transfer: { id } }, id],
    [{ id: "not-an-id" }, null],
    [{}, null],
  ])("of the reply %j is %s", (data, record) => {
    expect(recordOf({ ...asked, responseBody: body(data) })).toBe(record);
  });

  test.each([
    ["a question", { ...asked, method: "GET" }],
    ["a refusal", { ...asked, status: 422 }],
    ["a redirection", { ...asked, status: 303 }],
  ])("of %s is none", (_, request) => {
    expect(recordOf({ ...request, responseBody: body({ id }) })).toBeNull();
    expect(recordOf({ ...asked, responseBody: null })).toBeNull();
  });

  test.each([
    ["/transfers/:id", "/transfers/{id}"],
    ["/checkout/customers/:customerId/cards/:cardId", "/checkout/customers/{customerId}/cards/{cardId}"],
    ["/transfers", "/transfers"],
    ["", ""],
  ])("has the route %s as the reference writes it: %s", (url, route) => {
    expect(routeOf(url)).toBe(route);
    expect(routeOf(url)).toBe(route);
  });
});

describe("a content that the caller has already", () => {
  const tag = '"abc"';
  test.each([
    ['"abc"', true],
    ['W/"abc"', true],
    ['"x", "abc"', true],
    ["*", true],
    ['"abcd"', false],
    ["abc", false],
    ["", false],
    [undefined, false],
  ])("is named by %j: %s", (header, known) => {
    expect(isKnownTag(header, tag)).toBe(known);
  });
});

describe("a reply that is kept", () => {
  type Needs = Parameters<typeof keepReply<string>>[0];
  const needs = (headers: Record<string, string>, earlier?: string) => {
    const written: string[] = [];
    const write = async (work: () => Promise<{ data: string }>) => {
      const { data } = await work();
      written.push(data);
      return { data };
    };
    const kept = async () => (earlier === undefined ? undefined : { data: earlier });
    return { asked: { headers, kept, write } as unknown as Needs, written };
  };

  test("without a key is neither looked up nor written", async () => {
    const { asked, written } = needs({}, "earlier");
    expect([await keepReply(asked, async () => "done"), written]).toEqual([{ data: "done" }, []]);
  });

  test("is the earlier one under the same key, and nothing is done again", async () => {
    const { asked } = needs({ "idempotency-key": "k" }, "earlier");
    const done: string[] = [];
    const work = async () => String(done.push("done"));
    expect([await keepReply(asked, work), done]).toEqual([{ data: "earlier" }, []]);
  });

  test("is written after the work was done, and not when it failed", async () => {
    const { asked, written } = needs({ "idempotency-key": "k" });
    await expect(keepReply(asked, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(written).toEqual([]);
    await keepReply(asked, async () => "done");
    expect(written).toEqual(["done"]);
  });
});
