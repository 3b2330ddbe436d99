import pg from "pg";
import { describe, expect, test } from "vitest";
import { issueKeyFor } from "../../testing/keys.ts";
import { application, createLendingApp } from "../../testing/lending/loans.ts";

const testing = await createLendingApp();
const { call, request, read } = testing;

const send = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  call("POST", "/loans/create", { body, headers });

async function fieldsRefused(body: unknown): Promise<string[]> {
  const reply = await send(body);
  expect(reply.statusCode, reply.body).toBe(422);
  expect(reply.json()).toMatchObject({ status: "error", code: "validation_failed", data: null });
  return reply.json().errors.map(({ field }: { field: string }) => field);
}

describe("POST /loans/create", () => {
  test("answers as the specification shows, field by field and in its order", async () => {
    const reply = await send(application);
    expect(reply.statusCode).toBe(201);
    const { data } = reply.json();
    const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Object.entries(reply.json())).toEqual([
      ["status", "success"],
      ["title", "Loan request"],
      ["message", "Loan request created"],
      ["data", data],
    ]);
    expect(Object.entries(data)).toEqual([
      ["merchant_id", testing.merchant.merchant.id],
      ["daas_user_id", uuid],
      ["amount", 120000],
      ["tenure", "12"],
      ["tenure_type", "monthly"],
      ["bank_code", "058"],
      ["account_number", "0123456789"],
      ["reference", uuid],
      ["status", "pending"],
      ["id", uuid],
      ["created_at", null],
      ["updated_at", null],
    ]);
  });

  test.each(Object.keys(application))("refuses a request without %s", async (field) => {
    expect(await fieldsRefused({ ...application, [field]: undefined })).toEqual([field]);
  });

  test.each(Object.keys(application))("refuses a number where %s is due as a string", async (field) => {
    expect(await fieldsRefused({ ...application, [field]: 12 })).toEqual([field]);
  });

  test.each([
    ["first_name", "  "],
    ["phone", "12345"],
    ["phone", "+4915112345678"],
    ["nin", "1234567890"],
    ["bvn", "2212345678"],
    ["bvn", "2212345678x"],
    ["amount", "0"],
    ["amount", "-5000"],
    ["amount", "999.99"],
    ["amount", "5000000.01"],
    ["amount", "5000.001"],
    ["amount", "1e5"],
    ["tenure_type", "yearly"],
    ["email", "adaeze"],
    ["tenure", "0"],
    ["tenure", "1.5"],
    ["tenure", "25"],
    ["bank_code", "000"],
    ["account_number", "123456789"],
    ["longitude", "181"],
    ["latitude", "91"],
    ["latitude", "north"],
  ])("refuses %s %j", async (field, value) => {
    expect(await fieldsRefused({ ...application, [field]: value })).toEqual([field]);
  });

  test("names every bad field at once, those of the schema and those of the rules", async () => {
    const body = {
      ...application,
      first_name: 1,
      bvn: "123",
      bank_code: "zz",
      latitude: "91",
      amount: "5",
      phone: "12",
    };
    expect(await fieldsRefused(body)).toEqual(["first_name", "phone", "bvn", "amount", "bank_code", "latitude"]);
    expect(await fieldsRefused({})).toEqual(Object.keys(application));
    expect(await fieldsRefused([])).not.toEqual([]);
  });

  test("says which amounts the product allows", async () => {
    const reply = await send({ ...application, amount: "5" });
    expect(reply.json().errors).toEqual([{ field: "amount", message: "must be from 1000.00 to 5000000.00" }]);
  });

  test.each([
    ["daily", "7", "90"],
    ["weekly", "1", "52"],
    ["monthly", "1", "24"],
  ])("allows %s tenures from %s to %s", async (tenure_type, shortest, longest) => {
    for (const tenure of [shortest, longest]) await request({ tenure_type, tenure });
    for (const tenure of [String(Number(shortest) - 1), String(Number(longest) + 1)]) {
      expect(await fieldsRefused({ ...application, tenure_type, tenure })).toEqual(["tenure"]);
    }
  });

  test.each([
    ["+234 803 123 4567", "+2348031234567"],
    ["2348031234567", "+2348031234567"],
    ["08031234567", "+2348031234567"],
  ])("takes the phone %s as %s", async (phone, stored) => {
    const { loan_request } = await read(await request({ phone }));
    expect(loan_request.daas_user.phone).toBe(stored);
  });

  test("takes a bank by its NIP code and keeps what was sent", async () => {
    const { loan_request } = await read(await request({ bank_code: "000013" }));
    expect(loan_request).toMatchObject({ bank_code: "000013", bank_name: "Guaranty Trust Bank" });
  });

  test("ignores fields that it does not know", async () => {
    await request({ nickname: "Ada" });
  });
});

describe("a loan request is safe against doubles", () => {
  test("the same Idempotency-Key and body return the first reply", async () => {
    const headers = { "idempotency-key": "once" };
    const [first, second] = [await send(application, headers), await send(application, headers)];
    expect(second.statusCode).toBe(201);
    expect(second.body).toBe(first.body);
    expect(second.headers["idempotent-replayed"]).toBe("true");
    const other = await send({ ...application, tenure: "6" }, headers);
    expect(other.statusCode).toBe(409);
    expect(other.json()).toMatchObject({ code: "idempotency_key_conflict" });
  });

  test("two at once with one key make one loan", async () => {
    const before = await countLoans();
    const replies = await Promise.all([1, 2].map(() => send(application, { "idempotency-key": "twins" })));
    expect(new Set(replies.map((reply) => reply.json().data.id)).size).toBe(1);
    expect(await countLoans()).toBe(before + 1);
  });

  test("two at once for one new applicant make one applicant", async () => {
    const ids = await Promise.all([1, 2, 3].map(() => request({ bvn: "22999999999" })));
    const records = await Promise.all(ids.map(read));
    expect(new Set(ids).size).toBe(3);
    expect(new Set(records.map(({ loan_request }) => loan_request.daas_user_id)).size).toBe(1);
  });
});

async function countLoans(): Promise<number> {
  const owner = new pg.Client({ connectionString: testing.ownerUrl });
  await owner.connect();
  const counted = await owner.query<{ count: bigint }>("select count(*) from loan_requests");
  await owner.end();
  return Number(counted.rows[0]?.count);
}

describe("the applicant", () => {
  test("is found again by BVN, and is who the lender believes: what is sent counts once it is granted", async () => {
    const bvn = "22000000123";
    const first = await request({ bvn, email: "old@example.com", last_name: "Eze" });
    const second = await request({ bvn, email: "new@example.com", nin: "10987654321" });
    const [older, newer] = [await read(first), await read(second)];
    expect(older.loan_request.daas_user_id).toBe(newer.loan_request.daas_user_id);
    const { nin } = older.loan_request.daas_user;
    expect(older.loan_request.daas_user).toMatchObject({ email: "old@example.com", last_name: "Eze", bvn });
    expect(nin).not.toBe("10987654321");
    expect((await call("POST", `/sandbox/loans/${second}/approve`)).statusCode).toBe(200);
    const granted = (await read(first)).loan_request.daas_user;
    expect(granted).toMatchObject({ email: "new@example.com", nin: "10987654321", bvn });
    expect(older.loan_details.user).toMatchObject({ email: "old@example.com", last_name: "Eze" });
  });

  test("is another one in another merchant's environment", async () => {
    const bvn = "22000000456";
    const { secretKey } = testing.otherMerchant;
    const mine = await read(await request({ bvn }));
    const theirs = await request({ bvn }, secretKey);
    const reply = await call("GET", `/loans/${theirs}`, { key: secretKey });
    expect(reply.json().data.loan_request.daas_user_id).not.toBe(mine.loan_request.daas_user_id);
  });

  test("has no BVN or NIN that the database could show", async () => {
    const [bvn, nin] = ["22777777777", "77777777722"];
    const { loan_request } = await read(await request({ bvn, nin }));
    expect(loan_request.daas_user).toMatchObject({ bvn, nin });
    const owner = new pg.Client({ connectionString: testing.ownerUrl });
    await owner.connect();
    for (const table of ["loan_applicants", "loan_requests", "loan_accounts", "events", "agenda"]) {
      const rows = await owner.query<{ line: string }>(`select t::text as line from ${table} t`);
      expect(rows.rows.length).toBeGreaterThan(0);
      expect(rows.rows.filter(({ line }) => line.includes(bvn) || line.includes(nin))).toEqual([]);
    }
    await owner.end();
  });
});

describe("who may ask for a loan", () => {
  test("nobody without a key", async () => {
    const reply = await call("POST", "/loans/create", { body: application, key: null });
    expect(reply.statusCode).toBe(401);
    expect(reply.json()).toMatchObject({ status: "error", code: "missing_key" });
  });

  test("no key without the scope", async () => {
    const key = await issueKeyFor(testing.db, testing.merchant.environment.id, { scopes: ["loans:read"] });
    const reply = await call("POST", "/loans/create", { body: application, key });
    expect([reply.statusCode, reply.json().code]).toEqual([403, "scope_missing"]);
  });
});
