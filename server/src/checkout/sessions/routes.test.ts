import { expect, test } from "vitest";
import { createCheckoutApp } from "../../../testing/checkout/checkout-sessions.ts";
import { issueKeyFor, issueLiveKeyFor } from "../../../testing/keys.ts";
import { findTextInDatabase } from "../../../testing/platform/find-digits.ts";

const app = await createCheckoutApp();
const { call, open, read, browse, advance, order, otherMerchant } = app;
const path = "/loans/bnpl/checkout-sessions";
const post = (body: unknown, options = {}) => call("POST", path, { body, ...options });
const codeOf = (reply: { statusCode: number; json(): { code: string } }) => [reply.statusCode, reply.json().code];

const person = {
  first_name: "Adaeze",
  last_name: "Okafor",
  email: "adaeze@example.com",
  phone: "08031234567",
  bvn: "22111222333",
} as const;

test("a session is opened for an order, and read again", async () => {
  const body = await order();
  const reply = await post(body);
  expect(reply.statusCode).toBe(201);
  expect(reply.json()).toMatchObject({ status: "success", title: "Checkout session" });
  const { data } = reply.json();
  expect(data).toMatchObject({
    ...body,
    status: "open",
    loan_id: null,
    currency: "NGN",
    environment: "SANDBOX",
    expires_at: "2026-11-03T08:00:00.000Z",
  });
  expect(data.url).toMatch(new RegExp(`^http://localhost:4000/checkout/${data.id}#[A-Za-z0-9_-]{43}$`));
  expect(await read(data.id)).toEqual(data);
});

test("the customer can come along with the order", async () => {
  const { customer_id: id } = await open({ customer: person });
  const found = await call("GET", `/loans/bnpl/customers/${id}`);
  expect(found.json().data).toMatchObject({ first_name: "Adaeze", phone: "+2348031234567", kyc_status: "verified" });
  const again = await open({ customer: { ...person, email: "new@example.com" } });
  expect(again.customer_id).toBe(id);
});

test("the same order again is the same session, by either of the bank's codes", async () => {
  const body = await order();
  const { data } = (await post(body)).json();
  const again = await post({ ...body, bank_code: "000013" });
  expect([again.statusCode, again.headers["idempotent-replayed"]]).toEqual([200, "true"]);
  expect(again.json().data).toEqual(data);
});

test("a replay finds the session as it is now, and changes nothing about the customer", async () => {
  const body = await order({ customer: { ...person, bvn: "22111222444" } });
  const { data } = (await post(body)).json();
  await browse(data.url).act("terms", { tenor: 3 });
  const again = await post({ ...body, customer: { ...person, bvn: "22111222444", email: "other@example.com" } });
  expect(again.json().data).toEqual(await read(data.id));
  const customer = await call("GET", `/loans/bnpl/customers/${data.customer_id}`);
  expect(customer.json().data.email).toBe(person.email);
});

test.each([
  ["amount", { amount: 60_000.01 }],
  ["bank_account_no", { bank_account_no: "0123456780" }],
  ["bank_code", { bank_code: "044" }],
  ["success_url", { success_url: "https://shop.example.com/other" }],
  ["cancel_url", { cancel_url: "https://shop.example.com/other" }],
])("the same order with another %s is refused", async (field, change) => {
  const body = await order();
  await post(body);
  const refused = await post({ ...body, ...change });
  expect(codeOf(refused)).toEqual([409, "reference_conflict"]);
  expect(refused.json().data).toEqual({ fields: [field] });
});

test("the same order for another customer is refused, however the customer is named", async () => {
  const body = await order();
  await post(body);
  const other = await post({ ...body, customer_id: await app.customer() });
  expect([...codeOf(other), other.json().data.fields]).toEqual([409, "reference_conflict", ["customer_id"]]);
  const inline = await post({ ...body, customer_id: undefined, customer: person });
  expect([...codeOf(inline), inline.json().data.fields]).toEqual([409, "reference_conflict", ["customer"]]);
});

test("an Idempotency-Key replays the first reply", async () => {
  const body = await order();
  const headers = { "idempotency-key": "open-once" };
  const first = await post(body, { headers });
  await call("POST", `${path}/${first.json().data.id}/cancel`);
  const again = await post(body, { headers });
  expect([again.statusCode, again.body, again.headers["idempotent-replayed"]]).toEqual([201, first.body, "true"]);
  expect(codeOf(await post({ ...body, amount: 7_000 }, { headers }))).toEqual([409, "idempotency_key_conflict"]);
});

test("an order whose session was cancelled or has expired can be opened again, one that is paid cannot", async () => {
  const body = await order();
  const first = (await post(body)).json().data;
  await call("POST", `${path}/${first.id}/cancel`);
  const second = await post({ ...body, amount: 50_000 });
  expect([second.statusCode, second.json().data.id === first.id]).toEqual([201, false]);
  await advance({ days: 1 });
  const third = await post(body);
  expect(third.statusCode).toBe(201);
  await app.link(String(body["customer_id"]), "linked");
  const page = browse(third.json().data.url);
  await page.act("terms", { tenor: 3 });
  await page.act("consent/request");
  await page.act("consent/verify", { otp: "123456" });
  await advance({ seconds: 10 });
  const paid = await post(body);
  expect([paid.statusCode, paid.json().data]).toEqual([
    200,
    expect.objectContaining({ id: third.json().data.id, status: "completed", url: null }),
  ]);
  expect(codeOf(await post({ ...body, amount: 50_000 }))).toEqual([409, "reference_conflict"]);
});

test("orders of two merchants do not meet", async () => {
  const body = await order({ order_reference: "shared" });
  await post(body);
  const customerId = await app.customer(otherMerchant.environment.id);
  const theirs = await post({ ...body, customer_id: customerId }, { key: otherMerchant.secretKey });
  expect(theirs.statusCode).toBe(201);
});

test("another merchant's session, and its customer, are not there", async () => {
  const { id } = await open();
  const key = otherMerchant.secretKey;
  const unknown = await call("GET", `${path}/01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11`);
  expect(codeOf(unknown)).toEqual([404, "checkout_session_not_found"]);
  expect(codeOf(await call("GET", `${path}/${id}`, { key }))).toEqual([404, "checkout_session_not_found"]);
  expect(codeOf(await call("GET", `${path}/no-uuid`))).toEqual([404, "checkout_session_not_found"]);
  expect(codeOf(await call("POST", `${path}/${id}/cancel`, { key }))).toEqual([404, "checkout_session_not_found"]);
  expect((await read(id)).status).toBe("open");
  const stolen = await post(await order(), { key });
  expect(codeOf(stolen)).toEqual([404, "checkout_customer_not_found"]);
});

test.each([
  ["an account that nobody holds", { bank_account_no: "0000000000" }, 404, "account_not_found"],
  ["a bank that does not answer", { bank_code: "999" }, 503, "bank_unavailable"],
  ["a bank that nobody knows", { bank_code: "123456789" }, 422, "unknown_bank"],
  ["a customer that nobody knows", { customer_id: "nobody" }, 404, "checkout_customer_not_found"],
])("%s is refused, and the order stays free", async (_, change, status, code) => {
  const body = await order();
  expect(codeOf(await post({ ...body, ...change }))).toEqual([status, code]);
  expect((await post(body)).statusCode).toBe(201);
});

test("every bad field is named at once", async () => {
  const reply = await post({ amount: "60000", bank_account_no: 123, order_reference: "", success_url: 1 });
  expect(codeOf(reply)).toEqual([422, "validation_failed"]);
  const fields = reply.json().errors.map(({ field }: { field: string }) => field);
  expect(fields.sort()).toEqual([
    "amount",
    "bank_account_no",
    "bank_code",
    "cancel_url",
    "customer",
    "customer_id",
    "order_reference",
    "success_url",
  ]);
});

test.each([
  ["no customer at all", { customer_id: undefined }, ["customer_id", "customer"]],
  ["two customers", { customer: person }, ["customer_id", "customer"]],
  [
    "a telephone that no network has",
    { customer_id: undefined, customer: { ...person, phone: "1" } },
    ["customer.phone"],
  ],
  ["half a customer", { customer_id: undefined, customer: { bvn: "1" } }, ["customer.bvn", "customer.email"]],
  [
    "addresses that no browser may go to",
    { success_url: "javascript:1", cancel_url: "http://a.b" },
    ["success_url", "cancel_url"],
  ],
  ["an amount of nought", { amount: 0 }, ["amount"]],
  ["an amount below nought", { amount: -5 }, ["amount"]],
  ["parts of a kobo", { amount: 5_000.001 }, ["amount"]],
  ["a huge amount", { amount: 1e15 }, ["amount"]],
  ["an endless reference", { order_reference: "x".repeat(101) }, ["order_reference"]],
])("%s is refused", async (_, change, fields) => {
  const reply = await post({ ...(await order()), ...change });
  expect(codeOf(reply)).toEqual([422, "validation_failed"]);
  expect(reply.json().errors.map(({ field }: { field: string }) => field)).toEqual(expect.arrayContaining(fields));
});

test("a session can be cancelled once, and its loan goes with it", async () => {
  const { id, url } = await open();
  const { loan } = await browse(url).act("terms", { tenor: 3 });
  const reply = await call("POST", `${path}/${id}/cancel`);
  expect(reply.json().data).toMatchObject({ status: "cancelled", url: null, loan_id: loan?.id });
  expect(await app.status(loan?.id ?? "")).toBe("cancelled");
  const again = await call("POST", `${path}/${id}/cancel`);
  expect([...codeOf(again), again.json().data.status]).toEqual([409, "invalid_state", "cancelled"]);
});

test("a session that has expired, or whose money is on its way, cannot be cancelled", async () => {
  const late = await open();
  await advance({ days: 1 });
  expect(codeOf(await call("POST", `${path}/${late.id}/cancel`))).toEqual([409, "session_expired"]);
  const customerId = await app.customer();
  await app.link(customerId, "linked");
  const paying = await open({ customer_id: customerId });
  const page = browse(paying.url);
  await page.act("terms", { tenor: 3 });
  await page.act("consent/request");
  await page.act("consent/verify", { otp: "123456" });
  await advance({ seconds: 10 });
  expect(codeOf(await call("POST", `${path}/${paying.id}/cancel`))).toEqual([409, "invalid_state"]);
});

test("a key needs the checkout's scopes", async () => {
  const { id } = await open();
  const environmentId = app.merchant.environment.id;
  const key = await issueKeyFor(app.db, environmentId, { scopes: ["checkout:read"] });
  expect((await call("GET", `${path}/${id}`, { key })).statusCode).toBe(200);
  expect(codeOf(await post(await order(), { key }))).toEqual([403, "scope_missing"]);
  expect(codeOf(await call("POST", `${path}/${id}/cancel`, { key }))).toEqual([403, "scope_missing"]);
});

test("a live environment returns to https only, and has no bank to ask yet", async () => {
  const key = await issueLiveKeyFor(app.db, app.merchant.merchant.id);
  const body = await order({ customer: person });
  const local = await post(body, { key });
  expect(codeOf(local)).toEqual([422, "validation_failed"]);
  expect(local.json().errors).toMatchObject([{ field: "cancel_url", message: "must begin with https://" }]);
  const secure = { ...body, cancel_url: "https://shop.example.com/basket" };
  expect(codeOf(await post(secure, { key }))).toEqual([503, "rail_not_configured"]);
});

test("what opens the page is nowhere in the database", async () => {
  const { id, url } = await open();
  const page = browse(url);
  await page.act("terms", { tenor: 3 });
  await page.act("cancel");
  expect((await findTextInDatabase(page.token, app.ownerUrl)).found).toEqual([]);
  expect((await findTextInDatabase(String(id), app.ownerUrl)).found).toContain("public.checkout_sessions");
});

test("sessions are listed newest first, by status, customer and day, without the address of their pages", async () => {
  const customer = await app.customer();
  const made: Awaited<ReturnType<typeof open>>[] = [];
  for (const buyer of [{ customer_id: customer }, { customer_id: customer }, {}]) {
    // This sandbox's clock stands still, and what is made at one moment has no order.
    await advance({ seconds: 1 });
    made.push(await open(buyer));
  }
  await call("POST", `${path}/${made[1]?.id}/cancel`);
  const list = async (query: string, options = {}) => (await call("GET", `${path}?${query}`, options)).json();
  const idsOf = ({ data }: { data: readonly { id: string }[] }) => data.map(({ id }) => id);
  const [first, second, third] = made.map(({ id }) => id);
  const all = await list("limit=3");
  expect(idsOf(all)).toEqual([third, second, first]);
  expect(all.data[0]).toEqual({ ...made[2], url: null });
  expect(all.meta).toEqual({ current_page: 1, next_page: 2, prev_page: null, per_page: 3 });
  expect(idsOf(await list(`customer_id=${customer}`))).toEqual([second, first]);
  expect(idsOf(await list(`customer_id=${customer}&status=open`))).toEqual([first]);
  expect(idsOf(await list("status=cancelled&limit=1"))).toEqual([second]);
  const pages = await Promise.all([1, 2, 3].map((page) => list(`customer_id=${customer}&limit=1&page=${page}`)));
  expect(pages.map(idsOf)).toEqual([[second], [first], []]);
  expect(pages.map(({ meta }) => [meta.prev_page, meta.next_page])).toEqual([
    [null, 2],
    [1, null],
    [2, null],
  ]);
  expect(idsOf(await list("from=2000-01-01&to=2000-01-31"))).toEqual([]);
  expect(idsOf(await list(`from=${made[2]?.created_at}&limit=1`))).toEqual([third]);
  expect(await list(`customer_id=${customer}`, { key: otherMerchant.secretKey })).toMatchObject({
    data: [],
    meta: { next_page: null },
  });
  for (const query of ["status=lost", "customer_id=me", "from=2026-02-01&to=2026-01-01", "limit=101"]) {
    expect(codeOf(await call("GET", `${path}?${query}`))).toEqual([422, "validation_failed"]);
  }
});
