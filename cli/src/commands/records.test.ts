/** Bills, loans, customers and wallets from the command line. */
import { describe, expect, test } from "vitest";
import { type Asked, jara, pages, refusal } from "../../testing/in-process.ts";

const id = "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11";
const at = "2026-11-16T23:30:00.000Z";
const posts = (asked: readonly Asked[]) =>
  asked.filter(({ method }) => method !== "GET").map(({ method, path, body }) => [`${method} ${path}`, body]);

describe("bills", () => {
  const bill = {
    id,
    reference: "bill-1",
    status: "successful",
    product: { code: "mtn", name: "MTN airtime" },
    customer: { identifier: "08031234567", name: null as string | null },
    amount: 500,
    totalDebited: 500,
    commission: 7.5,
    token: null as string | null,
    failureReason: null as object | null,
    createdAt: at,
  };
  const sold = (kind: string, more: Partial<typeof bill> = {}) => ({
    [`POST /bills/${kind}/vend`]: () => ({ ...bill, status: "pending" }),
    [`GET /bills/${id}`]: () => ({ ...bill, ...more }),
  });

  test("airtime is bought and followed to its end", async () => {
    const { code, out, asked } = await jara("bills airtime --network MTN --phone 08031234567 --amount 500", {
      replies: sold("airtime"),
    });
    expect(code).toBe(0);
    expect(out).toContain("MTN airtime");
    expect(out).toContain("NGN 7.50");
    expect(posts(asked)).toEqual([
      [
        "POST /bills/airtime/vend",
        {
          network: "MTN",
          phoneNumber: "08031234567",
          amount: 500,
          reference: expect.stringMatching(/^airtime-/),
        },
      ],
    ]);
  });

  test("the token of a meter is shown: it is what was bought", async () => {
    const words =
      "bills electricity --provider ikeja --meter 45012345678 --type prepaid --amount 5000 --phone 08031234567";
    const { out, err } = await jara(words, {
      replies: {
        "POST /bills/electricity/validate": () => ({ customerName: "ADA OBI", address: null }),
        ...sold("electricity", { token: "1234-5678" }),
      },
    });
    expect(out).toContain("1234-5678");
    expect(err).toContain("ADA OBI");
  });

  test("a meter that nobody has is not paid for", async () => {
    const words = "bills electricity --provider ikeja --meter 1 --type prepaid --amount 5000 --phone 08031234567";
    const { code, err, asked } = await jara(words, {
      replies: { "POST /bills/electricity/validate": () => refusal(422, "customer_not_found", "Nobody has it.") },
    });
    expect(code).toBe(5);
    expect(err).toContain("Nobody has it.");
    expect(posts(asked).map(([path]) => path)).toEqual(["POST /bills/electricity/validate"]);
  });

  test.each([
    ["renew", { subscriptionType: "renew" }],
    ["dstv-padi", { subscriptionType: "change", packageCode: "dstv-padi" }],
  ])("a TV package called %s is a subscription of its kind", async (name, body) => {
    const { asked, err } = await jara(
      `bills tv --provider dstv --card 7012345678 --package ${name} --phone 08031234567`,
      {
        replies: {
          "POST /bills/tv/validate": () => ({ customerName: "ADA OBI", currentPackage: "Yanga" }),
          ...sold("tv"),
        },
      },
    );
    expect(err).toContain("ADA OBI, has Yanga");
    expect(posts(asked).at(-1)?.[1]).toMatchObject(body);
  });

  test("a sub-account pays where one is named", async () => {
    const { asked } = await jara(`bills airtime --network MTN --phone 08031234567 --amount 500 --from ${id}`, {
      replies: sold("airtime"),
    });
    expect(posts(asked)[0]?.[1]).toMatchObject({ sourceAccountId: id });
  });

  test("a bill that failed tells a script so, and a person why", async () => {
    const failureReason = { code: "biller_refused", message: "The biller refused." };
    const { code, out } = await jara("bills airtime --network MTN --phone 08031234567 --amount 500", {
      replies: sold("airtime", { status: "failed", failureReason }),
    });
    expect(code).toBe(8);
    expect(out).toContain("The biller refused. (biller_refused)");
  });

  test.each([
    [
      "airtime",
      "/bills/networks",
      { code: "MTN", name: "MTN", minAmount: 50, maxAmount: 50_000 },
      "50.00 to 50,000.00",
    ],
    ["data", "/bills/data/list", { planCode: "mtn-1gb", name: "1 GB", network: "MTN", amount: 500 }, "500.00"],
    ["tv", "/bills/tv/list", { packageCode: "dstv-padi", name: "Padi", provider: "dstv", amount: 4_400 }, "4,400.00"],
  ])("products of %s are listed with their codes and prices", async (kind, path, product, price) => {
    const { out } = await jara(`bills products ${kind}`, { replies: { [`GET ${path}`]: () => [product] } });
    expect(out).toContain(price);
  });

  test.each(["water", "constructor", "toString"])(
    "%s is no kind of bill: it is refused with those that there are",
    async (kind) => {
      const { code, err, asked } = await jara(`bills products ${kind}`);
      expect(code).toBe(2);
      expect(err).toBe(`"${kind}" is not one of airtime, data, electricity, tv, betting.`);
      expect(asked).toEqual([]);
    },
  );
});

describe("loans", () => {
  const person = "--first-name Ada --last-name Obi --phone 08031234567 --email ada@example.com --bvn 22123456789";
  const loan = { id, status: "pending", amount: "50000.00", tenure: 3, tenure_type: "monthly" };

  test("a quote is asked for with numbers, however the amount is written", async () => {
    const quoted = {
      amount: 50_000,
      total_interest: 2_500,
      total_repayment: 52_500,
      installment_amount: 17_500,
      schedules: [{}, {}, {}],
    };
    const { code, out, asked } = await jara("loans quote --amount 50,000 --tenure 3", {
      replies: { "POST /loans/quote": () => quoted, "POST /loans": () => quoted, "GET /loans": () => quoted },
    });
    expect([code, out]).toEqual([0, expect.stringContaining("NGN 17,500.00, 3 times")]);
    expect(JSON.stringify(asked[0])).toMatch(/50000/);
  });

  test("a loan goes out in the wire's words, and from Lagos in a sandbox", async () => {
    const words = `loans create ${person} --nin 12345678901 --amount 50000 --tenure 3 --bank 058 --account 0123456789`;
    const { code, out, asked } = await jara(words, { replies: { "POST /loans/create": () => loan } });
    expect(code).toBe(0);
    expect(out).toContain(`jara loans show ${id}`);
    expect(posts(asked)[0]?.[1]).toMatchObject({
      first_name: "Ada",
      bank_code: "058",
      tenure_type: "monthly",
      nin: "12345678901",
    });
  });

  test("a list under /loans is read though nobody counts it", async () => {
    const row = { ...loan, created_at: at, daas_user: { first_name: "Ada", last_name: "Obi" } };
    const { out } = await jara("loans list", {
      replies: {
        "GET /loans": () =>
          Response.json({ status: true, data: [row], meta: { current_page: 1, per_page: 100, next_page: null } }),
      },
    });
    expect(out).toContain("Ada Obi");
    expect(out).toContain("3 × monthly");
  });

  test("a customer's own id and birthday go along where they are given, and not as undefined", async () => {
    const customer = {
      id,
      first_name: "Ada",
      last_name: "Obi",
      phone: "+2348031234567",
      email: "ada@example.com",
      kyc_status: "verified",
      has_linked_card: false,
      external_id: "shop-1",
    };
    const replies = { "POST /loans/bnpl/customers": () => customer };
    const { out, asked } = await jara(`customers create ${person} --external-id shop-1`, { replies });
    expect(out).toContain("shop-1");
    expect(posts(asked)[0]?.[1]).toMatchObject({ external_id: "shop-1", bvn: "22123456789" });
    expect(posts(asked)[0]?.[1]).not.toHaveProperty("date_of_birth");
  });
});

describe("wallets", () => {
  const line = {
    id: "l-1",
    direction: "debit",
    amount: 2_577.38,
    balanceAfter: 997_422.62,
    type: "transfer_hold",
    resource: { reference: null },
    createdAt: at,
  };

  test("a statement has signs, and a time in Lagos", async () => {
    const { out } = await jara("wallets show", {
      replies: {
        "GET /wallets/balance": () => ({ accountId: "w-1", available: 997_422.62, held: 2_577.38 }),
        "GET /wallets/transactions": pages([line, { ...line, id: "l-2", direction: "credit" }]),
      },
    });
    expect(out).toContain("NGN 997,422.62");
    expect(out).toContain("-2,577.38");
    expect(out).toContain("+2,577.38");
    expect(out).toMatch(/17 Nov.*00:30:00/);
  });

  test("JSON has the wallet and its movements in one record", async () => {
    const { out } = await jara("wallets show w-2 --json", {
      replies: {
        "GET /wallets/balance": () => ({ accountId: "w-2", available: 1, held: 0 }),
        "GET /wallets/transactions": pages([line]),
      },
    });
    expect(JSON.parse(out)).toMatchObject({ accountId: "w-2", transactions: [{ id: "l-1" }] });
  });

  test.each([
    ["250000", 250_000],
    ["250,000", 250_000],
    ["₦2,500.50", 2_500.5],
  ])("play money of %s is %d naira", async (typed, amount) => {
    const { code, asked } = await jara(["wallets", "fund", typed], {
      replies: { "POST /sandbox/wallets/fund": () => ({ amount, balanceAfter: amount }) },
    });
    expect(code).toBe(0);
    expect(posts(asked)).toEqual([["POST /sandbox/wallets/fund", { amount }]]);
  });

  test("main is a name for the main wallet's id when money moves between one's own", async () => {
    const { asked } = await jara(`wallets move --from main --to ${id} --amount 500 --reference m-1`, {
      replies: {
        "GET /wallets/balance": () => ({ accountId: "w-main" }),
        "POST /wallets/": (asked) => ({ ...(asked.body as object), createdAt: at }),
      },
    });
    expect(posts(asked)[0]?.[1]).toEqual({ from: "w-main", to: id, amount: 500, reference: "m-1" });
  });
});
