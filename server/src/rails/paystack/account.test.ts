/** What Paystack is asked beside payments: names of accounts, banks, checks, balance, its own list of transfers. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { paymentOrder } from "../../../testing/providers/payment-order.ts";
import { openPaystackBench, type PaystackBench } from "../../../testing/providers/paystack-bench.ts";
import { startPaystackTwin } from "../../../testing/providers/paystack-twin.ts";
import { granted, type PaystackPart } from "../../../testing/providers/paystack-twin-account.ts";
import { changedReply, refusal } from "../../../testing/providers/twin-faults.ts";
import { kobo } from "../../money/kobo.ts";
import type { ProviderRecord } from "../provider.ts";
import { listAt, recordAt } from "../wire-json.ts";

let bench: PaystackBench;
beforeEach(async () => {
  bench = await openPaystackBench();
});
afterEach(() => bench.twin.close());

const account = (changes: object = {}) => ({ ...paymentOrder(), ...changes });

describe("the name of an account", () => {
  test("is asked for under Paystack's own code of the bank", async () => {
    expect(await bench.rail.resolveAccount(account())).toEqual({ found: "yes", accountName: "ADAEZE OKAFOR 6789" });
    const opay = account({ nipCode: "100004" });
    expect(await bench.rail.resolveAccount(opay)).toMatchObject({ found: "yes" });
    const asked = bench.twin.calls.filter(({ route }) => route === "GET /bank/resolve");
    expect(asked.map(({ request }) => request.query.get("bank_code"))).toEqual(["058", "999992"]);
  });

  test("that cannot be found is asked for twice, because a bank that is down gets the same words", async () => {
    const couldNot = { status: false, message: "Could not resolve account name. Check parameters or try again." };
    bench.twin.misbehave([refusal("down", { status: 422, body: couldNot })], "GET /bank/resolve");
    expect(await bench.rail.resolveAccount(account())).toMatchObject({ found: "yes" });
    expect(await bench.rail.resolveAccount(account({ accountNumber: "0000000000" }))).toEqual({ found: "no" });
  });
});

describe("the banks", () => {
  const listed = () => bench.twin.count("GET /bank");

  test("are read once and kept, also when two ask at the same time", async () => {
    await Promise.all([bench.rail.resolveAccount(account()), bench.rail.send(account())]);
    await bench.rail.send(account());
    expect(listed()).toBe(1);
  });

  test("are read over several pages, and a last page may say null in a word", async () => {
    const halves = [0, 1].map((half) =>
      changedReply("half", (reply) => {
        const data = listAt(reply.body, "data").slice(half * 20, half * 20 + 20);
        return { ...reply, body: { ...recordAt(reply.body), data, meta: { next: half === 0 ? "abc" : "null" } } };
      }),
    );
    bench.twin.misbehave(halves, "GET /bank");
    expect(await bench.connected.check()).toContainEqual(expect.objectContaining({ name: "banks", result: "warning" }));
    expect(listed()).toBe(2);
  });

  test("that could not be read are read again, and meanwhile no account is called unknown", async () => {
    bench.twin.misbehave(["unavailable", "cut_json"], "GET /bank");
    expect(await bench.rail.resolveAccount(account())).toEqual({ found: "unavailable" });
    expect(await bench.rail.send(account())).toEqual({ outcome: "unknown", code: "banks_not_read" });
    expect(await bench.rail.resolveAccount(account())).toMatchObject({ found: "yes" });
  });

  test("go by our directory where Paystack does not tell the switch's codes", async () => {
    bench.twin.bank.hasNipCodes = false;
    expect(await bench.rail.send(account({ nipCode: "000014" }))).toMatchObject({ outcome: "success" });
    expect([...bench.twin.bank.transfers.values()][0]?.recipient.bankCode).toBe("044");
  });

  test.each([
    ["of another bank", { nip_sort_code: "000014" }],
    ["that is closed", { active: false }],
    ["that was deleted", { is_deleted: true }],
    ["of another country", { currency: "GHS" }],
  ])("a row %s reaches no bank", async (_, changes) => {
    const wrong = changedReply("wrong row", (reply) => ({
      ...reply,
      body: {
        ...recordAt(reply.body),
        data: listAt(reply.body, "data").map((row) =>
          recordAt(row).code === "058" ? { ...recordAt(row), ...changes } : row,
        ),
      },
    }));
    bench.twin.misbehave([wrong], "GET /bank");
    expect(await bench.rail.resolveAccount(account())).toEqual({ found: "unavailable" });
    expect(await bench.rail.send(account())).toMatchObject({ outcome: "unknown", alarm: expect.any(String) });
    expect(bench.twin.count("POST /transferrecipient")).toBe(0);
  });

  test("that two rows claim is left out", async () => {
    const twice = changedReply("claimed twice", (reply) => ({
      ...reply,
      body: {
        ...recordAt(reply.body),
        data: [...listAt(reply.body, "data"), { code: "77777", nip_sort_code: "000013", active: true }],
      },
    }));
    bench.twin.misbehave([twice], "GET /bank");
    expect(await bench.rail.resolveAccount(account())).toEqual({ found: "unavailable" });
  });
});

describe("the checks", () => {
  const results = async () => (await bench.connected.check()).map(({ name, result }) => `${name} ${result}`);

  test("are all well, but for a bank that Paystack does not have", async () => {
    const checks = await bench.connected.check();
    expect(checks).toEqual([
      { name: "key", result: "ok", message: "The key is a live key" },
      { name: "balance", result: "ok", message: "The balance is NGN 100000000.00." },
      { name: "banks", result: "warning", message: expect.stringMatching(/: Kuda Microfinance Bank\.$/) },
      { name: "otp", result: "ok", message: "Transfers need no code" },
    ]);
    bench.twin.bank.missingBanks.clear();
    expect(await results()).toContain("banks ok");
  });

  test("fail where transfers ask for a one-time password", async () => {
    bench.twin.bank.outcome = "otp";
    expect(await results()).toContain("otp failed");
  });

  test("only warn where Paystack does not say whether they do", async () => {
    bench.twin.misbehave(["page_after"], "POST /transfer/disable_otp");
    expect(await results()).toContain("otp warning");
  });

  test("stop at a key that is refused, and try none of the other mode", async () => {
    const wrong = bench.connect("sk_live_wrong", "live");
    expect(await wrong.check()).toMatchObject([{ result: "ok" }, { name: "balance", result: "failed" }]);
    const calls = bench.twin.calls.length;
    expect(await bench.connect("sk_test_x", "live").check()).toMatchObject([{ name: "key", result: "failed" }]);
    expect(await bench.connect("sk_live_x", "test").check()).toMatchObject([{ name: "key", result: "failed" }]);
    expect(bench.twin.calls.length).toBe(calls);
  });

  test("fail while the banks cannot be read", async () => {
    bench.twin.misbehave(["unavailable"], "GET /bank");
    expect(await results()).toContain("banks failed");
  });
});

test("the balance is what transfers can be paid from", async () => {
  expect(await bench.connected.readFloat?.()).toEqual({ available: 10_000_000_000n });
  await bench.rail.send(account({ amount: kobo(100_000n) }));
  expect(await bench.connected.readFloat?.()).toEqual({ available: 9_999_899_000n });
  bench.twin.misbehave(["unavailable"]);
  expect(await bench.connected.readFloat?.()).toBeNull();
  const refused = { reason: "keys_refused", message: "Invalid key" };
  expect(await bench.connect("sk_live_wrong", "live").readFloat?.()).toEqual(refused);
});

describe("Paystack's own list", () => {
  const wide = () => ({ from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) });
  const list = async (period = wide()): Promise<ProviderRecord[]> => {
    const records: ProviderRecord[] = [];
    const { books } = bench.connected;
    if (books === undefined || !("list" in books)) throw new Error("Paystack has lists");
    for await (const record of books.list(period, ["payout"])) records.push(record);
    return records;
  };

  async function send(count: number): Promise<void> {
    for (let n = 0; n < count; n += 1) {
      const { reference, amount, recipient } = {
        reference: paymentOrder().sessionId,
        amount: 100_000 + n,
        recipient: bench.twin.bank.keepRecipient({ name: "A", accountNumber: "0123456789", bankCode: "058" }),
      };
      bench.twin.bank.take({ reference, amount, recipient, reason: "" });
    }
  }

  test.each([true, false])(
    "has every transfer once, whatever a list without a status shows (%s)",
    async (isPending) => {
      bench.twin.bank.listsPendingOnly = isPending;
      await send(230);
      bench.twin.bank.outcome = "pending";
      await send(3);
      const records = await list();
      expect(records.map(({ ourId }) => ourId).sort()).toEqual([...bench.twin.bank.transfers.keys()].sort());
    },
  );

  test("tells amount, fee, word and what it means", async () => {
    const words = ["success", "failed", "reversed", "abandoned", "blocked", "rejected", "pending", "otp"] as const;
    for (const word of words) {
      bench.twin.bank.outcome = word;
      await send(1);
    }
    const records = await list();
    expect(Object.fromEntries(records.map(({ word, status }) => [word, status]))).toEqual({
      success: "success",
      failed: "failure",
      abandoned: "failure",
      blocked: "failure",
      rejected: "failure",
      reversed: "taken_back",
      pending: "open",
      otp: "open",
    });
    expect(records[0]).toMatchObject({ kind: "payout", amount: 100_000n, fee: 1_000n, createdAt: expect.any(Date) });
    expect(records[0]?.providerReference).toMatch(/^TRF_/);
  });

  test("is held against the period once more, and may lack our reference", async () => {
    await send(2);
    expect(await list({ from: new Date(0), to: new Date(1) })).toEqual([]);
    const [first] = bench.twin.bank.transfers.values();
    const at = first?.createdAt ?? new Date();
    expect(await list({ from: new Date(at.getTime() - 1), to: at })).toEqual([]);
    bench.twin.bank.listsReferences = false;
    expect((await list()).map(({ ourId }) => ourId)).toEqual([null, null]);
  });

  test("is not taken for whole when a page could not be read, or a row", async () => {
    await send(120);
    bench.twin.misbehave([null, "bad_gateway_after"], "GET /transfer");
    await expect(list()).rejects.toThrow("could not be read");
    const hole = changedReply("hole", (reply) => ({
      ...reply,
      body: { ...recordAt(reply.body), data: [{ id: 1, transfer_code: "TRF_1", status: "success", amount: 1.5 }] },
    }));
    bench.twin.misbehave([hole], "GET /transfer");
    await expect(list()).rejects.toThrow("a row that cannot be read");
  });

  test("agrees with the ledger of the balance", async () => {
    await send(2);
    const reply = await fetch(`${bench.twin.url}/balance/ledger?perPage=10`, {
      headers: { authorization: `Bearer ${bench.twin.account.secretKey}` },
    });
    const rows = listAt(await reply.json(), "data").map((row) => recordAt(row));
    expect(rows.map(({ difference }) => difference)).toEqual([-101_001, -101_000, 10_000_000_000]);
    expect(Number(rows[0]?.balance)).toBe(bench.twin.account.balance());
  });
});

test("other parts of Paystack's API share the twin's account", async () => {
  const part: PaystackPart = ({ domain }) => ({ "GET /customer/:code": ({ params }) => granted(domain, params.code) });
  const twin = await startPaystackTwin(0, { parts: [part] });
  const headers = { authorization: `Bearer ${twin.account.secretKey}` };
  expect(await (await fetch(`${twin.url}/customer/CUS_1`, { headers })).json()).toMatchObject({ data: "CUS_1" });
  await twin.close();
});
