import { beforeEach, describe, expect, test } from "vitest";
import { createInboundApp, inboundCredentials } from "../../testing/providers/inbound-app.ts";
import { startPaystackTwin } from "../../testing/providers/paystack-twin.ts";
import { createInboundBooks } from "../../testing/providers/paystack-twin-inbound.ts";
import { asOwner } from "../../testing/work.ts";
import { systemAccountId } from "../ledger/account.ts";
import { readBalances } from "../ledger/balance.ts";
import { inEnvironment, readEnvironment } from "../platform/database/database.ts";
import { sweepCredits } from "./sweep-credits.job.ts";
import { takeInboundHint } from "./take-inbound-hint.ts";

const app = await createInboundApp();
const {
  open,
  hook,
  follow,
  balance,
  books,
  twin,
  callLive,
  suspense,
  connectionId,
  liveEnvironmentId,
  ownerUrl,
  deps,
} = app;

const hints = async (id = connectionId) =>
  (await app.operate("GET", `/operator/connections/${id}/hints`)).json().data as Record<string, unknown>[];
const outcomeOf = async (id: number) => (await hints()).find(({ orderId }) => orderId === String(id))?.["outcome"];
const linesOf = async (id: string) =>
  (await callLive("GET", `/wallets/transactions?accountId=${id}`)).json().data as Record<string, unknown>[];
const creditsOf = async (id: string) =>
  (await app.events("wallet.credited")).filter((data) => data["accountId"] === id);
const ledger = async () => {
  const ids = ["inbound_clearing", "inbound_costs"].map((purpose) => systemAccountId(liveEnvironmentId, purpose));
  const found = await readEnvironment(app.db, liveEnvironmentId, (tx) => readBalances(tx, ids));
  return ids.map((id) => found.get(id) ?? 0n);
};
/** The next sweep reads the list again. */
const sweepAgain = async () => {
  await asOwner(ownerUrl, "update inbound_sweeps set swept_to = swept_to - interval '6 minutes'");
  await sweepCredits(deps, new Date(Date.now() + 6 * 60_000));
};

beforeEach(() => twin.behave());

describe("money that comes in", () => {
  test("is booked gross, once, with the provider's fee at the operator's expense and the sender's name", async () => {
    const { id, accountNumber } = await open();
    const [clearing = 0n, costs = 0n] = await ledger();
    const credit = books.payIn(accountNumber, 250_000);
    expect(await hook(credit)).toBe(200);
    expect(await balance(id)).toBe(0);
    await follow();
    expect(await balance(id)).toBe(250_000);
    expect(await ledger()).toEqual([clearing - 247_500n, costs - 2_500n]);
    const line = {
      type: "wallet.credited",
      direction: "credit",
      amount: 2_500,
      narration: "Transfer from CHIDINMA OKAFOR",
    };
    expect(await linesOf(id)).toMatchObject([line]);
    expect(await creditsOf(id)).toMatchObject([{ ...line, accountId: id, balanceAfter: 2_500 }]);
    expect(await app.verify()).toEqual([]);
  });

  test("is booked once for repeated, concurrent and late webhooks", async () => {
    const { id, accountNumber } = await open();
    const credit = books.payIn(accountNumber, 70_000);
    await Promise.all([hook(credit), hook(credit), hook(credit)]);
    await Promise.all([follow(), follow(), follow()]);
    await hook(credit);
    await follow();
    expect([await balance(id), (await creditsOf(id)).length]).toEqual([70_000, 1]);
    expect(await outcomeOf(credit.id)).toBe("agrees");
  });

  test("asked about by two workers at once is booked once", async () => {
    const { id, accountNumber } = await open();
    const credit = books.payIn(accountNumber, 31_000);
    const ask = () => takeInboundHint(deps, { connectionId, orderId: String(credit.id) });
    expect((await Promise.all([ask(), ask(), ask(), ask()])).sort()).toEqual(["agrees", "agrees", "agrees", "asked"]);
    expect(await balance(id)).toBe(31_000);
  });

  test("of equal amounts under two ids is two credits", async () => {
    const { id, accountNumber } = await open();
    for (const credit of [books.payIn(accountNumber, 5_000), books.payIn(accountNumber, 5_000)]) await hook(credit);
    await follow();
    expect(await balance(id)).toBe(10_000);
  });

  test("is what the provider says when it is asked, whatever the webhook says", async () => {
    const { id, accountNumber } = await open();
    const other = await open();
    const says = { amount: 100_000_000, authorization: { receiver_bank_account_number: other.accountNumber } };
    await hook(books.payIn(accountNumber, 100_000), { says });
    await follow();
    expect([await balance(id), await balance(other.id)]).toEqual([100_000, 0]);
  });

  test("without a sender's name is from an unknown sender, and without a fee has no posting for one", async () => {
    const { id, accountNumber } = await open();
    const [, costs] = await ledger();
    await hook(books.payIn(accountNumber, 4_000, { senderName: null, fees: 0 }));
    await follow();
    expect(await linesOf(id)).toMatchObject([{ narration: "Transfer from an unknown sender" }]);
    expect((await ledger())[1]).toBe(costs);
    expect(await app.verify()).toEqual([]);
  });

  test("without the account's number is found by its holder", async () => {
    const { id, accountNumber } = await open();
    const { customer } = books.payIn(accountNumber, 100);
    await hook(books.payIn("", 6_000, { accountNumber: null, customer }));
    await follow();
    expect(await balance(id)).toBe(6_000);
  });
});

describe("nothing is booked", () => {
  test.each([
    ["failed", { status: "failed" }, "not_ours"],
    ["abandoned", { status: "abandoned" }, "not_ours"],
    ["reversed before we saw it", { status: "reversed" }, "agrees"],
    ["a card's", { channel: "card" }, "not_ours"],
    ["of the test mode", { domain: "test" }, "not_ours"],
  ])("for a payment that is %s", async (_, particulars, outcome) => {
    const { id, accountNumber } = await open();
    const credit = books.payIn(accountNumber, 90_000, particulars);
    await hook(credit, { says: { channel: "dedicated_nuban" } });
    await follow();
    expect([await balance(id), await outcomeOf(credit.id)]).toEqual([0, outcome]);
  });

  test("for one that is under way, until it has come", async () => {
    const { id, accountNumber } = await open();
    const credit = books.payIn(accountNumber, 90_000, { status: "pending" });
    await hook(credit);
    await follow();
    expect([await balance(id), await outcomeOf(credit.id)]).toEqual([0, "waiting"]);
    credit.status = "success";
    await follow();
    expect([await balance(id), await outcomeOf(credit.id)]).toEqual([90_000, "asked"]);
  });

  test("for a webhook that comes before the payment can be asked about, until it can", async () => {
    const { id, accountNumber } = await open();
    const credit = books.payIn(accountNumber, 12_000, { isKnown: false });
    await hook(credit);
    await follow();
    expect([await balance(id), await outcomeOf(credit.id)]).toEqual([0, "waiting"]);
    credit.isKnown = true;
    await follow();
    expect(await balance(id)).toBe(12_000);
  });

  test.each(["unavailable", "lost_reply", "cut_json", "too_many"] as const)(
    "while a question ends in %s, and is asked again",
    async (fault) => {
      const { id, accountNumber } = await open();
      await hook(books.payIn(accountNumber, 12_000));
      twin.misbehave([fault], "GET /transaction/:id");
      await follow();
      expect(await balance(id)).toBe(0);
      await follow();
      expect(await balance(id)).toBe(12_000);
    },
  );

  test("for a webhook that somebody else signed, or nobody: it is not even asked about", async () => {
    const { id, accountNumber } = await open();
    const credit = books.payIn(accountNumber, 90_000, { isKnown: false });
    const asked = twin.count("GET /transaction/:id");
    expect(await hook(credit, { secretKey: "sk_live_of_a_thief" })).toBe(401);
    await follow();
    expect([await balance(id), twin.count("GET /transaction/:id")]).toEqual([0, asked]);
  });

  test("for a payment of another account at the provider: each connection is asked about its own", async () => {
    const { id, accountNumber } = await open();
    const others = createInboundBooks();
    const otherTwin = app.keep(await startPaystackTwin(0, { secretKey: "sk_live_other", parts: [others.part] }));
    const wanted = { provider: "paystack", name: "Other", mode: "live", baseUrl: otherTwin.url };
    const other = await app.connect({ ...wanted, credentials: inboundCredentials("sk_live_other") });
    const credit = books.payIn(accountNumber, 90_000, { isKnown: false });
    expect(await hook(credit, { secretKey: "sk_live_other", connectionId: other })).toBe(200);
    expect(await hook(credit, { secretKey: "sk_live_other" })).toBe(401);
    await follow();
    expect([await balance(id), otherTwin.count("GET /transaction/:id")]).toEqual([0, 1]);
  });
});

describe("a credit that was booked", () => {
  test("and is told otherwise later, or taken back, is for people: nothing moves", async () => {
    const { id, accountNumber } = await open();
    const changed = books.payIn(accountNumber, 90_000);
    const takenBack = books.payIn(accountNumber, 40_000);
    for (const credit of [changed, takenBack]) await hook(credit);
    await follow();
    Object.assign(changed, { amount: 900_000 });
    takenBack.status = "reversed";
    for (const credit of [changed, takenBack]) await hook(credit);
    await follow();
    expect(await balance(id)).toBe(130_000);
    expect([await outcomeOf(changed.id), await outcomeOf(takenBack.id)]).toEqual(["disagrees", "disagrees"]);
  });

  test("that somebody tampered with is found by verify", async () => {
    const { accountNumber } = await open();
    const credit = books.payIn(accountNumber, 90_000);
    await hook(credit);
    await follow();
    expect(await app.verify()).toEqual([]);
    const where = `where transaction_id = '${credit.id}'`;
    const checks = async (statement: string): Promise<string[]> => {
      await asOwner(ownerUrl, statement);
      return [...new Set((await app.verify()).map(({ check }) => check))].sort();
    };
    expect(await checks(`update inbound_credits set amount = 90001 ${where}`)).toEqual([
      "inbound credit is booked gross",
      "inbound credit is on its wallet",
    ]);
    expect(await checks(`update inbound_credits set amount = 90000, fee = fee + 1 ${where}`)).toEqual([
      "inbound fee is booked",
    ]);
    expect(await checks(`update inbound_credits set fee = fee - 1, wallet_id = gen_random_uuid() ${where}`)).toEqual([
      "inbound credit is on its wallet",
    ]);
    expect(await checks(`delete from inbound_credits ${where}`)).toEqual([
      "inbound booking has a credit",
      "inbound fee has a credit",
    ]);
  });
});

describe("a lost webhook", () => {
  test("loses nothing: the provider's list has the money, and it is booked once", async () => {
    const { id, accountNumber } = await open();
    const told = books.payIn(accountNumber, 1_000);
    await hook(told);
    await follow();
    const silent = Array.from({ length: 3 }, () => books.payIn(accountNumber, 2_000));
    await sweepAgain();
    const listed = (await hints()).filter(({ event }) => event === "listed").map(({ orderId }) => orderId);
    expect(listed).toEqual(expect.arrayContaining(silent.map(({ id: each }) => String(each))));
    expect(listed).not.toContain(String(told.id));
    await follow();
    await hook(silent[0] ?? told);
    await sweepAgain();
    await follow();
    expect([await balance(id), (await creditsOf(id)).length]).toEqual([7_000, 4]);
  });

  test("is found after a list that broke off: the mark stays where it was", async () => {
    const { id, accountNumber } = await open();
    await sweepAgain();
    books.payIn(accountNumber, 2_000);
    const mark = () =>
      readEnvironment(app.db, "00000000-0000-0000-0000-000000000000", (tx) =>
        tx.selectFrom("inbound_sweeps").select("swept_to").where("connection_id", "=", connectionId).executeTakeFirst(),
      );
    await asOwner(ownerUrl, "update inbound_sweeps set swept_to = swept_to - interval '10 minutes'");
    const before = await mark();
    twin.misbehave(["cut_json"], "GET /transaction");
    const later = new Date(Date.now() + 6 * 60_000);
    await sweepCredits(deps, later);
    expect(await mark()).toEqual(before);
    await sweepCredits(deps, later);
    expect((await mark())?.swept_to).not.toEqual(before?.swept_to);
    await follow();
    expect(await balance(id)).toBe(2_000);
  });

  test("on a connection that was retired since is still found", async () => {
    const wanted = { provider: "paystack", name: "Old", mode: "live", baseUrl: twin.url };
    const old = await app.connect({ ...wanted, credentials: inboundCredentials(twin.account.secretKey) });
    await app.operate("PUT", "/operator/routes/inbound", { connections: [old] });
    const { id, accountNumber } = await open();
    await app.operate("PUT", "/operator/routes/inbound", { connections: [connectionId] });
    await app.operate("PATCH", `/operator/connections/${old}`, { state: "retired" });
    // The other connection leads to the same account there: both keys name the wallet.
    await hook(books.payIn(accountNumber, 3_000));
    await follow();
    expect(await balance(id)).toBe(3_000);
    books.payIn(accountNumber, 4_000);
    await sweepAgain();
    await follow();
    expect([await balance(id), await suspense("?state=open")]).toEqual([7_000, []]);
  });
});

test("a merchant reads nothing of what came in for others", async () => {
  const read = (environmentId: string) =>
    inEnvironment(app.db, environmentId, (tx) => tx.selectFrom("inbound_credits").select("id").execute());
  expect((await read(liveEnvironmentId)).length).toBeGreaterThan(0);
  expect(await read(app.otherMerchant.environment.id)).toEqual([]);
});
