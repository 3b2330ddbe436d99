import { beforeAll, describe, expect, test } from "vitest";
import { createBorrowingApp } from "../../testing/checkout/borrowers.ts";
import { issueKeyFor } from "../../testing/keys.ts";
import { application } from "../../testing/lending/loans.ts";
import { sequenceEvents } from "../platform/records/sequencer.ts";

const app = await createBorrowingApp();
const { call, db, merchant, otherMerchant } = app;
const theirs = { key: otherMerchant.secretKey };

interface Find {
  readonly kind: string;
  readonly id: string;
  readonly title: string;
  readonly subtitle: string;
  readonly status: string | null;
  readonly amount: number | null;
  readonly path: string;
}

async function search(q: string, options = {}): Promise<Find[]> {
  const reply = await call("GET", `/search?q=${encodeURIComponent(q)}`, options);
  expect([reply.statusCode, reply.json().message]).toEqual([200, "Search done"]);
  return reply.json().data;
}

const kindsOf = (finds: readonly Find[]) => finds.map(({ kind, id }) => `${kind} ${id}`);

async function pay(reference: string, options = {}, body = {}): Promise<{ id: string; sessionId: string }> {
  const wanted = { accountNumber: "0690000032", bankCode: "044", amount: 2500.5, currency: "NGN", reference, ...body };
  const reply = await call("POST", "/transfers", { body: wanted, ...options });
  expect(reply.statusCode).toBe(201);
  await app.advance({ seconds: 5 });
  return (await call("GET", `/transfers/${reply.json().data.id}`, options)).json().data;
}

async function vend(reference: string): Promise<{ id: string }> {
  const body = { network: "MTN", phoneNumber: "0803 765 4321", amount: 777, reference };
  return (await call("POST", "/bills/airtime/vend", { body })).json().data;
}

beforeAll(async () => {
  for (const how of [{}, theirs]) await call("POST", "/sandbox/wallets/fund", { body: { amount: 900_000 }, ...how });
});

describe("a payout is found", () => {
  test("by each of its keys, as lists show it", async () => {
    const { id, sessionId } = await pay("order-77", {}, { externalReference: "ext-77", narration: "Market day" });
    const expected = {
      kind: "transfer",
      id,
      title: "order-77",
      subtitle: expect.stringMatching(/^[A-Z][A-Za-z' -]+ · 0690000032 · Access Bank$/),
      status: "completed",
      amount: 2500.5,
      createdAt: expect.stringMatching(/Z$/),
      path: `/transfers/${id}`,
    };
    for (const key of [id, id.toUpperCase(), "order-77", "ext-77", sessionId, "  order-77 "]) {
      expect((await search(key))[0]).toEqual(expected);
    }
    expect((await call("GET", expected.path)).statusCode).toBe(200);
  });

  test("by account number, amount, holder and a part of its reference", async () => {
    const { id } = await pay("Invoice-2026-0042", {}, { amount: 1234.56, narration: "Second-hand books" });
    const { subtitle } = (await search(id))[0] ?? { subtitle: "" };
    const holder = subtitle.split(" · ")[0]?.toLowerCase() ?? "";
    for (const q of ["0690000032", "1234.56", "₦1,234.56", "invoice-2026", holder, "hand books"]) {
      expect({ q, found: kindsOf(await search(q)).includes(`transfer ${id}`) }).toEqual({ q, found: true });
    }
    for (const q of ["1234.5", "069000003", "%", "_nvoice-2026-0042", "invoice%0042", "books second-hand nothing"]) {
      expect({ q, found: kindsOf(await search(q)).includes(`transfer ${id}`) }).toEqual({ q, found: false });
    }
  });

  test("with the whole reference first, then the newest, at most 20", async () => {
    for (let n = 0; n < 23; n += 1) await pay(`pack-${n}`);
    const finds = await search("pack-1");
    expect(finds.map(({ title }) => title)).toEqual([
      "pack-1",
      ...[19, 18, 17, 16, 15, 14, 13, 12, 11, 10].map((n) => `pack-${n}`),
    ]);
    expect((await search("pack")).map(({ title }) => title)).toEqual(
      Array.from({ length: 20 }, (_, n) => `pack-${22 - n}`),
    );
  });

  test("but not the payment of a loan, which is the lender's", async () => {
    const { id } = (await call("POST", "/loans/create", { body: application })).json().data;
    await app.advance({ seconds: 5 });
    expect((await search("pack", {})).every(({ kind }) => kind === "transfer")).toBe(true);
    const finds = await search(application.account_number);
    expect(new Set(finds.map(({ kind }) => kind))).toEqual(new Set(["loan"]));
    expect(finds[0]).toMatchObject({ id, path: `/loans/${id}`, title: "Adaeze Okafor" });
  });
});

test("bills, loans, customers, purchases, wallets and events are found by what people know of them", async () => {
  const bill = await vend("airtime-77");
  const { loanId, customerId } = await app.lend("linked");
  const { email, phone } = (await call("GET", `/loans/bnpl/customers/${customerId}`)).json().data;
  const { id: walletId, accountNumber } = (
    await call("POST", "/wallets/sub-accounts", { body: { accountName: "Till of Yaba", externalId: "till-9" } })
  ).json().data;
  await sequenceEvents(db);
  const [event] = (await call("GET", "/events?limit=1")).json().data;
  const wanted: readonly (readonly [string, string])[] = [
    ["airtime-77", `bill ${bill.id}`],
    ["08037654321", `bill ${bill.id}`],
    ["777", `bill ${bill.id}`],
    [email.toUpperCase(), `customer ${customerId}`],
    [phone, `customer ${customerId}`],
    [loanId, `checkout_loan ${loanId}`],
    [accountNumber, `wallet ${walletId}`],
    ["till-9", `wallet ${walletId}`],
    ["yaba till", `wallet ${walletId}`],
    [event.id, `event ${event.id}`],
  ];
  for (const [q, found] of wanted) expect([q, kindsOf(await search(q))]).toEqual([q, expect.arrayContaining([found])]);
  for (const [q, found] of wanted) expect([q, kindsOf(await search(q, theirs))]).not.toContain(found);
});

test("every path of a find leads to something", async () => {
  const finds = [
    ...(await search("a")),
    ...(await search("pack")),
    ...(await search("okafor")),
    ...(await search("till")),
  ];
  expect(finds.length).toBeGreaterThan(5);
  for (const { path } of finds) expect([path, (await call("GET", path)).statusCode]).toEqual([path, 200]);
});

describe("whose it is", () => {
  test("another merchant's record is found by nothing", async () => {
    const { id } = await pay("only-theirs", theirs, { amount: 4321.99 });
    for (const q of ["only-theirs", id, "4321.99", "only"]) expect(await search(q)).toEqual([]);
    for (const q of ["only-theirs", id, "4321.99", "only"]) {
      expect(kindsOf(await search(q, theirs))).toEqual([`transfer ${id}`]);
    }
  });

  test("a key finds what its scopes may read, and needs the search's own", async () => {
    const { id } = await pay("scoped-1");
    await vend("scoped-2");
    const withScopes = (scopes: string[]) => issueKeyFor(db, merchant.environment.id, { scopes });
    const payoutsOnly = await withScopes(["search:read", "transfers:read"]);
    expect(kindsOf(await search("scoped", { key: payoutsOnly }))).toEqual([`transfer ${id}`]);
    const nothing = await withScopes(["search:read", "transfers:write"]);
    expect(await search("scoped", { key: nothing })).toEqual([]);
    const refused = await call("GET", "/search?q=scoped", { key: await withScopes(["transfers:read"]) });
    expect([refused.statusCode, refused.json().code]).toEqual([403, "scope_missing"]);
  });
});

describe("hostile input", () => {
  test.each([
    ["nothing", ""],
    ["an empty text", "q="],
    ["blanks", "q=%20%20"],
    ["more than a hundred letters", `q=${"x".repeat(101)}`],
    ["ten kilobytes", `q=${"x".repeat(10_240)}`],
    ["two questions", "q=a&q=b"],
    ["a NUL", "q=a%00b"],
  ])("%s is refused", async (_, query) => {
    const reply = await call("GET", `/search?${query}`);
    expect([reply.statusCode, reply.json().code]).toEqual([422, "validation_failed"]);
  });

  test.each(["%", "_", "%%%", "'", "''; drop table transfers; --", '"', "\\", "\\%", "{1}", "$1", "\u202ex"])(
    "finds nothing and breaks nothing: %j",
    async (q) => expect(await search(q)).toEqual([]),
  );

  test.each(["👍🏿".repeat(10), "Ọlá ńlá", "数字", "\u0301\u0301\u0301", "९९९", "İstanbul"])(
    "of other scripts is text like any other: %s",
    async (q) => expect(await search(q)).toEqual([]),
  );

  test("a name with marks is found in either of its two spellings", async () => {
    const { id } = (await call("POST", "/wallets/sub-accounts", { body: { accountName: "Ọláńlá" } })).json().data;
    for (const form of ["NFC", "NFD"]) {
      expect(kindsOf(await search("ọláńlá".normalize(form)))).toEqual([`wallet ${id}`]);
    }
  });
});
