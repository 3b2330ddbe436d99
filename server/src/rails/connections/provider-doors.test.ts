import { createHmac } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { createLiveApp } from "../../../testing/providers/live-app.ts";
import { startPaystackTwin } from "../../../testing/providers/paystack-twin.ts";
import type { Fault } from "../../../testing/providers/twin-faults.ts";
import { sendReply } from "../../../testing/providers/twin-wire.ts";
import { startVtpassTwin, vtpassKeys } from "../../../testing/providers/vtpass-twin.ts";
import { eventually } from "../../../testing/work.ts";
import { inEnvironment } from "../../platform/database/database.ts";
import { mainWalletId } from "../../wallets/wallet.ts";

const app = await createLiveApp();
const { operate, callLive, work, liveEnvironmentId } = app;
const twin = app.keep(await startPaystackTwin());
const bills = app.keep(await startVtpassTwin());
const secretKey = "sk_live_twin";
const wanted = { provider: "paystack", name: "Paystack", mode: "live", baseUrl: twin.url };
const connection = await app.connect({ ...wanted, credentials: { secretKey } });
const other = await app.connect({ ...wanted, name: "Another account", credentials: { secretKey } });
await operate("PUT", "/operator/routes/bank", { connections: [connection] });
await operate("POST", `/operator/wallets/${mainWalletId(liveEnvironmentId)}/credit`, {
  amount: 1_000_000,
  reference: "opening",
  reason: "Float for tests",
});

let made = 0;
/** A payout that is with the provider. */
async function paying(amount = 2500): Promise<{ readonly id: string; readonly sessionId: string }> {
  made += 1;
  const reference = `hooked-${made}`;
  const body = { reference, bankCode: "058", accountNumber: "0123456789", currency: "NGN", amount };
  const { id } = (await callLive("POST", "/transfers", body)).json().data;
  await work("transfer sender LIVE");
  return { id, sessionId: (await read(id)).sessionId };
}
const read = async (id: string) => (await callLive("GET", `/transfers/${id}`)).json().data;
const events = async (id: string) => {
  const found = await inEnvironment(app.db, liveEnvironmentId, (tx) =>
    tx.selectFrom("events").select("event").where("resource_id", "=", id).orderBy("resource_version").execute(),
  );
  return found.map(({ event }) => event);
};

function post(path: string, raw: string, headers: Readonly<Record<string, string>> = {}) {
  const type = { "content-type": "application/json" };
  return app.app.inject({ method: "POST", url: path, payload: raw, headers: { ...type, ...headers } });
}
const signed = (raw: string, key = secretKey) => ({
  "x-paystack-signature": createHmac("sha512", key).update(raw).digest("hex"),
});
const hook = (id: string, event: string, reference: string, key = secretKey) => {
  const raw = JSON.stringify({ event, data: { reference } });
  return post(`/rails/${id}/hook`, raw, signed(raw, key));
};
const hints = async (id = connection) =>
  (await operate("GET", `/operator/connections/${id}/hints`)).json().data as Record<string, unknown>[];
const follow = () => work("hints of providers");

beforeEach(() => {
  twin.behave();
  twin.bank.outcome = "success";
});

describe("a provider's webhook", () => {
  test("that a biller's lists have changed is taken up once, however often it comes", async () => {
    const body = { provider: "vtpass", name: "VTpass lists", mode: "live", baseUrl: bills.baseUrl };
    const biller = await app.connect({ ...body, credentials: vtpassKeys });
    const raw = JSON.stringify({ type: "variations-update", serviceID: "mtn-data" });
    for (let time = 0; time < 3; time += 1) {
      const reply = await post(`/rails/${biller}/hook`, raw);
      expect([reply.statusCode, reply.body]).toEqual([200, '{"response":"success"}']);
    }
    await follow();
    const told = { event: "variations-update", port: "biller", orderId: "products", outcome: "asked" };
    expect(await hints(biller)).toMatchObject([told]);
  });

  test("makes us ask, and the answer settles the payout once, however often it comes", async () => {
    twin.bank.outcome = "pending";
    const { id, sessionId } = await paying();
    expect((await read(id)).status).toBe("processing");
    twin.bank.settle(sessionId, "success");
    const replies = await Promise.all([1, 2, 3].map(() => hook(connection, "transfer.success", sessionId)));
    expect(replies.map(({ statusCode, body }) => [statusCode, body])).toEqual(
      Array.from({ length: 3 }, () => [200, "{}"]),
    );
    await follow();
    expect((await read(id)).status).toBe("completed");
    await hook(connection, "transfer.success", sessionId);
    await follow();
    expect(await events(id)).toEqual(["transfer.completed"]);
    expect((await hints()).slice(0, 2)).toMatchObject([
      { event: "transfer.success", port: "bank", orderId: sessionId, outcome: "agrees" },
      { orderId: sessionId, outcome: "asked" },
    ]);
  });

  test("that says success is not believed when the provider's own answer is another", async () => {
    twin.bank.outcome = "pending";
    const { id, sessionId } = await paying();
    await hook(connection, "transfer.success", sessionId);
    await follow();
    expect((await read(id)).status).toBe("processing");
  });

  test("about what was done and came back returns the money once", async () => {
    const before = (await callLive("GET", "/wallets/balance")).json().data.available;
    const { id, sessionId } = await paying();
    expect((await read(id)).status).toBe("completed");
    twin.bank.settle(sessionId, "reversed");
    for (let round = 0; round < 3; round += 1) {
      await hook(connection, "transfer.reversed", sessionId);
      await follow();
    }
    expect((await read(id)).status).toBe("reversed");
    expect((await callLive("GET", "/wallets/balance")).json().data.available).toBe(before);
    expect(await events(id)).toEqual(["transfer.completed", "transfer.reversed"]);
    expect((await hints()).slice(0, 3).map(({ outcome }) => outcome)).toEqual(["agrees", "agrees", "taken_back"]);
  });

  test("about what came back is followed until the provider says so clearly", async () => {
    const { id, sessionId } = await paying();
    twin.bank.settle(sessionId, "reversed");
    twin.misbehave(["lost_reply"], "GET /transfer/verify/:reference");
    await hook(connection, "transfer.reversed", sessionId);
    await follow();
    expect([(await read(id)).status, (await hints())[0]]).toMatchObject(["completed", { outcome: "waiting" }]);
    await eventually("the second question is answered", async () => {
      await follow();
      return (await read(id)).status === "reversed";
    });
    expect((await hints())[0]).toMatchObject({ orderId: sessionId, outcome: "taken_back" });
  });

  test("that arrives while an earlier one is asked about is asked about too", async () => {
    const { id, sessionId } = await paying();
    const overtaken: Fault = {
      name: "overtaken",
      strike: async ({ response, handle }) => {
        const answer = await handle();
        twin.bank.settle(sessionId, "reversed");
        await hook(connection, "transfer.reversed", sessionId);
        sendReply(response, answer);
      },
    };
    twin.misbehave([overtaken], "GET /transfer/verify/:reference");
    await hook(connection, "transfer.success", sessionId);
    await follow();
    await follow();
    expect((await read(id)).status).toBe("reversed");
    expect((await hints()).filter(({ orderId }) => orderId === sessionId)).toMatchObject([
      { event: "transfer.reversed", outcome: "taken_back" },
    ]);
  });

  test("that claims a reversal which the provider does not know moves nothing", async () => {
    const { id, sessionId } = await paying();
    await hook(connection, "transfer.reversed", sessionId);
    await follow();
    expect((await read(id)).status).toBe("completed");
  });

  test.each([
    ["a wrong key", (raw: string) => signed(raw, "sk_live_of_a_thief")],
    ["no signature", () => ({})],
    ["the signature of another body", () => signed("{}")],
  ])("with %s is refused, and nobody asks", async (_, headers) => {
    twin.bank.outcome = "pending";
    const { sessionId } = await paying();
    const before = (await hints()).length;
    const raw = JSON.stringify({ event: "transfer.success", data: { reference: sessionId } });
    const reply = await post(`/rails/${connection}/hook`, raw, headers(raw));
    expect([reply.statusCode, reply.json().code]).toEqual([401, "hook_signature_invalid"]);
    expect(await hints()).toHaveLength(before);
  });

  test("about a stranger's reference, or one of another connection, is taken and changes nothing", async () => {
    const { id, sessionId } = await paying();
    expect((await hook(connection, "transfer.reversed", "999999999999999999999999999999")).statusCode).toBe(200);
    twin.bank.settle(sessionId, "reversed");
    expect((await hook(other, "transfer.reversed", sessionId)).statusCode).toBe(200);
    await follow();
    expect((await hints())[0]).toMatchObject({ outcome: "not_ours" });
    expect((await hints(other))[0]).toMatchObject({ outcome: "not_ours" });
    expect((await read(id)).status).toBe("completed");
  });

  test("of another kind is taken and forgotten", async () => {
    const before = (await hints()).length;
    const raw = JSON.stringify({ event: "subscription.create", data: {} });
    expect((await post(`/rails/${connection}/hook`, raw, signed(raw))).statusCode).toBe(200);
    expect(await hints()).toHaveLength(before);
  });

  test("gets the very reply that its provider waits for", async () => {
    const id = await app.connect({
      provider: "vtpass",
      name: "VTpass",
      mode: "live",
      credentials: vtpassKeys,
      baseUrl: bills.baseUrl,
    });
    const raw = JSON.stringify({ type: "transaction-update", data: { requestId: "202611161030abc" } });
    const reply = await post(`/rails/${id}/hook`, raw);
    expect([reply.statusCode, reply.body]).toEqual([200, '{"response":"success"}']);
    const orderId = "202611161030a3f1c2d4e5b647988a9bacbdcedfe0f1";
    await post(`/rails/${id}/hook`, JSON.stringify({ type: "transaction-update", data: { requestId: orderId } }));
    expect(await hints(id)).toMatchObject([{ port: "biller", orderId, outcome: "waiting", doneAt: null }]);
    await follow();
    expect(await hints(id)).toMatchObject([{ orderId, outcome: "not_ours" }]);
  });

  test.each(["01998a4e-7b5a-7cde-8f01-23456789abcd", "paystack", "..%2f"])("to %s finds nobody", async (id) => {
    expect((await post(`/rails/${id}/hook`, "{}")).statusCode).toBe(404);
  });
});

describe("the question whether a payment is ours", () => {
  const ask = (data: unknown, headers?: Readonly<Record<string, string>>) => {
    const raw = JSON.stringify(data);
    return post(`/rails/${connection}/approval`, raw, headers ?? signed(raw));
  };
  const asked = (sessionId: string, amount: number, account: object = {}) => ({
    reference: sessionId,
    amount,
    currency: "NGN",
    recipient: { details: { account_number: "0123456789", bank_code: "058", ...account } },
  });

  test("is answered yes for exactly a payment that is under way, in every shape", async () => {
    twin.bank.outcome = "pending";
    const { sessionId } = await paying(1200);
    const transfer = asked(sessionId, 120_000);
    const shapes = [transfer, { event: "transfer", data: transfer }, { event: "t", data: { transfers: [transfer] } }];
    for (const shape of shapes) expect((await ask(shape)).statusCode).toBe(200);
  });

  test("is answered no for everything else", async () => {
    twin.bank.outcome = "pending";
    const { sessionId } = await paying(1300);
    const thief = asked("999999999999999999999999999999", 130_000);
    const done = await (async () => {
      twin.bank.outcome = "success";
      return paying(1400);
    })();
    for (const data of [
      thief,
      asked(sessionId, 130_001),
      asked(sessionId, 130_000, { account_number: "9876543210" }),
      asked(sessionId, 130_000, { bank_code: "044" }),
      asked(sessionId, 130_000, { bank_code: "999999" }),
      asked(sessionId, 130_000, { bank_code: undefined }),
      asked(sessionId, 130_000, { account_number: undefined }),
      { ...asked(sessionId, 130_000), recipient: "RCP_1" },
      { ...asked(sessionId, 130_000), recipient: undefined },
      { ...asked(sessionId, 130_000), currency: "USD" },
      asked(done.sessionId, 140_000),
      { event: "t", data: { transfers: [asked(sessionId, 130_000), thief] } },
      { event: "t", data: { transfers: [] } },
      {},
    ]) {
      const reply = await ask(data);
      expect([reply.statusCode, reply.json().code], JSON.stringify(data)).toEqual([400, "approval_refused"]);
    }
    const transfer = asked(sessionId, 130_000);
    const forged = await ask(transfer, signed(JSON.stringify(transfer), "sk_live_of_a_thief"));
    expect(forged.statusCode).toBe(400);
    expect((await ask(transfer)).statusCode).toBe(200);
  });
});
