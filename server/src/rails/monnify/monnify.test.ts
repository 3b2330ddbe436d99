import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { receiveHooks } from "../../../testing/providers/hook-receiver.ts";
import { type MonnifyBench, openMonnifyBench } from "../../../testing/providers/monnify-bench.ts";
import { paymentOrder } from "../../../testing/providers/payment-order.ts";
import { changedReply } from "../../../testing/providers/twin-faults.ts";
import { kobo } from "../../money/kobo.ts";
import type { ProviderRecord } from "../provider.ts";
import { listAt, recordAt } from "../wire-json.ts";
import { readHook, readMonnifyTime } from "./provider.ts";

let bench: MonnifyBench;
beforeEach(async () => {
  bench = await openMonnifyBench();
});
afterEach(() => bench.twin.close());

const single = "POST /api/v2/disbursements/single";
const summary = "GET /api/v2/disbursements/single/summary";
const logIns = () => bench.twin.count("POST /api/v1/auth/login");
const success = { outcome: "success" };

describe("the token", () => {
  test("is got once, also when many ask at the same time", async () => {
    await Promise.all(Array.from({ length: 5 }, () => bench.rail.query(paymentOrder())));
    await bench.rail.send(paymentOrder());
    expect(logIns()).toBe(1);
  });

  test("is renewed before it ends", async () => {
    bench.twin.tokenLife = 61;
    await bench.rail.query(paymentOrder());
    await bench.rail.query(paymentOrder());
    expect(logIns()).toBe(1);
    const soon = bench.connect({}).bank;
    bench.twin.tokenLife = 59;
    await soon?.query(paymentOrder());
    await soon?.query(paymentOrder());
    expect(logIns()).toBe(3);
  });

  test("that was ended is renewed once, and the order is made once", async () => {
    await bench.rail.query(paymentOrder());
    bench.twin.endTokens();
    expect(await bench.rail.send(paymentOrder())).toMatchObject(success);
    expect([logIns(), bench.twin.books.disbursements.size]).toEqual([2, 1]);
  });

  test("that is refused again holds the connection and is not asked for without end", async () => {
    const refusing = { status: 401, body: { error: "invalid_token" } };
    bench.twin.misbehave(
      [1, 2, 3, 4].map(() => changedReply("refused", () => refusing)),
      summary,
    );
    expect(await bench.rail.query(paymentOrder())).toMatchObject({ hold: { reason: "keys_refused" } });
    expect([logIns(), bench.twin.count(summary)]).toEqual([2, 2]);
  });

  test.each(["unavailable", "lost_reply", "cut_json", "page_after"] as const)(
    "that could not be got (%s) leaves the order unsent and unknown",
    async (fault) => {
      await bench.rail.resolveAccount(paymentOrder());
      bench.twin.endTokens();
      bench.twin.misbehave([fault], "POST /api/v1/auth/login");
      const order = paymentOrder();
      expect(await bench.rail.send(order)).toEqual({ outcome: "unknown", code: "not_sent" });
      expect(await bench.rail.query(order)).toEqual({ outcome: "no_record" });
    },
  );

  test("and the keys are in no answer", async () => {
    const wrong = bench.connect({ secretKey: "wrong-secret" });
    const order = paymentOrder();
    const answers = [await wrong.bank?.resolveAccount(order), await wrong.bank?.send(order), await wrong.readFloat?.()];
    const hold = { reason: "keys_refused", message: "Invalid credentials" };
    expect(answers).toEqual([
      { found: "unavailable", hold },
      { outcome: "unknown", code: "banks_not_read", hold },
      hold,
    ]);
    expect(JSON.stringify(answers)).not.toMatch(/wrong-secret|MK_PROD|token-/);
  });
});

describe("an order", () => {
  test.each([2_000n, 250_050n, 999_999_999n, 100_001n])("of %s kobo arrives to the kobo", async (amount) => {
    const order = paymentOrder({ amount: kobo(amount), narration: " x " });
    expect(await bench.rail.send(order)).toMatchObject(success);
    expect(await bench.rail.query(order)).toMatchObject(success);
    expect(bench.twin.books.disbursements.get(order.sessionId)).toMatchObject({
      amount: Number(amount),
      bankCode: "058",
      narration: "Payment",
    });
  });

  test("like one a minute ago is refused as D07: nothing was made, and it goes through later", async () => {
    bench.twin.books.refusesSameAmount = true;
    const first = paymentOrder({ amount: kobo(500_000n) });
    const second = paymentOrder({ amount: kobo(500_000n) });
    expect(await bench.rail.send(first)).toMatchObject(success);
    expect(await bench.rail.send(second)).toEqual({ outcome: "unknown", code: "D07" });
    expect(await bench.rail.query(second)).toEqual({ outcome: "no_record" });
    bench.twin.books.refusesSameAmount = false;
    expect(await bench.rail.send(second)).toMatchObject(success);
    expect(bench.twin.books.paidOut()).toBe(1_000_000);
  });

  test("under a used reference exists, so it is asked about", async () => {
    const order = paymentOrder();
    await bench.rail.send(order);
    expect(await bench.rail.send(order)).toMatchObject({ outcome: "unknown" });
    expect(await bench.rail.query(order)).toMatchObject(success);
    expect(bench.twin.books.disbursements.size).toBe(1);
  });

  test("beyond the wallet holds the connection and is not a failure", async () => {
    const order = paymentOrder({ amount: kobo(BigInt(bench.twin.books.balance())) });
    expect(await bench.rail.send(order)).toMatchObject({ outcome: "unknown", hold: { reason: "float_empty" } });
  });

  test("to an account that is refused is a failure; below 20 naira, too", async () => {
    const refused = { outcome: "failure", code: "payment_refused" };
    expect(await bench.rail.send(paymentOrder({ accountNumber: "0000000000" }))).toMatchObject(refused);
    expect(await bench.rail.send(paymentOrder({ amount: kobo(1_999n) }))).toMatchObject(refused);
    expect(bench.twin.books.disbursements.size).toBe(0);
  });

  test("that waits for a one-time password holds the connection", async () => {
    bench.twin.books.outcome = "PENDING_AUTHORIZATION";
    const order = paymentOrder();
    expect(await bench.rail.send(order)).toMatchObject({ outcome: "unknown", hold: { reason: "otp_required" } });
    bench.twin.books.settle(order.sessionId, "EXPIRED");
    expect(await bench.rail.query(order)).toMatchObject({ outcome: "failure", code: "payment_expired" });
  });

  test("of another amount in the reply is not ours", async () => {
    const other = changedReply("another amount", (reply) => ({
      ...reply,
      body: { ...recordAt(reply.body), responseBody: { ...recordAt(reply.body, "responseBody"), amount: 1 } },
    }));
    bench.twin.misbehave([other], single);
    expect(await bench.rail.send(paymentOrder())).toMatchObject({ outcome: "unknown", alarm: expect.any(String) });
  });

  test("is not unheard of because a proxy finds nothing", async () => {
    const order = paymentOrder();
    await bench.rail.send(order);
    bench.twin.misbehave(["not_found_page"], summary);
    expect(await bench.rail.query(order)).toEqual({ outcome: "unknown", code: "http_404" });
  });
});

describe("a webhook", () => {
  const raw =
    '{"eventType":"SUCCESSFUL_DISBURSEMENT","eventData":{"reference":"999202261116091500000000000001","amount":2500.5}}';
  // Computed with openssl: `openssl dgst -sha512 -hmac twin-secret`.
  const signature =
    "6617f503a0f20cb5ae8e26f4f15455f96d82bbe8f6bb795949c67bdd75b4137a6982ccca2db078813788a1bc3da0276b7ced21725957c926d3608cc0e9a2c59f";
  const read = (text: string, header: string | undefined = signature) =>
    readHook("twin-secret", { body: Buffer.from(text), headers: { "monnify-signature": header } });

  test("is signed with HMAC-SHA512 over the bytes of its body", () => {
    expect(read(raw)).toEqual({
      about: "bank",
      id: "999202261116091500000000000001",
      event: "SUCCESSFUL_DISBURSEMENT",
    });
    expect(read(raw, signature.toUpperCase())).toMatchObject({ about: "bank" });
    expect(read(`${raw} `)).toEqual({ about: "forged" });
    expect(read(raw, signature.replace("6", "7"))).toEqual({ about: "forged" });
    expect(readHook("twin-secret", { body: Buffer.from(raw), headers: {} })).toEqual({ about: "forged" });
  });

  test.each([
    ["FAILED_DISBURSEMENT", { reference: "r" }, { about: "bank", id: "r" }],
    ["REVERSED_DISBURSEMENT", { reference: "r" }, { about: "bank", id: "r" }],
    ["SUCCESSFUL_DISBURSEMENT", {}, { about: "nothing" }],
    ["SUCCESSFUL_TRANSACTION", { reference: "r" }, { about: "nothing" }],
    ["SETTLEMENT", {}, { about: "nothing" }],
  ])("%s with %j", async (event, data, hint) => {
    const hooks = await receiveHooks((request) => bench.connected.readHook?.(request));
    await bench.twin.sendHook(hooks.url, event, data);
    await bench.twin.sendHook(hooks.url, event, data, "another-secret");
    await hooks.close();
    expect(hooks.read).toEqual([{ ...hint, event }, { about: "forged" }]);
  });
});

describe("the checks", () => {
  test("are all well, but for a bank that Monnify does not have", async () => {
    expect(await bench.connected.check()).toEqual([
      { name: "mode", result: "ok", message: expect.any(String) },
      { name: "key", result: "ok", message: expect.any(String) },
      { name: "balance", result: "ok", message: "The balance is NGN 100000000.00." },
      { name: "banks", result: "warning", message: expect.stringContaining("Kuda") },
    ]);
  });

  test("stop at a key of the other mode before anything is sent", async () => {
    const wrong = [bench.connect({ apiKey: "MK_TEST_X" }), bench.connect({}, "test")];
    for (const one of wrong) expect(await one.check()).toContainEqual(expect.objectContaining({ result: "failed" }));
    expect(bench.twin.calls).toEqual([]);
  });

  test("fail with refused keys and with a wallet that is not there", async () => {
    for (const changes of [{ secretKey: "wrong" }, { sourceAccountNumber: "1" }]) {
      const checks = await bench.connect(changes).check();
      expect(checks.at(-1)).toMatchObject({ name: "balance", result: "failed" });
    }
  });
});

describe("Monnify's own list", () => {
  const list = async (from: Date, to: Date): Promise<ProviderRecord[]> => {
    const records: ProviderRecord[] = [];
    const { books } = bench.connected;
    if (books === undefined || !("list" in books)) throw new Error("Monnify has a list");
    for await (const record of books.list({ from, to }, books.kinds)) records.push(record);
    return records;
  };
  const wide = [new Date(Date.now() - 3_600_000), new Date(Date.now() + 3_600_000)] as const;
  const take = (count: number) => {
    for (let n = 0; n < count; n += 1) {
      const { sessionId: reference, accountNumber } = paymentOrder();
      bench.twin.books.take({ reference, amount: 100_050, accountNumber, bankCode: "058", narration: "rent" });
    }
  };

  test("has every disbursement once, over all pages", async () => {
    take(230);
    bench.twin.books.outcome = "REVERSED";
    take(1);
    const records = await list(...wide);
    expect(records.map(({ ourId }) => ourId).sort()).toEqual([...bench.twin.books.disbursements.keys()].sort());
    expect(records[0]).toMatchObject({ kind: "payout", status: "taken_back", amount: 100_050n, fee: 1_000n });
    expect(await list(new Date(0), new Date(1))).toEqual([]);
  });

  test("is not taken for whole when a page could not be read, or a row", async () => {
    take(120);
    const search = "GET /api/v2/disbursements/search-transactions";
    bench.twin.misbehave([null, "cut_json"], search);
    await expect(list(...wide)).rejects.toThrow("could not be read");
    const hole = changedReply("hole", (reply) => {
      const content = listAt(recordAt(reply.body, "responseBody"), "content").map((row) => ({
        ...recordAt(row),
        amount: "?",
      }));
      return { ...reply, body: { ...recordAt(reply.body), responseBody: { content } } };
    });
    bench.twin.misbehave([hole], search);
    await expect(list(...wide)).rejects.toThrow("a row that cannot be read");
  });
});

test.each([
  ["2021-11-17T11:28:42.615+0000", "2021-11-17T11:28:42.615Z"],
  ["2021-11-17T11:28:42Z", "2021-11-17T11:28:42.000Z"],
  ["2021-11-17 11:28:42.615", "2021-11-17T10:28:42.615Z"],
  ["25/07/2022 11:20:20 AM", "2022-07-25T10:20:20.000Z"],
  ["25/07/2022 12:05:00 AM", "2022-07-24T23:05:00.000Z"],
  ["25/07/2022 1:20:20 PM", "2022-07-25T12:20:20.000Z"],
  [1_637_148_522_615, "2021-11-17T11:28:42.615Z"],
  ["yesterday", undefined],
  ["2021-13-45 11:28:42", undefined],
  [null, undefined],
])("the moment %j is %s", (value, moment) => {
  expect(readMonnifyTime(value)?.toISOString()).toBe(moment);
});
