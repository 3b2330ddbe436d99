import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { createCheckoutApp, freshBvn, goodLoan, goodPerson, phoneOf } from "../../../testing/checkout/checkout.ts";
import { issueLiveKeyFor } from "../../../testing/keys.ts";
import { naira } from "../../../testing/lending/lending.ts";
import { application } from "../../../testing/lending/loans.ts";
import { bvnPurpose } from "../../loans/sealed-columns.ts";
import { inEnvironment, type Tx } from "../../platform/database/database.ts";
import { insertCard } from "../cards/card-store.ts";
import { insertCharge, readDeclines } from "../cards/charge-store.ts";
import { judgeLinkAnswer } from "../cards/link-order.ts";
import { countTries, insertLink } from "../cards/link-store.ts";
import { startingPolicy } from "../credit/policy.ts";
import { requireCustomer } from "../customers/read-customer.ts";
import { loanMoved } from "../follow-loans.ts";
import { requestLoan } from "./request-loan.ts";
import { applicantBvnPurpose } from "./standing.ts";

const app = await createCheckoutApp();
const { call, operate, db, merchant, otherMerchant } = app;
const { sealer } = app.dependencies;
const path = "/loans/bnpl/customers";
const account = { bankCode: "058", bankAccountNo: "0123456789", bankName: "GTBank", accountName: "Mama Put Foods" };
/** Live keys of two merchants, and a second sandbox's. */
let [one, two, sandbox] = ["", "", ""];

beforeAll(async () => {
  one = await issueLiveKeyFor(db, merchant.merchant.id);
  two = await issueLiveKeyFor(db, otherMerchant.merchant.id);
  sandbox = otherMerchant.secretKey;
  const list = (await operate("GET", "/operator/merchants?limit=100")).json().data;
  for (const [key, { merchant: owner }] of [[one, merchant] as const, [two, otherMerchant] as const]) {
    const found = list.find(({ id }: { id: string }) => id === owner.id);
    environments.set(key, found.environments.find(({ kind }: { kind: string }) => kind === "LIVE").id);
  }
});

const environments = new Map<string, string>();
const environmentOf = (key: string) => environments.get(key) ?? "";

/** A customer whom the operator has verified: live, no register is connected here. */
async function known(key: string, person: Readonly<Record<string, string>> = {}): Promise<string> {
  const bvn = person["bvn"] ?? freshBvn();
  const body = { ...goodPerson, phone: phoneOf(bvn), ...person, bvn };
  const { id } = (await call("POST", path, { key, body })).json().data;
  await operate("POST", `/operator/customers/${id}/kyc`, { status: "verified", reason: "Seen" });
  return id;
}

/** Live there is no bank to name the merchant's account, so a loan is written where a request would end. */
async function borrow(key: string, id: string, amount: number): Promise<{ refused: unknown } | { loanId: string }> {
  const reply = await call("POST", `${path}/${id}/loans`, { key, body: { ...goodLoan, amount } });
  return reply.statusCode === 201 ? { loanId: reply.json().data.id } : { refused: reply.json() };
}

const standing = async (key: string, id: string) =>
  (await call("GET", `${path}/${id}/eligibility`, { key })).json().data;
const codesOf = (data: { reasons: { code: string }[] }) => data.reasons.map(({ code }) => code);

describe("one sandbox is one lender", () => {
  test.each([
    ["phone", { phone: "+2348055500001" }],
    ["NIN", { nin: "55512345678" }],
  ])("another BVN with the same %s has the same limit", async (_, shared) => {
    const [first, second] = [await known(merchant.secretKey, shared), await known(merchant.secretKey, shared)];
    expect(await borrow(merchant.secretKey, first, 150_000)).toHaveProperty("loanId");
    expect(await standing(merchant.secretKey, second)).toMatchObject({ eligible: true, max_amount: 50_000 });
    const refused = await call("POST", `${path}/${second}/loans`, { body: { ...goodLoan, amount: 60_000 } });
    expect([refused.statusCode, refused.json().code]).toEqual([422, "amount_out_of_band"]);
    expect(await borrow(merchant.secretKey, second, 50_000)).toHaveProperty("loanId");
    expect(codesOf(await standing(merchant.secretKey, second))).toEqual(["lender_limit_reached"]);
  });

  test("another BVN with the same card has the same limit, and test cards bind nobody together", async () => {
    const link = async (id: string, number: string) => {
      const made = await call("POST", `${path}/${id}/cards/link`, { body: {} });
      const headers = { authorization: `Bearer ${made.json().data.url.split("#")[1]}` };
      const card = { number, expMonth: 12, expYear: 2030, cvv: "123" };
      const vault = await app.app.inject({ method: "POST", url: "/hosted/card-vault/tokens", headers, payload: card });
      const payload = { cardToken: vault.json().data.token };
      const done = await app.app.inject({ method: "POST", url: "/hosted/card-link/card", headers, payload });
      expect(done.json().data.status).toBe("linked");
    };
    const people = await Promise.all([1, 2, 3].map(() => known(merchant.secretKey)));
    const [first = "", second = "", third = ""] = people;
    await link(first, "4111111111111111");
    await link(second, "4111 1111 1111 1111");
    await link(third, "4084084084084081");
    await borrow(merchant.secretKey, first, 150_000);
    expect((await standing(merchant.secretKey, second)).max_amount).toBe(50_000);
    expect((await standing(merchant.secretKey, third)).max_amount).toBe(200_000);
  });

  test("and touches neither another sandbox nor LIVE", async () => {
    const bvn = freshBvn();
    const here = await known(merchant.secretKey, { bvn });
    const [there, live] = [await known(sandbox, { bvn }), await known(one, { bvn })];
    await borrow(merchant.secretKey, here, 200_000);
    for (const [key, id] of [
      [sandbox, there],
      [one, live],
    ] as const) {
      expect(await standing(key, id)).toMatchObject({ eligible: true, max_amount: 200_000 });
    }
  });

  test("a loan of POST /loans/create counts for its BVN from approval on", async () => {
    expect(applicantBvnPurpose).toBe(bvnPurpose);
    const bvn = freshBvn();
    const id = await known(merchant.secretKey, { bvn });
    const made = await call("POST", "/loans/create", { body: { ...application, bvn, amount: "150000" } });
    expect(made.statusCode, made.body).toBe(201);
    expect((await standing(merchant.secretKey, id)).max_amount).toBe(200_000);
    const loanId = made.json().data.id;
    expect((await call("POST", `/sandbox/loans/${loanId}/approve`)).statusCode).toBe(200);
    expect((await standing(merchant.secretKey, id)).max_amount).toBe(50_000);
  });
});

describe("all LIVE environments are one lender", () => {
  const writeLoan = (key: string, id: string, status: string, owed: number) =>
    inEnvironment(db, environmentOf(key), (tx) => insertLoan(tx, id, status, owed));

  test.each([
    ["owed", "active", ["lender_limit_reached"], 0],
    ["late", "overdue", ["lender_limit_reached"], 0],
    ["lost", "written_off", ["lender_limit_reached"], 0],
    ["over", "completed", [], 200_000],
    ["taken back", "cancelled", [], 200_000],
  ])("what is %s at one merchant counts at the other, which learns no more", async (_, status, codes, room) => {
    const bvn = freshBvn();
    const [mine, theirs] = [await known(one, { bvn }), await known(two, { bvn })];
    await writeLoan(one, mine, status, status === "active" ? 19_900_000 : 0);
    const data = await standing(two, theirs);
    expect([codesOf(data), data.max_amount]).toEqual([codes, room]);
    if (codes.length > 0) expect(data.reasons[0].message).not.toMatch(/merchant|overdue|written|\d/);
  });

  test("a card that declines at one merchant waits at the other, and not in a sandbox", async () => {
    const fingerprint = freshBvn();
    const shown = { brand: "visa", last4: "4081", expMonth: 12, expYear: 2030, bank: null } as const;
    const hold = async (key: string, environmentId: string) => {
      const customerId = await known(key);
      const card = { ...shown, token: `t-${customerId}`, fingerprint };
      const link = { id: customerId, customerId, phone: "+2348055500009", connectionId: null };
      return {
        customerId,
        cardId: await inEnvironment(db, environmentId, (tx) => insertCard(tx, sealer, { link, card })),
      };
    };
    const [mine, theirs] = [await hold(one, environmentOf(one)), await hold(two, environmentOf(two))];
    const played = await hold(merchant.secretKey, merchant.environment.id);
    const declines = (environmentId: string, key: { customerId: string; cardId: string }) =>
      inEnvironment(db, environmentId, async (tx) => (await readDeclines(tx, key)).count);
    await inEnvironment(db, environmentOf(one), async (tx) => {
      const loanId = await insertLoan(tx, mine.customerId, "active", 1);
      const charge = {
        ...mine,
        loanId,
        connectionId: null,
        kind: "repayment",
        reference: loanId,
        attempt: 1,
        dueDate: null,
      } as const;
      await insertCharge(tx, { ...charge, amount: naira("1.00") }, { code: "51", message: "No money" });
    });
    expect(await declines(environmentOf(two), theirs)).toBe(1);
    expect(await declines(merchant.environment.id, played)).toBe(0);
  });

  test("a card that was refused at one merchant waits at the other, and not in a sandbox", async () => {
    const answer = { outcome: "declined", code: "05", message: "No", fingerprint: freshBvn() } as const;
    const judged = (environmentId: string, before = async () => {}) =>
      inEnvironment(db, environmentId, async (tx) => {
        const verdict = await judgeLinkAnswer(tx, sealer, tx.environment.clock.newId(), answer);
        await before();
        return verdict.outcome === "declined" ? verdict.code : verdict.outcome;
      });
    for (const _ of [1, 2]) expect(await judged(environmentOf(one))).toBe("05");
    const [counted, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const third = judged(environmentOf(one), () => {
      counted.resolve();
      return mayCommit.promise;
    });
    await counted.promise;
    const fourth = judged(environmentOf(two));
    // Without the lock it would not wait, and not see the third.
    await Promise.race([fourth, somebodyWaits()]);
    mayCommit.resolve();
    expect([await third, await fourth]).toEqual(["05", "card_refused_too_often"]);
    expect(await judged(merchant.environment.id)).toBe("05");
  });

  test("cards that were refused at one merchant count for the same person at the other", async () => {
    const bvn = freshBvn();
    const [mine, theirs, stranger] = [await known(one, { bvn }), await known(two, { bvn }), await known(two)];
    await inEnvironment(db, environmentOf(one), async (tx) => {
      const id = tx.environment.clock.newId();
      const link = { id, customerId: mine, phone: "+2348055500009", callbackUrl: null, connectionId: null, token: id };
      await insertLink(tx, sealer, { ...link, tokenHash: randomBytes(32), expiresAt: tx.environment.clock.now() });
      await tx.updateTable("card_links").set({ declines: 3 }).where("id", "=", id).execute();
    });
    const tries = (id: string) => inEnvironment(db, environmentOf(two), (tx) => countTries(tx, id, new Date(0)));
    expect([await tries(theirs), await tries(stranger)]).toEqual([
      { links: 1, declines: 3 },
      { links: 0, declines: 0 },
    ]);
  });
});

/** Returns its id. */
async function insertLoan(tx: Tx, customerId: string, status: string, owed: number): Promise<string> {
  const { id: environmentId, clock } = tx.environment;
  const [id, reference, now] = [clock.newId(), clock.newId(), clock.now()];
  const product = await tx
    .selectFrom("loan_products")
    .selectAll()
    .where("code", "=", "checkout")
    .executeTakeFirstOrThrow();
  await tx
    .insertInto("loan_accounts")
    .values({
      environment_id: environmentId,
      id: reference,
      owner_kind: "checkout_loan",
      owner_id: id,
      product_id: product.id,
      product_version: product.version,
      amount: 20_000_000n,
      tenure: 3,
      tenure_type: "monthly",
      status: "cancelled",
      created_at: now,
      updated_at: now,
    })
    .execute();
  await tx
    .insertInto("checkout_loans")
    .values({
      environment_id: environmentId,
      id,
      customer_id: customerId,
      reference,
      policy_version: startingPolicy.version,
      amount: 20_000_000n,
      owed_principal: BigInt(owed),
      tenor: 3,
      bank_code: "058",
      bank_account_no: "0123456789",
      bank_name: "GTBank",
      account_name: "Mama Put",
      status,
      consent_status: "expired",
      expires_at: now,
      created_at: now,
      updated_at: now,
    })
    .execute();
  return id;
}

async function somebodyWaits(): Promise<void> {
  const count = sql<{ waiting: number }>`
    select count(*)::integer as waiting from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`;
  while ((await count.execute(db)).rows[0]?.waiting === 0) await new Promise((resolve) => setImmediate(resolve));
}

describe("at once", () => {
  test("of two loans of one person at two merchants the later one waits for the earlier, and is refused", async () => {
    const bvn = freshBvn();
    const [mine, theirs] = [await known(one, { bvn }), await known(two, { bvn })];
    const [written, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const ask = async (tx: Tx, customerId: string) => {
      const customer = await requireCustomer(tx, customerId, { lock: true });
      return requestLoan(tx, { loanMoved, sealer }, { customer, amount: naira("150,000.00"), tenor: 3, account });
    };
    const first = inEnvironment(db, environmentOf(one), async (tx) => {
      await ask(tx, mine);
      written.resolve();
      await mayCommit.promise;
    });
    await written.promise;
    const second = inEnvironment(db, environmentOf(two), (tx) => ask(tx, theirs)).catch((error: unknown) => error);
    // Without the lock it would not wait, and get its loan here.
    await Promise.race([second, somebodyWaits()]);
    mayCommit.resolve();
    await first;
    expect(await second).toMatchObject({ code: "amount_out_of_band", data: { max_amount: 50_000 } });
  });
});
