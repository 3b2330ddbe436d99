import { beforeEach, describe, expect, test } from "vitest";
import { createLiveApp } from "../../../testing/providers/live-app.ts";
import { startPaystackTwin } from "../../../testing/providers/paystack-twin.ts";
import { inEnvironment } from "../../platform/database/database.ts";
import { mainWalletId } from "../../wallets/wallet.ts";

const app = await createLiveApp();
const { operate, callLive, work, liveEnvironmentId } = app;
const [twin, other] = await Promise.all([startPaystackTwin(), startPaystackTwin(0, { secretKey: "sk_live_other" })]);
for (const one of [twin, other]) app.keep(one);
const wanted = { provider: "paystack", name: "Paystack", mode: "live" };
const first = await app.connect({ ...wanted, credentials: { secretKey: "sk_live_twin" }, baseUrl: twin.url });
const second = await app.connect({ ...wanted, credentials: { secretKey: "sk_live_other" }, baseUrl: other.url });
const route = (...connections: string[]) => operate("PUT", "/operator/routes/bank", { connections });
const change = (id: string, state: string) => operate("PATCH", `/operator/connections/${id}`, { state });

const available = async () => (await callLive("GET", "/wallets/balance")).json().data.available as number;
await operate("POST", `/operator/wallets/${mainWalletId(liveEnvironmentId)}/credit`, {
  amount: 1_000_000,
  reference: "opening",
  reason: "Float for tests",
});

const payee = { bankCode: "058", accountNumber: "0123456789", currency: "NGN" };
let made = 0;
async function pay(amount = 2500, others = {}) {
  made += 1;
  const body = { ...payee, reference: `live-${made}`, amount, ...others };
  const reply = await callLive("POST", "/transfers", body);
  expect(reply.statusCode, reply.body).toBe(201);
  return reply.json().data.id as string;
}
const read = async (id: string) => (await callLive("GET", `/transfers/${id}`)).json().data;
const send = () => work("transfer sender LIVE");
const sessionOf = async (id: string): Promise<string> => (await read(id)).sessionId;

/** The agenda's next question about a payout, at once. */
async function askNow(id: string): Promise<void> {
  const task = app.tasks.kinds.get("transfers.requery");
  await task?.handle({ environmentId: liveEnvironmentId, subject: id, payload: {} } as never);
}

beforeEach(async () => {
  twin.behave();
  other.behave();
  twin.bank.outcome = "success";
  await change(first, "active");
  await route(first, second);
});

describe("a live payout", () => {
  test("goes to the first connection of the route, once, and is completed by what the provider says", async () => {
    const id = await pay();
    await send();
    expect(await read(id)).toMatchObject({ status: "completed", amount: 2500 });
    const paid = twin.bank.transfers.get(await sessionOf(id));
    expect(paid).toMatchObject({ amount: 250_000, status: "success" });
    expect(other.calls.some(({ route: called }) => called === "POST /transfer")).toBe(false);
  });

  test("whose reply is lost is found again and not sent twice", async () => {
    twin.misbehave(["lost_reply"], "POST /transfer");
    const id = await pay();
    const before = twin.count("POST /transfer");
    await send();
    expect((await read(id)).status).toBe("processing");
    await askNow(id);
    expect((await read(id)).status).toBe("completed");
    expect(twin.count("POST /transfer") - before).toBe(1);
  });

  test("whose outcome is owed is listed with where it is at the provider", async () => {
    twin.bank.outcome = "pending";
    const id = await pay();
    await send();
    const listed = (await operate("GET", "/operator/unknowns?olderThan=0")).json().data;
    const found = listed.find((unknown: { id: string }) => unknown.id === id);
    const session = await sessionOf(id);
    expect(found.rail).toEqual({
      provider: "paystack",
      connectionId: first,
      orderId: session,
      providerReference: expect.stringMatching(/^TRF_/),
      networkSessionId: null,
      fee: null,
    });
    twin.bank.settle(session, "success");
    await askNow(id);
  });

  test("that the provider refuses is given back", async () => {
    twin.bank.outcome = "failed";
    const before = await available();
    const id = await pay();
    await send();
    const { status, failureReason } = await read(id);
    expect(status).toBe("failed");
    expect(failureReason.code).not.toMatch(/^nip_/);
    expect(await available()).toBe(before);
  });

  test("stays with its connection when the route changes, and new ones go the new way", async () => {
    twin.bank.outcome = "pending";
    const waiting = await pay();
    await send();
    expect((await read(waiting)).status).toBe("processing");
    await route(second);
    const next = await pay();
    await send();
    expect((await read(next)).status).toBe("completed");
    expect(other.bank.transfers.has(await sessionOf(next))).toBe(true);
    const session = await sessionOf(waiting);
    twin.bank.settle(session, "success");
    await askNow(waiting);
    expect((await read(waiting)).status).toBe("completed");
    expect(other.bank.transfers.has(session)).toBe(false);
  });

  test("passes over a paused connection, and waits when all are", async () => {
    await change(first, "paused");
    const id = await pay();
    await send();
    expect(other.bank.transfers.has(await sessionOf(id))).toBe(true);
    await route(first);
    const refused = await callLive("POST", "/transfers", { ...payee, reference: "while paused", amount: 100 });
    expect([refused.statusCode, refused.json().code, refused.headers["retry-after"]]).toEqual([
      503,
      "unavailable",
      "60",
    ]);
  });

  test("that was accepted before the pause waits and goes through afterwards", async () => {
    await route(first);
    const id = await pay();
    await change(first, "paused");
    await send();
    expect((await read(id)).status).toBe("pending");
    await change(first, "active");
    await inEnvironment(app.db, liveEnvironmentId, (tx) =>
      tx
        .updateTable("transfers")
        .set({ claim_at: new Date(0) })
        .where("id", "=", id)
        .execute(),
    );
    await send();
    expect((await read(id)).status).toBe("completed");
  });

  test("holds the connection when the float is empty: the order waits, new ones take the other way", async () => {
    const float = twin.account.balance();
    twin.account.move(-float, "Topup", 0);
    const id = await pay();
    await send();
    expect((await read(id)).status).toBe("processing");
    const shown = (await operate("GET", `/operator/connections/${first}`)).json().data;
    expect(shown.hold).toMatchObject({ reason: "float_empty", advice: expect.stringContaining("Top it up") });
    const next = await pay();
    await send();
    expect(other.bank.transfers.has(await sessionOf(next))).toBe(true);
    twin.account.move(float, "Topup", 0);
    const checked = (await operate("POST", `/operator/connections/${first}/check`)).json().data;
    expect(checked.hold).toBeNull();
  });
});

describe("an operator who asks where the money is", () => {
  const view = (id: string) => operate("GET", `/operator/transfers/${id}`);

  test("sees the provider, our id there and theirs, and what they charge", async () => {
    const id = await pay();
    expect((await view(id)).json().data).toMatchObject({ id, environmentId: liveEnvironmentId, rail: null });
    await send();
    const { data } = (await view(id)).json();
    const sessionId = await sessionOf(id);
    expect(data).toMatchObject({ status: "completed", environment: "LIVE" });
    expect(data.rail).toMatchObject({ provider: "paystack", connectionId: first, orderId: sessionId });
    expect(data.rail.providerReference).toMatch(/^TRF_/);
    expect((await read(id)).rail).toBeUndefined();
  });

  test("finds nobody's payout nowhere", async () => {
    const reply = await view("01998a4e-7b5a-7cde-8f01-23456789abcd");
    expect([reply.statusCode, reply.json().code]).toEqual([404, "transfer_not_found"]);
  });
});

test("a live sub-account is not given a number that no bank knows", async () => {
  const reply = await callLive("POST", "/wallets/sub-accounts", { accountName: "Ikeja shop" });
  expect([reply.statusCode, reply.json().code]).toEqual([503, "rail_not_configured"]);
});

test("without a route a live payout is refused as before", async () => {
  await route();
  const reply = await callLive("POST", "/transfers", { ...payee, reference: "no route", amount: 100 });
  expect([reply.statusCode, reply.json().code]).toEqual([503, "rail_not_configured"]);
});
