import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { createFaultServer, cut, cutInBody, good, hang, html, json, refuse } from "../../testing/fault-server.ts";
import {
  ConflictError,
  Jara,
  JaraApiError,
  JaraConnectionError,
  JaraTimeoutError,
  RateLimitError,
  type ReplyInfo,
  UnavailableError,
} from "../index.ts";

const server = await createFaultServer();
const secretKey = "sk_test_never-to-be-seen-0123456789";
const connect = (more = {}) => new Jara({ secretKey, baseUrl: server.baseUrl, ...more });
const jara = connect();
const order = { accountNumber: "0690000032", bankCode: "044", amount: "2500.50", reference: "r-1" };
const paid = good({ id: "t-1", status: "pending" });
const keysSent = () => server.arrived.map(({ headers }) => headers["idempotency-key"]);
const caught = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail("it went well"),
    (error: unknown) => error,
  );

describe("a POST that may have arrived", () => {
  test.each([
    ["a cut connection", cut],
    ["a body that breaks off", cutInBody],
    ["a gateway's 502", html(502)],
    ["a gateway's 503", html(503)],
    ["a gateway's 504", html(504)],
    ["Jara's 503", refuse(503, "unavailable", { "retry-after": "0" })],
    ["a rate limit", refuse(429, "rate_limited", { "retry-after": "0" })],
    ["a twin that still runs", refuse(409, "idempotency_key_in_use", { "retry-after": "0" })],
  ])("is sent again after %s, the same bytes under the same key", async (_, fault) => {
    server.play(fault, fault, paid);
    expect(await jara.transfers.create(order)).toMatchObject({ id: "t-1" });
    expect(server.arrived).toHaveLength(3);
    expect(new Set(keysSent()).size).toBe(1);
    expect(keysSent()[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(server.arrived.map(({ body }) => body))).toEqual(
      new Set(['{"currency":"NGN","accountNumber":"0690000032","bankCode":"044","amount":2500.5,"reference":"r-1"}']),
    );
  });

  test("is not sent again without a key", async () => {
    for (const fault of [cut, refuse(503, "unavailable", { "retry-after": "0" }), html(502)]) {
      server.play(fault, paid);
      await caught(jara.transfers.create(order, { idempotencyKey: false }));
      expect(server.arrived).toHaveLength(1);
      expect(keysSent()).toEqual([undefined]);
    }
  });

  test("carries the caller's own key, and two calls carry two keys", async () => {
    server.play(paid);
    await jara.transfers.create(order, { idempotencyKey: "order-1042" });
    await jara.transfers.create(order);
    await jara.transfers.create(order);
    expect(keysSent()[0]).toBe("order-1042");
    expect(new Set(keysSent()).size).toBe(3);
  });

  test("is given up after the tries, and the error says how to find out", async () => {
    server.play(cut);
    const error = await caught(connect({ maxRetries: 1 }).transfers.create(order, { idempotencyKey: "k-1" }));
    expect(error).toBeInstanceOf(JaraConnectionError);
    expect(error).toMatchObject({ name: "JaraConnectionError", idempotencyKey: "k-1", attempts: 2 });
    expect(String(error)).toContain(
      'The outcome of POST /transfers is unknown: it may have happened. Send the same call again with { idempotencyKey: "k-1" }',
    );
  });
});

describe("what is not repeated", () => {
  test.each([
    [422, "insufficient_funds"],
    [409, "reference_conflict"],
    [500, "internal"],
    [503, "rail_not_configured"],
    [429, "otp_resend_too_early"],
  ])("%d %s", async (status, code) => {
    server.play(refuse(status, code, { "retry-after": "0" }), paid);
    expect(await caught(jara.transfers.create(order))).toMatchObject({ status, code, retryAfterSeconds: 0 });
    expect(server.arrived).toHaveLength(1);
  });

  test("a DELETE, whose second arrival would find nothing", async () => {
    server.play(cut, good({}));
    expect(await caught(jara.request("DELETE /webhooks/endpoints/{id}", { path: { id: "e" } }))).toBeInstanceOf(
      JaraConnectionError,
    );
    expect(server.arrived).toHaveLength(1);
  });

  test("a wait that is longer than the cap, or than the time that is left", async () => {
    server.play(refuse(429, "rate_limited", { "retry-after": "11" }), paid);
    const error = await caught(jara.transfers.create(order));
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ retryAfterSeconds: 11 });
    server.play(refuse(503, "unavailable", { "retry-after": "5" }), paid);
    expect(await caught(jara.transfers.create(order, { timeoutMs: 1_000 }))).toBeInstanceOf(UnavailableError);
    expect(server.arrived).toHaveLength(1);
  });

  test("a redirect, which would carry the key elsewhere", async () => {
    server.play(html(307, { location: "http://127.0.0.1:1/transfers" }));
    expect(await caught(jara.transfers.get("t"))).toMatchObject({ status: 307, code: "unreadable_reply" });
    expect(server.arrived).toHaveLength(1);
  });
});

describe("time", () => {
  test("a hung socket ends at the timeout, with what to do about the unknown outcome", async () => {
    server.play(hang);
    const started = Date.now();
    const error = await caught(jara.transfers.create(order, { timeoutMs: 150, idempotencyKey: "k-2" }));
    expect(Date.now() - started).toBeLessThan(5_000);
    expect(error).toBeInstanceOf(JaraTimeoutError);
    expect(error).toMatchObject({ operation: "POST /transfers", idempotencyKey: "k-2" });
    expect(String(error)).toMatch(
      /No reply within 150 ms\. The outcome of POST \/transfers is unknown.*"k-2".*by your reference/,
    );
    expect(String(await caught(jara.transfers.get("t", { timeoutMs: 50 })))).toContain(
      "Nothing was changed; ask again.",
    );
  });

  test("a fetch that ignores its signal does not hold the caller", async () => {
    const deaf = connect({ fetch: () => new Promise(() => undefined) });
    expect(await caught(deaf.transfers.get("t", { timeoutMs: 50 }))).toBeInstanceOf(JaraTimeoutError);
  });

  test.each([
    ["a request", hang],
    ["a wait for Retry-After", refuse(503, "unavailable", { "retry-after": "9" })],
  ])("a signal ends %s at once, with its reason", async (_, fault) => {
    server.play(fault);
    const giveUp = new AbortController();
    const started = Date.now();
    const call = caught(jara.transfers.create(order, { signal: giveUp.signal }));
    await expect.poll(() => server.arrived.length).toBe(1);
    giveUp.abort(new Error("the customer left"));
    expect(await call).toMatchObject({ message: "the customer left" });
    expect(Date.now() - started).toBeLessThan(5_000);
    expect(server.arrived).toHaveLength(1);
  });

  test("a signal that was aborted before sends nothing", async () => {
    server.play(paid);
    const error = await caught(jara.transfers.create(order, { signal: AbortSignal.abort(new Error("no")) }));
    expect(error).toMatchObject({ message: "no" });
    expect(server.arrived).toHaveLength(0);
  });

  test("nor through a fetch that does not look at its signal", async () => {
    const sent: string[] = [];
    const deaf = connect({ fetch: async (url: string) => void sent.push(url) });
    await caught(deaf.transfers.create(order, { signal: AbortSignal.abort(new Error("no")) }));
    expect(sent).toEqual([]);
  });

  test.each([
    ["in seconds", () => "1"],
    ["as a date", () => new Date(Date.now() + 2_500).toUTCString()],
  ])("Retry-After is waited for, %s", async (_, retryAfter) => {
    server.play(refuse(503, "unavailable", { "retry-after": retryAfter() }), paid);
    const started = Date.now();
    await jara.transfers.create(order);
    expect(Date.now() - started).toBeGreaterThanOrEqual(1_000);
  });
});

describe("replies", () => {
  test("a page of a proxy is not taken for success", async () => {
    server.play(html(200));
    const error = await caught(jara.transfers.create(order));
    expect(error).toBeInstanceOf(JaraConnectionError);
    expect(String(error)).toContain("status 200, text/html. Check baseUrl");
  });

  test("refusals of both families become one kind of error, with the caller's field names", async () => {
    const data = { attempts_remaining: 2, fields: ["bank_code"] };
    const errors = [{ field: "transfers[3].account_number", message: "must have ten digits" }];
    server.play(
      json(
        422,
        { status: "error", title: "No", message: "No.", code: "validation_failed", errors, data, request_id: "req_9" },
        { link: '<http://jara.example/docs/errors#validation_failed>; rel="help"' },
      ),
    );
    expect(await caught(jara.transfers.get("t"))).toMatchObject({
      name: "ValidationError",
      operation: "GET /transfers/{id}",
      status: 422,
      code: "validation_failed",
      summary: "No.",
      fields: [{ field: "transfers[3].accountNumber", message: "must have ten digits" }],
      data: { attemptsRemaining: 2, fields: ["bankCode"] },
      requestId: "req_9",
      docsUrl: "http://jara.example/docs/errors#validation_failed",
    });
  });

  test("onReply hears of every try", async () => {
    const heard: ReplyInfo[] = [];
    server.play(
      refuse(503, "unavailable", { "retry-after": "0" }),
      json(
        200,
        { status: true, data: {} },
        { "x-request-id": "req_2", "idempotent-replayed": "true", "jara-warning": "unknown field amuont" },
      ),
    );
    await connect({ onReply: (info: ReplyInfo) => heard.push(info) }).transfers.create(order, { idempotencyKey: "k" });
    expect(heard).toMatchObject([
      { status: 503, attempts: 1, replayed: false, warning: null },
      {
        operation: "POST /transfers",
        status: 200,
        requestId: "req_2",
        idempotencyKey: "k",
        replayed: true,
        warning: "unknown field amuont",
        attempts: 2,
      },
    ]);
  });
});

test("the secret key is in no error, print or JSON", async () => {
  const errors: unknown[] = [];
  for (const fault of [cut, html(200), refuse(401, "invalid_key"), refuse(409, "reference_conflict")]) {
    server.play(fault);
    errors.push(await caught(jara.transfers.create(order, { maxRetries: 0 })));
  }
  errors.push(
    await caught(new Jara({ secretKey, baseUrl: "http://127.0.0.1:1", maxRetries: 0 }).transfers.create(order)),
  );
  server.play(hang);
  errors.push(await caught(jara.transfers.create(order, { timeoutMs: 20 })));
  for (const bad of ["sk_test_hush\nx: y", "sk_test_hush-é", " sk_test_hush"]) {
    errors.push(await caught((async () => new Jara({ secretKey: bad }))()));
  }
  expect(errors[3]).toBeInstanceOf(ConflictError);
  expect(errors.filter((error) => error instanceof JaraApiError)).toHaveLength(2);
  for (const thing of [jara, jara.transfers, ...errors]) {
    const shown = [String(thing), JSON.stringify(thing), inspect(thing, { depth: 9, showHidden: true })].join();
    expect(shown).not.toMatch(/never-to-be-seen|hush/);
  }
});
