import { expect, test } from "vitest";
import { createLiveApp } from "../../../testing/providers/live-app.ts";
import { monnifyKeys, startMonnifyTwin } from "../../../testing/providers/monnify-twin.ts";
import { startPaystackTwin } from "../../../testing/providers/paystack-twin.ts";
import { startVtpassTwin, vtpassKeys } from "../../../testing/providers/vtpass-twin.ts";
import { mainWalletId } from "../../wallets/wallet.ts";

const app = await createLiveApp();
const { operate, call, callLive, work, liveEnvironmentId } = app;
const twin = app.keep(await startVtpassTwin());
const connection = await app.connect({
  provider: "vtpass",
  name: "VTpass",
  mode: "live",
  credentials: vtpassKeys,
  baseUrl: twin.baseUrl,
});
await operate("PUT", "/operator/routes/biller", { connections: [connection] });
await operate("POST", `/operator/wallets/${mainWalletId(liveEnvironmentId)}/credit`, {
  amount: 100_000,
  reference: "opening",
  reason: "Float for tests",
});
for (const key of [app.merchant.secretKey, app.otherMerchant.secretKey]) {
  await call("POST", "/sandbox/wallets/fund", { key, body: { amount: 10_000 } });
}
const nobody = "01998a4e-7b5a-7cde-8f01-23456789abcd";
const airtime = { network: "MTN", phoneNumber: "08011111111", amount: 500 };

test("a live bill shows its provider and the id that the provider knows it by", async () => {
  const reply = await callLive("POST", "/bills/airtime/vend", { ...airtime, reference: "view-1" });
  expect(reply.statusCode, reply.body).toBe(201);
  const { id } = reply.json().data;
  await work("bill sender LIVE");
  const { data } = (await operate("GET", `/operator/bills/${id}`)).json();
  expect(data).toMatchObject({ id, status: "successful", environment: "LIVE", environmentId: liveEnvironmentId });
  expect(data.rail).toMatchObject({ provider: "vtpass", connectionId: connection });
  expect(data.rail.orderId).toBe(`${data.rail.orderId.slice(0, 12)}${id.replaceAll("-", "")}`);
  expect(twin.books.transactions.has(data.rail.orderId)).toBe(true);
});

test.each([
  ["paystack", { secretKey: "sk_live_twin" }, startPaystackTwin],
  ["monnify", monnifyKeys, startMonnifyTwin],
] as const)("a payout that %s paid at once shows its reference, session and fee there", async (...given) => {
  const [provider, credentials, start] = given;
  const { url } = app.keep(await start());
  const id = await app.connect({ provider, name: provider, mode: "live", credentials, baseUrl: url });
  await operate("PUT", "/operator/routes/bank", { connections: [id] });
  const payee = { bankCode: "058", accountNumber: "0123456789", currency: "NGN", amount: 2_000 };
  const transfer = (await callLive("POST", "/transfers", { ...payee, reference: `traced-${provider}` })).json().data;
  await work("transfer sender LIVE");
  const { data } = (await operate("GET", `/operator/transfers/${transfer.id}`)).json();
  expect(data).toMatchObject({ status: "completed", rail: { provider, connectionId: id } });
  expect(data.rail).toMatchObject({
    providerReference: expect.stringMatching(/^(TRF_|MFDS)/),
    networkSessionId: expect.stringMatching(/^\d{30}$/),
    fee: expect.any(Number),
  });
});

test("what the simulation has is traced nowhere", async () => {
  const { id } = (await call("POST", "/bills/airtime/vend", { body: { ...airtime, reference: "view-2" } })).json().data;
  await work("bill sender SANDBOX");
  expect((await operate("GET", `/operator/bills/${id}`)).json().data).toMatchObject({
    environment: "SANDBOX",
    rail: null,
  });
});

test.each(["transfers", "bills"])("an id that no record of %s has is not found", async (collection) => {
  expect((await operate("GET", `/operator/${collection}/${nobody}`)).statusCode).toBe(404);
});

test("an id that two frozen sandboxes have is nobody's to read", async () => {
  const keys = [app.merchant.secretKey, app.otherMerchant.secretKey];
  const ids: Record<string, string>[] = [];
  for (const key of keys) {
    await call("PUT", "/sandbox/clock", {
      key,
      body: { mode: "frozen", now: "2026-11-02T08:00:00.000Z", seed: "same" },
    });
    const payee = { bankCode: "058", accountNumber: "0123456789", currency: "NGN", amount: 100 };
    const transfer = await call("POST", "/transfers", { key, body: { ...payee, reference: "same-1" } });
    const bill = await call("POST", "/bills/airtime/vend", { key, body: { ...airtime, reference: "same-2" } });
    ids.push({ transfers: transfer.json().data.id, bills: bill.json().data.id });
  }
  expect(ids[0]).toEqual(ids[1]);
  for (const [collection, id] of Object.entries(ids[0] ?? {})) {
    const reply = await operate("GET", `/operator/${collection}/${id}`);
    expect([reply.statusCode, reply.json().code]).toEqual([409, "invalid_state"]);
  }
});
