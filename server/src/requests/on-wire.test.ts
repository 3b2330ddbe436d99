/** The log of requests as it is asked for and shown, and its masks over texts of any kind. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { complaintsOf } from "../../testing/platform/complaints.ts";
import { maskBody, maskText, maskUrl } from "./request-log.ts";
import type { LoggedRequest } from "./request-store.ts";
import { presentRequest, requestData, requestFeedQuery, requestParams, requestsQuery, statusesOf } from "./routes.ts";

const id = "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11";
const at = new Date("2026-11-03T09:15:00.000Z");

describe("a status that is asked for", () => {
  test.each([
    ["200", 200, 200],
    ["422", 422, 422],
    ["2xx", 200, 299],
    ["4xx", 400, 499],
    ["5xx", 500, 599],
  ])("as %s is %i to %i", (word, from, to) => {
    expect(complaintsOf(requestsQuery, "query")({ status: word })).toEqual({});
    expect(statusesOf(word)).toEqual([from, to]);
  });

  test.each(["", "6xx", "0xx", "4x", "4XX", "40", "4000", "xx4", "200,422", "-1"])("is not %j", (status) => {
    expect(Object.keys(complaintsOf(requestsQuery, "query")({ status }))).toEqual(["status"]);
  });

  test("of any kind holds exactly the statuses that begin like it", () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), fc.integer({ min: 1, max: 5 }), (status, first) => {
        const [from, to] = statusesOf(`${first}xx`);
        expect(status >= from && status <= to).toBe(String(status).startsWith(String(first)));
      }),
    );
  });
});

describe("questions to the log", () => {
  test.each([{ method: "post" }, { method: "TRACE" }, { path: "x".repeat(201) }, { from: "soon" }, { limit: "101" }])(
    "are not %j",
    (query) => {
      expect(Object.keys(complaintsOf(requestsQuery, "query")(query))).toEqual(Object.keys(query));
    },
  );

  test.each([
    ["0", true],
    ["4711", true],
    ["latest", true],
    ["9".repeat(18), true],
    ["9".repeat(19), false],
    ["-1", false],
    ["1.5", false],
    ["LATEST", false],
    ["", false],
    ["1 ", false],
  ])("of the feed may go on after %j: %s", (after, fits) => {
    expect(Object.keys(complaintsOf(requestFeedQuery, "query")({ after }))).toEqual(fits ? [] : ["after"]);
  });

  test.each([
    ["req_8Zk2mQ0xLw1", true],
    ["order-42.a:b_c", true],
    ["x".repeat(128), true],
    ["x".repeat(129), false],
    ["a b", false],
    ["a/b", false],
    ["ü", false],
    ["", false],
  ])("may name the request %j: %s", (name, fits) => {
    expect(Object.keys(complaintsOf(requestParams)({ id: name }))).toEqual(fits ? [] : ["id"]);
  });
});

test("a line is shown by the name of its request, without its place in the log", () => {
  const logged: LoggedRequest = {
    requestId: "req_1",
    at,
    clockAt: new Date(0),
    position: 17n,
    method: "POST",
    route: "/transfers",
    path: "/transfers",
    status: 201,
    code: null,
    durationMs: 12,
    keyId: id,
    keyPrefix: "sk_test_1a2b",
    idempotencyKey: null,
    userAgent: null,
    warning: null,
    replayed: false,
    recordId: id,
    requestBody: '{"amount":2500}',
    responseBody: null,
  };
  const shown = presentRequest(logged);
  expect(complaintsOf(requestData)(shown)).toEqual({});
  expect(shown).toMatchObject({ id: "req_1", at: at.toISOString(), recordId: id });
  expect(Object.keys(shown)).not.toEqual(expect.arrayContaining(["position"]));
  expect(shown).not.toHaveProperty("clockAt");
});

describe("whatever a merchant sends", () => {
  const digits = fc.stringMatching(/^[1-9]\d{9,15}$/);

  test("has no number of ten digits or more left whole, wherever it stands", () => {
    const place = fc.constantFrom("narration", "reference", "note", "x", "accountNumber");
    fc.assert(
      fc.property(digits, place, fc.boolean(), (number, name, isNested) => {
        const body = isNested ? { metadata: { [name]: [`for ${number}, thanks`] } } : { [name]: number };
        expect(maskBody(JSON.stringify(body))).not.toContain(number);
        expect(maskText(`paid ${number} today`)).not.toContain(number);
        expect(maskUrl(`/transfers?${name}=${number}`)).not.toContain(number);
      }),
    );
  });

  test("that is JSON stays JSON, with the same members, unless it was cut", () => {
    const value = fc.dictionary(
      fc.stringMatching(/^[a-z]{1,8}$/),
      fc.oneof(fc.integer({ max: 99_999_999, min: -99_999_999 }), fc.boolean(), fc.constant(null)),
      { maxKeys: 8 },
    );
    fc.assert(
      fc.property(value, (body) => {
        const masked = maskBody(JSON.stringify(body));
        expect(Object.keys(JSON.parse(masked ?? "")).sort()).toEqual(Object.keys(body).sort());
      }),
    );
  });

  test.each(["", "not json", "{", "undefined", "<xml/>"])("that is not JSON is not kept: %j", (text) => {
    expect(maskBody(text)).toBeNull();
  });

  test("that is masked twice is masked as once", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", " ", "-", "0", "1", "9", ".", "@", "/") }), (text) => {
        const once = maskText(text);
        expect(maskText(once)).toBe(once);
      }),
    );
  });

  test("keeps ids and days whole, which open nothing by themselves", () => {
    expect(maskText(`${id} on 2026-11-03`)).toBe(`${id} on 2026-11-03`);
    expect(maskUrl(`/transfers/${id}?from=2026-11-03`)).toBe(`/transfers/${id}?from=2026-11-03`);
  });
});
