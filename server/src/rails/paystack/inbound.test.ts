import { afterEach, describe, expect, test } from "vitest";
import {
  openPaystackInboundBench,
  type PaystackInboundBench,
} from "../../../testing/providers/paystack-inbound-bench.ts";
import { paystack } from "./provider.ts";

const benches: PaystackInboundBench[] = [];
afterEach(async () => {
  for (const { twin } of benches.splice(0)) await twin.close();
});

async function openBench(secretKey?: string): Promise<PaystackInboundBench> {
  const bench = await openPaystackInboundBench(secretKey);
  benches.push(bench);
  return bench;
}

describe("opening", () => {
  test("gives each wallet a customer of its own, whose address holds the wallet's id", async () => {
    const { rail, order, books } = await openBench();
    const wanted = order("at once");
    await rail.openAccount(wanted);
    expect([...books.customers.keys()]).toEqual([`wallet-${wanted.walletId}@accounts.example.com`]);
  });

  test("sends both names, also for a name of one word", async () => {
    const { rail, order, twin } = await openBench();
    await rail.openAccount({ ...order("at once"), name: "Kudi" });
    await rail.openAccount({ ...order("at once"), name: " Mama  Put Ikeja " });
    const bodies = twin.calls.filter(({ route }) => route === "POST /customer").map(({ request }) => request.body);
    expect(bodies).toMatchObject([
      { first_name: "Kudi", last_name: "Kudi", phone: "+2348031234567" },
      { first_name: "Mama", last_name: "Put Ikeja" },
    ]);
  });

  test("in test mode asks for the bank that does not exist", async () => {
    const { rail, order } = await openBench("sk_test_twin");
    expect(await rail.openAccount(order("at once"))).toMatchObject({ outcome: "active" });
  });

  test("where accounts are not enabled is unknown and an alarm, and holds no payouts", async () => {
    const { rail, order, books } = await openBench();
    books.isEnabled = false;
    const wanted = order("at once");
    const answer = await rail.openAccount(wanted);
    expect(answer).toEqual({ outcome: "unknown", code: "not_enabled", alarm: expect.stringContaining("not enabled") });
    books.isEnabled = true;
    expect(await rail.openAccount(wanted)).toMatchObject({ outcome: "active" });
  });

  test.each(["lost_reply", "unavailable"] as const)(
    "a %s for the customer is unknown, and a second try makes no second one",
    async (fault) => {
      const { rail, order, books, twin, accountsOf } = await openBench();
      const wanted = order("at once");
      twin.misbehave([fault], "POST /customer");
      expect(await rail.openAccount(wanted)).toMatchObject({ outcome: "unknown" });
      expect(await rail.openAccount(wanted)).toMatchObject({ outcome: "active" });
      expect([books.customers.size, accountsOf(wanted)]).toEqual([1, 1]);
    },
  );

  test("a question that fails opens nothing: what cannot be looked for may be there", async () => {
    const { rail, order, twin, accountsOf } = await openBench();
    for (const route of ["GET /customer/:emailOrCode", "GET /dedicated_account"]) {
      const wanted = order("opened, reply lost");
      await rail.openAccount(wanted);
      twin.misbehave(["unavailable"], route);
      expect(await rail.openAccount(wanted)).toMatchObject({ outcome: "unknown" });
      expect(accountsOf(wanted)).toBe(1);
    }
  });

  test("a refused key holds the connection", async () => {
    const { order, twin } = await openBench();
    const credentials = { secretKey: "sk_live_old", accountsDomain: "accounts.example.com" };
    const { inbound } = paystack.connect({ connectionId: "c", mode: "live", baseUrl: twin.url, credentials });
    const held = { outcome: "unknown", hold: { reason: "keys_refused" } };
    expect(await inbound?.openAccount(order("at once"))).toMatchObject(held);
    expect(await inbound?.readCredit("1")).toMatchObject(held);
  });
});

describe("a connection without a domain for addresses", () => {
  test("opens nothing and still tells of payments", async () => {
    const bench = await openBench();
    const { rail, order, pay, twin } = bench;
    const answer = await rail.openAccount(order("at once"));
    if (answer.outcome !== "active") throw new Error("no account");
    const { secretKey } = twin.account;
    const { inbound } = paystack.connect({
      connectionId: "c",
      mode: "live",
      baseUrl: twin.url,
      credentials: { secretKey },
    });
    expect([inbound?.opensAccounts, rail.opensAccounts]).toEqual([false, true]);
    expect(await inbound?.readCredit(pay(answer.account, 5_000))).toMatchObject({ outcome: "credited" });
    const alarmed = { outcome: "unknown", alarm: expect.stringContaining("accountsDomain") };
    expect(await inbound?.openAccount(order("at once"))).toMatchObject(alarmed);
    expect(await inbound?.findAccount(order("at once"))).toMatchObject(alarmed);
  });
});

describe("the check of a connection", () => {
  const checkOf = async ({ connected }: PaystackInboundBench) =>
    (await connected.check()).find(({ name }) => name === "accounts");

  test("says whether accounts can be opened, and only warns where they cannot", async () => {
    const bench = await openBench();
    expect(await checkOf(bench)).toMatchObject({ result: "ok" });
    bench.books.isEnabled = false;
    expect(await checkOf(bench)).toMatchObject({ result: "warning", message: expect.stringContaining("support") });
  });

  test("refuses a domain that is none, and says nothing where there is none", async () => {
    const { twin } = await openBench();
    const { secretKey } = twin.account;
    const check = (more: object) =>
      paystack
        .connect({ connectionId: "c", mode: "live", baseUrl: twin.url, credentials: { secretKey, ...more } })
        .check();
    expect((await check({ accountsDomain: "localhost" })).at(-1)).toMatchObject({ name: "accounts", result: "failed" });
    expect((await check({})).map(({ name }) => name)).not.toContain("accounts");
  });
});
