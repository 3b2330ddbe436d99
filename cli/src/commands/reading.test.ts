/** Lists and single records: how they are asked for, and what a person and a script see of them. */
import { describe, expect, test } from "vitest";
import { type Asked, jara, liveKey, pages, refusal } from "../../testing/in-process.ts";

const id = "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11";
const at = "2026-11-16T23:30:00.000Z";
const gets = (asked: readonly Asked[]) => asked.map(({ method, path }) => `${method} ${path.split("?")[0]}`);
const queryOf = (asked: readonly Asked[]) =>
  Object.fromEntries(new URL(asked[0]?.path ?? "", "http://jara.test").searchParams);

const transfer = {
  id,
  reference: "order-7",
  status: "completed",
  amount: 2_500.5,
  totalDebit: 2_577.38,
  accountName: "ADA OBI",
  accountNumber: "0123456789",
  bankName: "GTBank",
  sessionId: null,
  failureReason: null,
  createdAt: at,
};
const bill = {
  id,
  reference: "bill-1",
  status: "successful",
  product: { code: "mtn", name: "MTN airtime" },
  customer: { identifier: "08031234567", name: null },
  amount: 500,
  totalDebited: 500,
  commission: 7.5,
  token: null,
  failureReason: null,
  createdAt: at,
};

describe.each([
  ["transfers", transfer, "/transfers"],
  ["bills", bill, "/bills"],
] as const)("%s", (group, record, path) => {
  test("as many are read as were asked for, and no more pages than that takes", async () => {
    const rows = Array.from({ length: 250 }, (_, number) => ({
      ...record,
      id: `i-${number}`,
      reference: `r-${number}`,
    }));
    const { out, asked } = await jara(`${group} list --limit 3 --json`, { replies: { [`GET ${path}`]: pages(rows) } });
    expect(JSON.parse(out)).toHaveLength(3);
    expect(asked).toHaveLength(1);
  });

  test("a limit above one page reads on", async () => {
    const rows = Array.from({ length: 250 }, (_, number) => ({
      ...record,
      id: `i-${number}`,
      reference: `r-${number}`,
    }));
    const { out } = await jara(`${group} list --limit 150 --json`, { replies: { [`GET ${path}`]: pages(rows) } });
    const read = (JSON.parse(out) as readonly { readonly reference: string }[]).map(({ reference }) => reference);
    expect(read).toHaveLength(150);
    expect(new Set(read).size).toBe(150);
  });

  test("a state is asked of the server, and not looked for here", async () => {
    const { asked } = await jara(`${group} list --status failed`, { replies: { [`GET ${path}`]: pages([]) } });
    expect(queryOf(asked)).toMatchObject({ status: "failed" });
  });

  test("without a state none is asked for", async () => {
    const { asked } = await jara(`${group} list`, { replies: { [`GET ${path}`]: pages([]) } });
    expect(queryOf(asked)).not.toHaveProperty("status");
  });

  test("an empty list says what to do, and JSON is an empty list", async () => {
    const replies = { [`GET ${path}`]: pages([]) };
    expect((await jara(`${group} list`, { replies })).out).toMatch(/^No .+ yet\. .+: jara /);
    expect(JSON.parse((await jara(`${group} list --json`, { replies })).out)).toEqual([]);
  });

  test.each(["0", "-1", "10001", "ten", "1.5", ""])(
    "a limit of %j is refused before anything is asked",
    async (limit) => {
      const { code, err, asked } = await jara([group, "list", `--limit=${limit}`]);
      expect(code).toBe(2);
      expect(err).toContain("A whole number from 1 to 10000.");
      expect(asked).toEqual([]);
    },
  );

  test("an id is read by its id", async () => {
    const { asked, out } = await jara(`${group} show ${id.toUpperCase()}`, {
      replies: { [`GET ${path}/`]: () => record },
    });
    expect(gets(asked)).toEqual([`GET ${path}/${id.toUpperCase()}`]);
    expect(out).toContain(record.reference);
  });

  test("what nobody has is refused in the server's words", async () => {
    const { code, err } = await jara(`${group} show ${id}`, {
      replies: { [`GET ${path}/`]: () => refusal(404, "not_found", "There is no such record.") },
    });
    expect(code).toBe(5);
    expect(err).toContain("There is no such record.");
  });
});

test("a payout's reference is looked up as one, also where it has signs of an address", async () => {
  const { asked, out } = await jara(["transfers", "show", "order 7/8?x"], {
    replies: { "GET /transfers": () => transfer, "POST /transfers": () => transfer },
  });
  expect(out).toContain("order-7");
  expect(asked).toHaveLength(1);
  expect(JSON.stringify(asked[0])).not.toContain("order 7/8?x/");
});

test("a narrow terminal shows the same payout one field below the other", async () => {
  const replies = { "GET /transfers": pages([transfer]) };
  const wide = await jara("transfers list", { replies, columns: 200 });
  const narrow = await jara("transfers list", { replies, columns: 30 });
  expect(wide.out.trim().split("\n")).toHaveLength(2);
  expect(narrow.out.trim().split("\n").length).toBeGreaterThan(4);
  for (const words of ["2,500.50", "GTBank", "order-7"]) {
    expect(wide.out).toContain(words);
    expect(narrow.out).toContain(words);
  }
});

describe("banks", () => {
  const banks = [
    { code: "058", name: "Guaranty Trust Bank", active: true },
    { code: "044", name: "Access Bank", active: false },
  ];
  const replies = { "GET /transfers/banks": () => banks };

  test("all are listed, and those that take no payouts now say so", async () => {
    const { out } = await jara("banks", { replies });
    expect(out).toContain("Guaranty Trust Bank");
    expect(out).toMatch(/044.*Access Bank.*takes no payouts now/);
  });

  test("several words are one name", async () => {
    const { out } = await jara("banks guaranty bank --json", { replies });
    expect(JSON.parse(out)).toEqual([banks[0]]);
  });

  test("a bank that there is not is named", async () => {
    const { code, out } = await jara("banks bank of nowhere", { replies });
    expect([code, out.trim()]).toEqual([0, "No bank is called bank of nowhere. jara banks lists them all."]);
  });
});

describe("loans and customers", () => {
  const request = {
    id,
    status: "active",
    amount: "50000.00",
    tenure: 3,
    tenure_type: "monthly",
    reference: "LN-1",
    created_at: at,
    daas_user: { first_name: "Ada", last_name: "Obi" },
  };
  const schedule = [
    { installment_number: 1, due_date: "2026-12-16T23:00:00.000Z", amount_due: 17_500, status: "paid" },
    { installment_number: 2, due_date: "2027-01-16T23:00:00.000Z", amount_due: 17_500, status: "pending" },
  ];
  const replies = {
    [`GET /loans/${id}`]: () => ({ loan_request: request, loan_details: { balance: 35_000 } }),
    [`GET /loans/${id}/schedule`]: () => schedule,
    [`GET /loans/schedule/${id}`]: () => schedule,
  };

  test("a loan is shown with its plan, in naira and Lagos time", async () => {
    const { code, out } = await jara(`loans show ${id}`, { replies });
    expect(code).toBe(0);
    expect(out).toContain("NGN 50,000.00");
    expect(out).toContain("3 × monthly");
    expect(out).toMatch(/1 +17 Dec( 2026)?, 00:00.*17,500\.00 +paid/);
    expect(out).toMatch(/2 +17 Jan( 2027)?, 00:00.*17,500\.00 +pending/);
  });

  test("JSON has the loan and its plan in one record", async () => {
    const { out } = await jara(`loans show ${id} --json`, { replies });
    expect(JSON.parse(out)).toMatchObject({ loanRequest: { id }, schedule: [{ installmentNumber: 1 }, {}] });
  });

  test("a live loan is not said to be in Lagos by us", async () => {
    const person = "--first-name Ada --last-name Obi --phone 08031234567 --email ada@example.com --bvn 22123456789";
    const words = `loans create ${person} --nin 12345678901 --amount 50000 --tenure 3 --bank 058 --account 0123456789`;
    const { code, err, asked } = await jara(`${words} --live`, { env: { JARA_SECRET_KEY: liveKey } });
    expect(code).toBe(2);
    expect(err).toContain("Say where the applicant is: --longitude and --latitude.");
    expect(asked).toEqual([]);
  });

  test.each([
    ["yearly", "loans quote --amount 1000 --tenure 1 --period yearly"],
    ["", "loans quote --amount 1000"],
  ])("a quote without its terms is refused before anything is asked (%j)", async (_case, words) => {
    const { code, asked } = await jara(words);
    expect([code, asked]).toEqual([2, []]);
  });

  const customer = {
    id,
    first_name: "Ada",
    last_name: "Obi",
    phone: "+2348031234567",
    email: "ada@example.com",
    kyc_status: "verified",
    has_linked_card: true,
    external_id: null,
    created_at: at,
  };

  test("a customer is shown with how many loans are out", async () => {
    const { out } = await jara(`customers show ${id}`, {
      replies: {
        [`GET /loans/bnpl/customers/${id}`]: () => customer,
        [`GET /loans/bnpl/customers/${id}/loans/active`]: () => [{ id: "p-1" }, { id: "p-2" }],
      },
    });
    expect(out).toMatch(/loans out +2/);
    expect(out).toMatch(/card +linked/);
    expect(out).not.toContain("yours");
  });

  test("customers have no states to choose from", async () => {
    const { code, err } = await jara("customers list --status verified");
    expect(code).toBe(2);
    expect(err).toContain("unknown option '--status'");
  });
});

describe("wallets", () => {
  const main = { accountId: "w-main", available: 1_000, held: 0 };
  const branch = { id: "w-1", accountName: "Ikeja", balance: 500, accountNumber: "0123456789" };

  test("the main wallet stands first, and the sub-accounts below it", async () => {
    const { out } = await jara("wallets list", {
      replies: { "GET /wallets/balance": () => main, "GET /wallets/sub-accounts": pages([branch]) },
    });
    const lines = out.trim().split("\n");
    expect(lines[1]).toMatch(/^Main wallet +1,000\.00 +w-main$/);
    expect(lines[2]).toMatch(/^Ikeja +500\.00 +0123456789 +w-1$/);
  });

  test.each([
    [{ accountNumber: "0123456789", bankName: "Wema" }, "0123456789 Wema"],
    [{ accountNumber: null, bankName: null }, "comes later"],
  ])("a new sub-account says its number, or that it comes later", async (number, words) => {
    const { out, asked } = await jara(["wallets", "create", "--name", "Ikeja branch", "--external-id", "ikeja"], {
      replies: {
        "POST /wallets/sub-accounts": () => ({
          id: "w-1",
          accountName: "Ikeja branch",
          status: "active",
          externalId: "ikeja",
          ...number,
        }),
      },
    });
    expect(out).toContain(words);
    expect(asked[0]?.body).toEqual({ accountName: "Ikeja branch", externalId: "ikeja" });
  });

  test("play money is for sandboxes: a live key is refused before anything is asked", async () => {
    const { code, asked } = await jara("wallets fund 50000 --live", { env: { JARA_SECRET_KEY: liveKey } });
    expect([code, asked]).toEqual([4, []]);
  });
});
