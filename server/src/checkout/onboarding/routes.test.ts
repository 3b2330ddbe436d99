import pg from "pg";
import { describe, expect, test } from "vitest";
import { createCheckoutApp, freshBvn, goodPerson, unknownId } from "../../../testing/checkout/checkout.ts";
import { issueKeyFor, issueLiveKeyFor } from "../../../testing/keys.ts";

const app = await createCheckoutApp();
const { call, onboard, person, merchant, otherMerchant } = app;
const path = "/loans/bnpl/customers";

describe("onboarding a customer", () => {
  test("answers 201 with the record, without BVN and NIN, and the phone as E.164", async () => {
    const reply = await onboard({ nin: "12345678901", date_of_birth: "1994-06-21", external_id: "user-77" });
    expect(reply.statusCode, reply.body).toBe(201);
    expect(reply.json()).toEqual({
      status: "success",
      title: "Customer",
      message: "Customer onboarded",
      data: {
        id: expect.any(String),
        first_name: "Adaeze",
        last_name: "Okafor",
        email: "adaeze@example.com",
        phone: expect.stringMatching(/^\+234803\d{4}567$/),
        external_id: "user-77",
        kyc_status: "verified",
        has_linked_card: false,
        pending_change: null,
        created_at: "2026-11-02T08:00:00.000Z",
      },
    });
  });

  test("with the same BVN is the same customer, as known, with a change that waits", async () => {
    const bvn = freshBvn();
    const id = await person({ bvn, external_id: "user-1" });
    const again = await onboard({ bvn, email: "new@example.com", phone: "+2348099999999" });
    expect([again.statusCode, again.json().data.id]).toEqual([200, id]);
    const { data } = (await call("GET", `${path}/${id}`)).json();
    expect(data).toEqual(again.json().data);
    expect(data).toMatchObject({ email: "adaeze@example.com", external_id: "user-1" });
    expect(data.phone).not.toBe("+2348099999999");
    expect(data.pending_change).toMatchObject({ fields: ["phone", "email"], destination: "0803****567" });
  });

  test("is replayed under an Idempotency-Key, and another body under it is refused", async () => {
    const body = { ...goodPerson, bvn: freshBvn() };
    const headers = { "idempotency-key": "onboard-1" };
    const first = await call("POST", path, { body, headers });
    const again = await call("POST", path, { body, headers });
    expect([again.statusCode, again.body]).toEqual([201, first.body]);
    const other = await call("POST", path, { body: { ...body, last_name: "Bello" }, headers });
    expect([other.statusCode, other.json().code]).toEqual([409, "idempotency_key_conflict"]);
  });

  test("makes another merchant's customer of the same BVN another customer", async () => {
    const bvn = freshBvn();
    const id = await person({ bvn });
    const theirs = await onboard({ bvn }, otherMerchant.secretKey);
    expect(theirs.statusCode).toBe(201);
    expect(theirs.json().data.id).not.toBe(id);
  });

  const bad: [string, Record<string, unknown>, string][] = [
    ["no BVN", { bvn: undefined }, "bvn"],
    ["a BVN of ten digits", { bvn: "1234567890" }, "bvn"],
    ["a BVN as a number", { bvn: 22123456789 }, "bvn"],
    ["a NIN with letters", { nin: "1234567890a" }, "nin"],
    ["a blank name", { first_name: "   " }, "first_name"],
    ["a name that never ends", { last_name: "x".repeat(101) }, "last_name"],
    ["an address without @", { email: "adaeze" }, "email"],
    ["a landline", { phone: "01 234 5678" }, "phone"],
    ["a phone of another country", { phone: "+14155550100" }, "phone"],
    ["30 February", { date_of_birth: "1994-02-30" }, "date_of_birth"],
    ["a birthday in the year 0", { date_of_birth: "0000-01-01" }, "date_of_birth"],
    ["an empty external id", { external_id: "" }, "external_id"],
    ["a list for a name", { first_name: ["Adaeze"] }, "first_name"],
  ];
  test.each(bad)("refuses %s", async (_, changes, field) => {
    const reply = await onboard(changes);
    expect([reply.statusCode, reply.json().code]).toEqual([422, "validation_failed"]);
    expect(reply.json().errors.map((error: { field: string }) => error.field)).toContain(field);
  });

  test("names every bad field at once", async () => {
    const reply = await call("POST", path, { body: { phone: 5 } });
    const fields = reply.json().errors.map((error: { field: string }) => error.field);
    expect(fields.sort()).toEqual(["bvn", "email", "first_name", "last_name", "phone"]);
  });

  test("with a BVN that ends with 0000 fails KYC, and says nothing more to the merchant", async () => {
    const reply = await onboard({ bvn: freshBvn("0000") });
    expect([reply.statusCode, reply.json().data.kyc_status]).toEqual([201, "failed"]);
  });

  test("needs the scope", async () => {
    const key = await issueKeyFor(app.db, merchant.environment.id, { scopes: ["checkout:read"] });
    const reply = await onboard({}, key);
    expect([reply.statusCode, reply.json().code]).toEqual([403, "scope_missing"]);
  });

  test("where no identity provider is connected leaves KYC pending", async () => {
    const key = await issueLiveKeyFor(app.db, merchant.merchant.id);
    const reply = await onboard({}, key);
    expect([reply.statusCode, reply.json().data.kyc_status]).toEqual([201, "pending"]);
  });
});

test("BVN and NIN are nowhere in the database", async () => {
  const [bvn, nin] = ["33987654321", "44987654321"];
  await call("POST", path, { body: { ...goodPerson, bvn, nin }, headers: { "idempotency-key": "secret-1" } });
  const owner = new pg.Client({ connectionString: app.ownerUrl });
  await owner.connect();
  const tables = await owner.query<{ name: string }>(
    "select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables where schemaname not like 'pg%' or schemaname = 'pgboss'",
  );
  let rows = 0;
  for (const { name } of tables.rows) {
    const found = await owner.query<{ line: string }>(`select t::text as line from ${name} t`);
    rows += found.rows.length;
    for (const { line } of found.rows) for (const digits of [bvn, nin]) expect(line).not.toContain(digits);
  }
  await owner.end();
  expect(rows).toBeGreaterThan(50);
});

describe("reading customers", () => {
  test("pages newest first, with meta", async () => {
    const older = await person();
    const newer = await person();
    const reply = await call("GET", `${path}?page=1&limit=2`);
    expect(reply.json().data.map((each: { id: string }) => each.id)).toEqual([newer, older]);
    expect(reply.json().meta).toMatchObject({ current_page: 1, next_page: 2, prev_page: null, per_page: 2 });
    expect((await call("GET", `${path}?page=9999`)).json().data).toEqual([]);
    const tooMany = await call("GET", `${path}?limit=101`);
    expect([tooMany.statusCode, tooMany.json().code]).toEqual([422, "validation_failed"]);
  });

  test("answers the same 404 for an unknown id, another merchant's and what is not an id", async () => {
    const id = await person();
    const unknown = await call("GET", `${path}/${unknownId}`);
    const theirs = await call("GET", `${path}/${id}`, { key: otherMerchant.secretKey });
    const noId = await call("GET", `${path}/nobody`);
    for (const reply of [unknown, theirs, noId]) {
      expect([reply.statusCode, reply.json().code]).toEqual([404, "checkout_customer_not_found"]);
    }
  });
});
