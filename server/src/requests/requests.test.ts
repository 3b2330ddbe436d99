import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { issueKeyFor, issueLiveKeyFor } from "../../testing/keys.ts";
import { createPayingApp, freshReference } from "../../testing/payments/paying-app.ts";
import { answeredBy } from "../../testing/platform/answered-by.ts";
import { readLoggedLines } from "../../testing/platform/telling-lines.ts";
import { asOwner, eventually, withOwner } from "../../testing/work.ts";
import { inTransaction } from "../platform/database/database.ts";
import { pruneLog } from "./prune-requests.job.ts";
import { createRequestLog } from "./request-log.ts";

const app = await createPayingApp();
const { call, db, merchant, operate, otherMerchant, pay } = app;
const environmentId = merchant.environment.id;

/** The log follows the reply by a tenth of a second. */
async function logged(requestId: string, key = merchant.secretKey) {
  let reply = await call("GET", `/requests/${requestId}`, { key });
  await eventually(`${requestId} is logged`, async () => {
    if (reply.statusCode !== 200) reply = await call("GET", `/requests/${requestId}`, { key });
    return reply.statusCode === 200;
  });
  return reply.json().data;
}

const idOf = (reply: { headers: Record<string, unknown> }) => String(reply.headers["x-request-id"]);

test("a payout's request is kept with what it made, and its bodies masked", async () => {
  const made = await pay({ narration: "Rent" });
  const request = await logged(idOf(made));
  expect(request).toMatchObject({
    method: "POST",
    route: "/transfers",
    path: "/transfers",
    status: 201,
    code: null,
    recordId: made.json().data.id,
  });
  expect(merchant.secretKey.startsWith(request.keyPrefix)).toBe(true);
  expect(JSON.parse(request.requestBody)).toMatchObject({ accountNumber: "******0032", narration: "Rent" });
  expect(JSON.stringify(request)).not.toContain("0690000032");
});

test("a refusal has its code, and a list finds it by status, method and path", async () => {
  const refused = await call("GET", "/transfers/01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11");
  expect(await logged(idOf(refused))).toMatchObject({ status: 404, code: "transfer_not_found", recordId: null });
  const list = async (query: string) => (await call("GET", `/requests?${query}`)).json();
  const found = await list("status=4xx&method=GET&path=/transfers&from=2020-01-01");
  expect(found.data[0]).toMatchObject({ id: idOf(refused), route: "/transfers/{id}" });
  expect((await list("status=404&path=/nowhere")).data).toEqual([]);
  expect((await list("page=2&limit=1")).pagination).toMatchObject({ currentPage: 2, itemsPerPage: 1 });
});

test("a request is found by its id, with the scope and in its own environment only", async () => {
  const requestId = `shop-${freshReference()}`;
  await pay({}, { headers: { "x-request-id": requestId } });
  const { status, recordId } = await logged(requestId);
  expect([status, typeof recordId]).toEqual([201, "string"]);
  const find = async (key = merchant.secretKey) => (await call("GET", `/search?q=${requestId}`, { key })).json().data;
  expect(await find()).toMatchObject([
    { kind: "request", id: requestId, subtitle: "POST /transfers", status: "201", path: `/requests/${requestId}` },
  ]);
  expect(await find(otherMerchant.secretKey)).toEqual([]);
  expect(await find(await issueKeyFor(db, environmentId, { scopes: ["search:read", "transfers:read"] }))).toEqual([]);
});

test("the headers that matter are kept, and a replay says that it is one", async () => {
  const how = { headers: { "idempotency-key": "order-1042", "user-agent": "shop/1.0" } };
  const body = { reference: freshReference(), oddity: 1 };
  const first = await logged(idOf(await pay(body, how)));
  expect(first).toMatchObject({ idempotencyKey: "order-1042", userAgent: "shop/1.0", replayed: false });
  expect(first.warning).toContain("oddity");
  expect(await logged(idOf(await pay(body, how)))).toMatchObject({ replayed: true, recordId: first.recordId });
});

interface Feed {
  readonly requests: readonly { readonly id: string; readonly path: string }[];
  readonly cursor: string;
  readonly hasMore: boolean;
}

describe("the feed", () => {
  const feed = async (query: string): Promise<Feed> => (await call("GET", `/requests/feed?${query}`)).json().data;

  /** Reads on until these came, and gives all that came. */
  async function follow(from: string, wanted: readonly string[], limit = 100): Promise<string[]> {
    const came: string[] = [];
    let cursor = from;
    while (!wanted.every((id) => came.includes(id))) {
      const page = await feed(`after=${cursor}&wait=10&limit=${limit}`);
      expect(page.requests.length).toBeGreaterThan(0);
      expect(page.requests.every(({ path }) => !path.startsWith("/requests/feed"))).toBe(true);
      came.push(...page.requests.map(({ id }) => id));
      cursor = page.cursor;
    }
    return came;
  }

  test("waits for what comes after a cursor; waiting is not logged", async () => {
    const { cursor } = await feed("after=latest");
    const waiting = feed(`after=${cursor}&wait=10`);
    const asked = idOf(await call("GET", "/wallets/balance"));
    expect((await waiting).requests.length).toBeGreaterThan(0);
    expect(await follow(cursor, [asked])).toContain(asked);
    const { cursor: last } = await feed("after=latest");
    expect(await feed(`after=${last}`)).toEqual({ requests: [], cursor: last, hasMore: false });
  });

  test("is read in pages, in the order of the replies, each once", async () => {
    const { cursor } = await feed("after=latest");
    const sent: string[] = [];
    for (let count = 0; count < 5; count += 1) sent.push(idOf(await call("GET", "/wallets/balance")));
    await logged(sent[4] ?? "");
    expect((await feed(`after=${cursor}&limit=2`)).hasMore).toBe(true);
    const came = await follow(cursor, sent, 2);
    expect(came.filter((id) => sent.includes(id))).toEqual(sent);
  });

  test("a reader waits on after everything was taken away, and misses nothing", async () => {
    const { cursor } = await feed("after=latest");
    await pruneLog(db, { days: 0 });
    const asked = idOf(await call("GET", "/wallets/balance"));
    expect(await follow(cursor, [asked])).toContain(asked);
  });
});

test("a trace by the request's id is the story of what it made, and begins with it", async () => {
  const made = await pay({ reference: freshReference() });
  await app.work();
  await logged(idOf(made));
  const { steps } = (await call("GET", `/traces/${made.json().data.id}`)).json().data;
  expect(steps[0]).toMatchObject({ kind: "request", title: "POST /transfers", ids: { request: idOf(made) } });
  const byRequest = (await call("GET", `/traces/${idOf(made)}`)).json().data;
  expect(byRequest).toEqual({ id: idOf(made), kind: "request", steps });
  expect((await operate("GET", `/operator/traces/${idOf(made)}`)).json().data.kind).toBe("request");
});

test("a request that made nothing is traced alone", async () => {
  const refused = await pay({ amount: -1 });
  await logged(idOf(refused));
  const { kind, steps } = (await call("GET", `/traces/${idOf(refused)}`)).json().data;
  expect([kind, steps.length, steps[0].ok]).toEqual(["request", 1, false]);
});

test("names that callers chose never lead in a circle", async () => {
  const [one, other] = ["01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11", "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b12"];
  const log = createRequestLog({ db, onError: (error) => expect.unreachable(String(error)) });
  for (const [requestId, id] of [
    [one, other],
    [other, one],
  ] as const) {
    log.note(answeredBy(merchant, { requestId, responseBody: JSON.stringify({ data: { id } }) }));
  }
  await log.close();
  const { kind, steps } = (await call("GET", `/traces/${one}`)).json().data;
  expect([kind, steps.length, steps[0].ids]).toEqual(["request", 1, { request: one, record: other }]);
});

test("requests stand in a trace by the sandbox's clock", async () => {
  const moving = await createPayingApp();
  await moving.call("POST", "/sandbox/clock/advance", { body: { days: 30 } });
  const made = await moving.pay();
  const { id } = made.json().data;
  const ended = await moving.call("POST", `/sandbox/transfers/${id}/fail`);
  await eventually("both are logged", async () => {
    const { data } = (await moving.call("GET", "/requests?path=/sandbox/transfers")).json();
    return data.length > 0;
  });
  const { steps } = (await moving.call("GET", `/traces/${id}`)).json().data;
  const requests = steps.filter(({ kind }: { kind: string }) => kind === "request");
  expect(requests.map(({ ids }: { ids: object }) => ids)).toEqual([
    { request: idOf(made), record: id },
    { request: idOf(ended), record: id },
  ]);
  expect(steps[0]).toEqual(requests[0]);
  expect(steps[1].kind).not.toBe("request");
  const dayMs = 86_400_000;
  expect(Date.parse(requests[1].at) - Date.parse(requests[1].detail.receivedAt)).toBeGreaterThan(29 * dayMs);
});

test("an operator can turn it off", async () => {
  const quiet = await createPayingApp({ requestLogDays: 0 });
  const made = await quiet.pay();
  await quiet.app.close();
  expect(await withOwner(quiet.ownerUrl, readLoggedLines)).toEqual([]);
  expect(made.statusCode).toBe(201);
});

test("another merchant sees nothing of it, and a live environment keeps no bodies", async () => {
  const made = await pay();
  await logged(idOf(made));
  for (const path of ["requests", "traces"]) {
    const reply = await call("GET", `/${path}/${idOf(made)}`, { key: otherMerchant.secretKey });
    expect(reply.json().code).toBe("not_found");
  }
  const key = await issueLiveKeyFor(db, merchant.merchant.id);
  const live = await call("GET", "/wallets/balance", { key });
  expect(await logged(idOf(live), key)).toMatchObject({ status: 200, requestBody: null, responseBody: null });
});

test("a key that lacks the scope is told so, and that too is logged", async () => {
  const key = await issueKeyFor(db, environmentId, { scopes: ["transfers:read"] });
  const refused = await call("GET", "/requests", { key });
  expect(refused.json().code).toBe("scope_missing");
  expect(await logged(idOf(refused))).toMatchObject({ status: 403, code: "scope_missing" });
});

test("the oldest go when an environment has more than its share", async () => {
  for (let count = 0; count < 5; count += 1) await logged(idOf(await call("GET", "/wallets/balance")));
  await pruneLog(db, { days: 7, most: 3 });
  const { pagination } = (await call("GET", "/requests")).json();
  expect(pagination.totalItems).toBeLessThanOrEqual(6);
});

test("taking the oldest away reads each row about once, however many an environment keeps", async () => {
  const kept = 3_000;
  await asOwner(
    app.ownerUrl,
    `insert into api_requests (environment_id, at, clock_at, request_id, method, route, path, status, duration_ms,
       key_id, replayed)
     select '${environmentId}', now(), now(), 'filled-' || n, 'GET', '/banks', '/banks', 200, 1,
       gen_random_uuid(), false
     from generate_series(1, ${kept}) as n`,
  );
  const read = await inTransaction(db, async (tx) => {
    await sql`select prune_requests(now() - interval '7 days', ${kept - 1_000}, 1000)`.execute(tx);
    const found = await sql<{ rows: number }>`
      select (seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as rows from pg_stat_xact_user_tables
      where relname = 'api_requests'`.execute(tx);
    return found.rows[0]?.rows ?? 0;
  });
  expect(read).toBeGreaterThan(kept);
  expect(read).toBeLessThan(3 * kept);
});
