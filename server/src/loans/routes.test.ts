import { beforeAll, describe, expect, test } from "vitest";
import { createMerchant } from "../../testing/factories.ts";
import { application, createLendingApp, freeze, start } from "../../testing/lending/loans.ts";
import type { PresentedRequest } from "./schemas.ts";

const testing = await createLendingApp();
const { call, request, lend, read } = testing;
const { merchant } = testing.merchant;

const unknownId = "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11";

/** `loan_details` of a loan over 120,000.00 for twelve months that nobody has decided about. */
function pendingDetails({ reference, daas_user_id }: PresentedRequest) {
  return {
    id: reference,
    user_id: daas_user_id,
    merchant_id: merchant.id,
    amount: 120000,
    tenor: 12,
    tenor_type: "FLEXIBLE",
    status: 1,
    status_text: "pending",
    balance: 177600,
    next_repayment_amount: 14800,
    to_repay: 14800,
    to_repay_when: "every month",
    total_interest: 57600,
    interest_rate: 4,
    repayment_mode: "MONTHLY",
    total_repayment: 177600,
    credit: 0,
    next_due_date: null,
    approved_date: null,
    start_date: null,
    end_date: null,
    loan_type_detail: { id: expect.any(String), name: "Standard", description: expect.any(String) },
    user: {
      id: daas_user_id,
      first_name: "Adaeze",
      last_name: "Okafor",
      email: "adaeze@example.com",
      account_number: "0123456789",
      bvn: application.bvn,
      phone_number: "+2348031234567",
    },
    repayment_schedules: [],
    schedules: [],
  };
}

describe("GET /loans/{id}", () => {
  test("of a pending loan has both parts, no dates and no schedules", async () => {
    const id = await request();
    const reply = await call("GET", `/loans/${id}`);
    expect(reply.json()).toMatchObject({ status: "success", title: "Loan", message: "Loan retrieved" });
    const { loan_request, loan_details } = reply.json().data;
    expect(Object.keys(reply.json().data)).toEqual(["loan_request", "loan_details"]);
    expect(loan_request).toEqual({
      id,
      merchant_id: merchant.id,
      daas_user_id: loan_request.daas_user.id,
      amount: "120000.00",
      tenure: 12,
      tenure_type: "monthly",
      bank_code: "058",
      bank_name: "Guaranty Trust Bank",
      account_number: "0123456789",
      account_name: expect.stringMatching(/^\S+ \S+ \S+$/),
      reference: loan_details.id,
      status: "pending",
      environment: "SANDBOX",
      created_at: start,
      updated_at: start,
      daas_user: {
        id: expect.any(String),
        first_name: "Adaeze",
        last_name: "Okafor",
        phone: "+2348031234567",
        email: "adaeze@example.com",
        nin: application.nin,
        bvn: application.bvn,
        created_at: start,
        updated_at: start,
      },
    });
    expect(loan_details).toEqual(pendingDetails(loan_request));
  });

  test("has a plan when it is approved, and what was paid of it when it is disbursed", async () => {
    const id = await request({ tenure: "3", amount: "100000.01" });
    await testing.advance({ seconds: 2 });
    const { loan_details: approved } = await read(id);
    expect(approved).toMatchObject({ status: 2, status_text: "approved", repayment_schedules: [] });
    expect(approved.schedules.map(({ due_date }) => due_date)).toEqual([
      "2026-12-02T22:59:59.999Z",
      "2027-01-02T22:59:59.999Z",
      "2027-02-02T22:59:59.999Z",
    ]);
    await testing.advance({ seconds: 3 });
    const { loan_details: active } = await read(id);
    expect(active).toMatchObject({ status: 4, status_text: "active", next_due_date: "2026-12-02T22:59:59.999Z" });
    expect(active.end_date).toBe("2027-02-02T22:59:59.999Z");
    expect(active.repayment_schedules).toEqual(active.schedules);
    const inKobo = (naira: number) => Math.round(naira * 100);
    const total = (read: (item: (typeof active.schedules)[number]) => number) =>
      active.schedules
        .map(read)
        .map(inKobo)
        .reduce((sum, part) => sum + part, 0);
    expect(total(({ principal }) => principal)).toBe(10_000_001);
    expect(total(({ amount_due }) => amount_due)).toBe(inKobo(active.total_repayment));
    expect(total(({ interest }) => interest)).toBe(inKobo(active.total_interest));
  });

  test("takes the reference that events carry in place of the id, and so do the loan's other paths", async () => {
    const id = await lend();
    const { reference } = (await read(id)).loan_request;
    for (const path of ["", "/schedule", "/repayments", "/explain?field=balance"]) {
      const [byId, byReference] = [
        await call("GET", `/loans/${id}${path}`),
        await call("GET", `/loans/${reference}${path}`),
      ];
      expect([byReference.statusCode, byReference.json().data], path).toEqual([200, byId.json().data]);
    }
    await call("POST", "/sandbox/wallets/fund", { body: { amount: 100 } });
    const body = { amount: 100, reference: "by-reference", channel: "cash" };
    expect((await call("POST", `/loans/${reference}/repayments`, { body })).json().data.loan_id).toBe(id);
  });

  test.each([
    ["cancel", "cancelled"],
    ["approve", "approved"],
    ["reject", "rejected"],
  ])("the reference of a pending loan is enough to %s it", async (word, status) => {
    const id = await request();
    const { reference } = (await read(id)).loan_request;
    const path = word === "cancel" ? "/loans" : "/sandbox/loans";
    const { loan_request } = (await call("POST", `${path}/${reference}/${word}`)).json().data;
    expect(loan_request).toMatchObject({ id, status });
    // Nothing that was planned for the loan under its own id goes on.
    await testing.advance({ seconds: 1 });
    expect((await read(id)).loan_request.status).toBe(status);
  });

  test.each(["GET /loans/{id}", "GET /loans/{id}/schedule", "GET /loans/{id}/repayments", "POST /loans/{id}/cancel"])(
    "%s knows neither unknown ids nor those of others, and says so in the same words",
    async (endpoint) => {
      const theirs = await request({}, testing.otherMerchant.secretKey);
      const [method = "", path = ""] = endpoint.split(" ");
      const key = testing.otherMerchant.secretKey;
      const { reference } = (await call("GET", `/loans/${theirs}`, { key })).json().data.loan_request;
      for (const id of [unknownId, theirs, reference, "no-uuid"]) {
        const reply = await call(method, path.replace("{id}", id));
        const { request_id, ...body } = reply.json();
        expect([reply.statusCode, body]).toEqual([
          404,
          {
            status: "error",
            title: "Loan not found",
            message: "No loan has this id or reference.",
            code: "loan_not_found",
            errors: [],
            data: null,
          },
        ]);
      }
    },
  );
});

describe("GET /loans", () => {
  let key: string;

  beforeAll(async () => {
    key = (await createMerchant(testing.db, "Bukka Hut")).secretKey;
    await freeze(testing, start, key);
    for (let number = 1; number <= 21; number += 1) await request({ amount: `${1000 + number}` }, key);
  });

  const list = async (query: string) => {
    const reply = await call("GET", `/loans${query}`, { key });
    expect(reply.statusCode, reply.body).toBe(200);
    return reply.json();
  };

  test("shows ten to a page, newest first, with the applicant", async () => {
    const { data, meta, ...envelope } = await list("");
    expect(envelope).toEqual({ status: "success", title: "Loans", message: "Loans retrieved" });
    expect(meta).toEqual({ current_page: 1, next_page: 2, prev_page: null, per_page: 10 });
    expect(data).toHaveLength(10);
    expect(data[0]).toMatchObject({ amount: "1021.00", tenure: 12, environment: "SANDBOX", status: "pending" });
    const shown = (await call("GET", `/loans/${data[0].id}`, { key })).json().data.loan_request;
    expect(data[0]).toEqual(shown);
    expect(data[0].daas_user).toMatchObject({ bvn: application.bvn, nin: application.nin });
  });

  test.each([
    ["?page=2", 10, { current_page: 2, next_page: 3, prev_page: 1, per_page: 10 }],
    ["?page=3", 1, { current_page: 3, next_page: null, prev_page: 2, per_page: 10 }],
    ["?page=4", 0, { current_page: 4, next_page: null, prev_page: 3, per_page: 10 }],
    ["?page=2&limit=5", 5, { current_page: 2, next_page: 3, prev_page: 1, per_page: 5 }],
  ])("%s has %i loans", async (query, count, meta) => {
    const page = await list(query);
    expect(page.data.length).toBe(count);
    expect(page.meta).toEqual(meta);
  });

  test.each(["?page=0", "?page=x", "?page=1.5"])("%s is refused", async (query) => {
    const reply = await call("GET", `/loans${query}`, { key });
    expect([reply.statusCode, reply.json().errors[0].field]).toEqual([422, "page"]);
  });
});

test("GET /loans/banks lists every bank by both codes", async () => {
  const reply = await call("GET", "/loans/banks");
  expect(reply.json()).toMatchObject({ status: "success", title: "Banks" });
  expect(reply.json().data).toContainEqual({
    bank_name: "Guaranty Trust Bank",
    bank_code: "058",
    nip_code: "000013",
  });
});

describe("POST /loans/quote", () => {
  const quote = (body: unknown) => call("POST", "/loans/quote", { body });

  test.each([
    [{ amount: "120000", tenure: "12", tenure_type: "monthly" }],
    [{ amount: 120000, tenure: 12, tenure_type: "monthly" }],
  ])("prices %j as a loan would be priced", async (body) => {
    const reply = await quote(body);
    expect(reply.statusCode).toBe(200);
    const { schedules, ...figures } = reply.json().data;
    expect(figures).toEqual({
      amount: 120000,
      tenure: 12,
      tenure_type: "monthly",
      interest_rate: 4,
      total_interest: 57600,
      total_repayment: 177600,
      installment_amount: 14800,
    });
    const { loan_details } = await read(await lend());
    const withoutIds = (items: readonly object[]) => items.map((item) => ({ ...item, id: null }));
    expect(withoutIds(schedules)).toEqual(withoutIds(loan_details.schedules));
  });

  test.each([
    [{ amount: "999", tenure: "12", tenure_type: "monthly" }, ["amount"]],
    [{ amount: 120000, tenure: 25, tenure_type: "monthly" }, ["tenure"]],
    [{ amount: 1, tenure: 6, tenure_type: "daily" }, ["amount", "tenure"]],
    [{ amount: 1000.001, tenure: 1.5, tenure_type: "yearly" }, ["amount", "tenure", "tenure_type"]],
    [{}, ["amount", "tenure", "tenure_type"]],
  ])("refuses %j", async (body, fields) => {
    const reply = await quote(body);
    expect([reply.statusCode, reply.json().code]).toEqual([422, "validation_failed"]);
    expect(reply.json().errors.map(({ field }: { field: string }) => field)).toEqual(fields);
  });
});

describe("GET /loans/{id}/schedule", () => {
  test("is empty while pending and then shows what GET /loans/{id} shows", async () => {
    const id = await request();
    const schedule = async () => (await call("GET", `/loans/${id}/schedule`)).json().data;
    expect(await schedule()).toEqual([]);
    await testing.advance({ seconds: 2 });
    expect(await schedule()).toEqual((await read(id)).loan_details.schedules);
    await testing.advance({ seconds: 3 });
    expect(await schedule()).toEqual((await read(id)).loan_details.repayment_schedules);
  });
});

describe("GET /loans/{id}/explain", () => {
  test.each(["to_repay", "balance", "next_repayment_amount", "total_interest", "total_repayment", "credit"] as const)(
    "derives %s down to what was posted",
    async (field) => {
      const id = await lend();
      const reply = await call("GET", `/loans/${id}/explain?field=${field}`);
      expect(reply.statusCode, reply.body).toBe(200);
      const { data } = reply.json();
      expect(data.value).toBe((await read(id)).loan_details[field]);
      expect(Number(data.steps.at(-1).result)).toBe(data.value);
      expect(data.postings.map(({ kind }: { kind: string }) => kind)).toEqual(["loan.disbursed"]);
    },
  );

  test.each(["", "?field=mood"])("refuses %j", async (query) => {
    const reply = await call("GET", `/loans/${await request()}/explain${query}`);
    expect([reply.statusCode, reply.json().errors[0].field]).toEqual([422, "field"]);
  });

  test("shows nothing of another merchant's loan", async () => {
    const theirs = await request({}, testing.otherMerchant.secretKey);
    const reply = await call("GET", `/loans/${theirs}/explain?field=balance`);
    expect([reply.statusCode, reply.json().code]).toEqual([404, "loan_not_found"]);
  });
});
