import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRateLimiter } from "../guard/rate-limit.ts";
import { editDistance, nearestWord } from "../nearest-word.ts";
import { chooseMediaType } from "../server/register-routes.ts";
import { createKnownPaths, familyOfUrl, pathOf } from "./known-paths.ts";

const id = "01932c61-2b3c-7d4e-8f50-617283940a5b";

function house() {
  const paths = createKnownPaths();
  paths.add("/transfers", "GET");
  paths.add("/transfers", "POST");
  paths.add("/transfers/verify", "GET");
  paths.add("/transfers/{id}", "GET");
  paths.add("/loans/bnpl/customers/:customerId/loans", "POST");
  paths.add("/hosted/checkout/terms", "POST");
  paths.add("/console/api/people", "GET");
  return paths;
}

describe("the methods of a path", () => {
  test.each([
    ["/transfers", ["GET", "POST"]],
    [`/transfers/${id}`, ["GET"]],
    ["/transfers/anything", ["GET"]],
    ["/transfers/verify", ["GET"]],
    ["/loans/bnpl/customers/c-1/loans", ["POST"]],
    ["/transfers/", []],
    ["/transfer", []],
    ["/transfers/a/b", []],
    ["", []],
    ["/", []],
    ["/__proto__", []],
  ])("%s: %j", (path, methods) => {
    expect(house().methodsOf(path)).toEqual(methods);
  });

  test("are those of the path with most words, where several fit", () => {
    const paths = house();
    paths.add("/transfers/verify", "POST");
    expect(paths.methodsOf("/transfers/verify")).toEqual(["GET", "POST"]);
    expect(paths.methodsOf("/transfers/other")).toEqual(["GET"]);
  });
});

describe("what was meant", () => {
  test.each([
    ["/transfer", "/transfers"],
    ["/Transfers", "/transfers"],
    ["//transfers", "/transfers"],
    ["/transfers/", "/transfers"],
    ["/transfers/verfiy", "/transfers/verify"],
    [`/transfer/${id}`, "/transfers/{id}"],
    [`/loans/bnpl/customer/${id}/loans`, "/loans/bnpl/customers/{customerId}/loans"],
    ["/v1/transfers", "/transfers"],
    ["/api/v1/transfers/verify", "/transfers/verify"],
    ["/api/transfers/order-77", "/transfers/{id}"],
    ["/v2/transfer", "/transfers"],
  ])("by %s is %s", (path, meant) => {
    expect(house().meant(path)).toBe(meant);
  });

  test.each([
    ["/wallets", "nothing comes near"],
    ["/transfers/not-an-id/x", "no path is so long"],
    ["/v1/wallets", "nothing comes near behind the prefix"],
    ["/v1", "a prefix is no path"],
    ["/api/hosted/checkout/terms", "the pages' own endpoints are not told behind a prefix"],
    ["/hosted/checkout/term", "the pages' own endpoints are nobody's business"],
    ["/console/api/person", "nor are the console's"],
    [`/${"t".repeat(300)}`, "nobody types so much by mistake"],
    ["", "nothing was said"],
  ])("by %s is not guessed: %s", (path) => {
    expect(house().meant(path)).toBeUndefined();
  });

  test("never takes long, and never throws, whatever is asked for", () => {
    const paths = house();
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (path) => {
        expect(["string", "undefined"]).toContain(typeof paths.meant(path));
        expect(Array.isArray(paths.methodsOf(path))).toBe(true);
      }),
    );
  });
});

test("a path that pages of other sites may read is known as such, and no other", () => {
  const paths = house();
  paths.share("/openapi.json");
  expect([paths.isShared("/openapi.json"), paths.isShared("/transfers")]).toEqual([true, false]);
});

test.each([
  ["/loans?limit=1", "/loans"],
  ["/loans#x", "/loans"],
  ["/loans;v=1", "/loans"],
  ["/loans", "/loans"],
  ["?x", ""],
])("the path of %s is %s", (url, path) => {
  expect(pathOf(url)).toBe(path);
});

test("the family follows from the path alone", () => {
  expect(familyOfUrl("/loans?x=/transfers")).toBe(familyOfUrl("/loans/create"));
  expect(familyOfUrl("/transfers?x=/loans")).not.toBe(familyOfUrl("/loans"));
});

describe("the nearest word", () => {
  test.each([
    ["amuont", "amount"],
    ["account_number", "accountNumber"],
    ["AMOUNT", "amount"],
    ["acountNumber", "accountNumber"],
    ["narrationn", "narration"],
  ])("to %s is %s", (word, nearest) => {
    expect(nearestWord(word, ["amount", "accountNumber", "narration"])).toBe(nearest);
  });

  test.each(["", "x", "am", "currency", "amountXYZW", "a".repeat(61)])("to %j is none", (word) => {
    expect(nearestWord(word, ["amount", "accountNumber"])).toBeUndefined();
  });

  test("is found by a distance that is the same in both directions, and never more than the limit", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 10 });
    fc.assert(
      fc.property(word, word, fc.integer({ min: 1, max: 6 }), (one, other, limit) => {
        const distance = editDistance(one, other, limit);
        expect(distance).toBe(editDistance(other, one, limit));
        expect(distance).toBeLessThanOrEqual(limit);
        expect(distance === 0).toBe(one === other);
        expect(distance).toBe(Math.min(limit, editDistance(one, other, 100)));
      }),
    );
  });
});

describe("the media type of a reply", () => {
  const offered = ["application/json", "text/csv"];
  test.each([
    [undefined, "application/json"],
    ["*/*", "application/json"],
    ["text/csv", "text/csv"],
    ["TEXT/CSV", "text/csv"],
    ["text/*", "text/csv"],
    ["text/csv;q=0.5, application/json", "application/json"],
    ["text/csv, application/json;q=0.9", "text/csv"],
    ["application/json;q=0, */*", "text/csv"],
    ["text/html, */*;q=0.1", "application/json"],
    ["text/csv;q=high", "text/csv"],
  ])("for %j is %s", (accept, type) => {
    expect(chooseMediaType(accept, offered)).toBe(type);
  });

  test.each(["text/html", "application/json;q=0", "", ",", "text", "*/*;q=0"])("for %j there is none", (accept) => {
    expect(() => chooseMediaType(accept, ["application/json"])).toThrow(
      expect.objectContaining({ code: "not_acceptable" }),
    );
  });
});

describe("a rate", () => {
  test("is never exceeded over any stretch of time, however the calls come", () => {
    const waits = fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(waits, (pauses) => {
        let now = 0;
        const limiter = createRateLimiter({ perSecond: 2, burst: 5 }, () => now);
        const allowedAt: number[] = [];
        for (const pause of pauses) {
          now += pause;
          if (limiter.take("k").allowed) allowedAt.push(now);
        }
        for (const [place, from] of allowedAt.entries()) {
          for (const [last, to] of allowedAt.entries()) {
            if (last < place) continue;
            // What a bucket held, and what came into it meanwhile.
            expect(last - place + 1).toBeLessThanOrEqual(5 + ((to - from) / 1_000) * 2 + 1e-6);
          }
        }
      }),
    );
  });

  test("is told with the seconds after which a call is allowed again, and not before", () => {
    let now = 0;
    const limiter = createRateLimiter({ perSecond: 0.5, burst: 1 }, () => now);
    expect(limiter.take("k")).toMatchObject({ allowed: true, remaining: 0 });
    const { allowed, waitSeconds } = limiter.take("k");
    expect([allowed, waitSeconds]).toEqual([false, 2]);
    now = waitSeconds * 1_000 - 1;
    expect(limiter.isEmpty("k")).toBe(true);
    now = waitSeconds * 1_000;
    expect(limiter.take("k").allowed).toBe(true);
  });

  test("of one name says nothing about another", () => {
    const limiter = createRateLimiter({ perSecond: 1, burst: 1 }, () => 0);
    limiter.take("a");
    expect([limiter.take("a").allowed, limiter.take("b").allowed, limiter.isEmpty("c")]).toEqual([false, true, false]);
  });
});
