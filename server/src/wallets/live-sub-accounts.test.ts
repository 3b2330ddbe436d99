import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { createInboundApp, inboundCredentials } from "../../testing/providers/inbound-app.ts";
import { asOwner } from "../../testing/work.ts";
import { inEnvironment, operatorScope } from "../platform/database/database.ts";
import { sweep } from "../platform/work/sweeper.ts";
import { changeConnection } from "../rails/connections/connection-store.ts";
import { sealCredentials } from "../rails/connections/credentials.ts";
import { virtualAccountSweepSources } from "./open-virtual-account.ts";
import { mainWalletId } from "./wallet.ts";

const app = await createInboundApp();
const { callLive, operate, twin, books, order, takeUp, read, events, connectionId, liveEnvironmentId, ownerUrl } = app;

const accountsOf = (id: string) => books.accounts.filter(({ customer }) => customer.email.includes(id)).length;
const post = (body: object, key?: string) =>
  app.call("POST", "/wallets/sub-accounts", {
    key: app.liveKey,
    body,
    ...(key === undefined ? {} : { headers: { "idempotency-key": key } }),
  });
/** As if the last try was long ago. */
const letSettle = (id: string) =>
  asOwner(ownerUrl, `update virtual_accounts set sent_at = sent_at - interval '11 minutes' where id = '${id}'`);

beforeEach(async () => {
  twin.behave();
  books.assignsLater = false;
  books.isEnabled = true;
  await operate("PUT", "/operator/routes/inbound", { connections: [connectionId] });
});

describe("a live sub-account", () => {
  test("is opening until the provider has given it a number, and then is a wallet like any other", async () => {
    const reply = await post({ accountName: "Mama Put Ikeja", externalId: "ikeja" });
    const { id } = reply.json().data;
    const opening = { id, status: "opening", accountNumber: null, bankName: null, balance: 0, externalId: "ikeja" };
    expect([reply.statusCode, reply.json().data]).toMatchObject([202, opening]);
    expect(await read(id)).toMatchObject(opening);
    const listed = async () => (await callLive("GET", "/wallets/sub-accounts")).json().data as { id: string }[];
    expect((await listed()).map((each) => each.id)).not.toContain(id);
    await takeUp(id);
    const number = books.accounts.find(({ customer }) => customer.email.includes(id))?.number;
    const opened = { id, status: "active", accountNumber: number, bankName: "Paystack-Titan", refusal: null };
    expect(await read(id)).toMatchObject(opened);
    expect((await listed())[0]).toMatchObject({ id, accountNumber: number, bankName: "Paystack-Titan" });
    expect((await events("wallet.opened")).filter((data) => data["id"] === id)).toMatchObject([opened]);
    expect((await callLive("GET", `/wallets/balance?accountId=${id}`)).json().data.available).toBe(0);
  });

  test("is opened once, however often it is ordered and taken up", async () => {
    const body = { accountName: "Branch", externalId: "once" };
    const [first, again] = [await post(body), await post(body)];
    const { id } = first.json().data;
    expect([again.statusCode, again.json().data.id, again.headers["idempotent-replayed"]]).toEqual([202, id, "true"]);
    await Promise.all([takeUp(id), takeUp(id), takeUp(id)]);
    await takeUp(id);
    const found = await post(body);
    expect([found.statusCode, found.json().data]).toMatchObject([200, { id, status: "active" }]);
    expect([accountsOf(id), twin.calls.filter(({ request }) => request.path === "/customer").length]).toEqual([1, 2]);
    expect((await events("wallet.opened")).filter((data) => data["id"] === id)).toHaveLength(1);
  });

  test("ordered at the same moment under one external id is one", async () => {
    const replies = await Promise.all(Array.from({ length: 4 }, () => post({ accountName: "B", externalId: "twins" })));
    expect(new Set(replies.map((reply) => reply.json().data.id)).size).toBe(1);
  });

  test("keeps its reply under an Idempotency-Key, also when the route has gone", async () => {
    const key = randomUUID();
    const first = await post({ accountName: "Kept" }, key);
    await operate("PUT", "/operator/routes/inbound", { connections: [] });
    const again = await post({ accountName: "Kept" }, key);
    expect([again.statusCode, again.json()]).toEqual([202, first.json()]);
    const other = await post({ accountName: "Not kept" });
    expect([other.statusCode, other.json().code]).toEqual([503, "rail_not_configured"]);
  });

  test("of another name under a used external id is refused, opening or open", async () => {
    const { id } = (await post({ accountName: "One", externalId: "names" })).json().data;
    for (const step of [async () => undefined, () => takeUp(id)]) {
      await step();
      const reply = await post({ accountName: "Other", externalId: "names" });
      expect([reply.statusCode, reply.json().code]).toEqual([409, "reference_conflict"]);
    }
  });

  test("of another merchant is not found while it is opening", async () => {
    const id = await order();
    const reply = await app.call("GET", `/wallets/sub-accounts/${id}`, { key: app.otherMerchant.secretKey });
    expect([reply.statusCode, reply.json().code]).toEqual([404, "wallet_not_found"]);
  });
});

describe("a provider that does not answer", () => {
  test("has opened it all the same: it is found, and not opened twice", async () => {
    const id = await order();
    twin.misbehave(["lost_reply"], "POST /dedicated_account");
    await takeUp(id);
    expect(await read(id)).toMatchObject({ status: "opening" });
    await takeUp(id);
    expect(await read(id)).toMatchObject({ status: "active" });
    expect(accountsOf(id)).toBe(1);
  });

  test("has not: it is ordered again, but only when the provider must know by now", async () => {
    const id = await order();
    twin.misbehave(["unavailable"], "POST /dedicated_account");
    await takeUp(id);
    await takeUp(id);
    expect([await read(id), accountsOf(id)]).toMatchObject([{ status: "opening" }, 0]);
    await letSettle(id);
    await Promise.all([takeUp(id), takeUp(id), takeUp(id)]);
    expect([await read(id), accountsOf(id)]).toMatchObject([{ status: "active" }, 1]);
  });

  test("comes back later with the number: the webhook makes us ask, and a question finds it without one", async () => {
    books.assignsLater = true;
    const [hooked, asked] = [await order(), await order()];
    await Promise.all([takeUp(hooked), takeUp(asked)]);
    expect([await read(hooked), await read(asked)]).toMatchObject([{ status: "opening" }, { status: "opening" }]);
    books.assign();
    const customer = { email: `wallet-${hooked}@accounts.example.com` };
    const anything = books.payIn("0000000000", 1, { status: "failed" });
    await app.hook(anything, { event: "dedicatedaccount.assign.success", says: { customer } });
    await app.follow();
    expect(await read(hooked)).toMatchObject({ status: "active" });
    await takeUp(asked);
    expect(await read(asked)).toMatchObject({ status: "active" });
    expect([accountsOf(hooked), accountsOf(asked)]).toEqual([1, 1]);
  });

  test("killed after the order was begun is no loss: the sweeper takes it up", async () => {
    const id = await order();
    // The process dies between the step to processing and the call.
    const begun = `status = 'processing', connection_id = '${connectionId}'`;
    await asOwner(ownerUrl, `update virtual_accounts set ${begun} where id = '${id}'`);
    await asOwner(ownerUrl, "delete from pgboss.job where name = 'wallets.open-account'");
    expect(await sweep(app.db, virtualAccountSweepSources, app.dependencies.log)).toBeGreaterThan(0);
    await takeUp(id);
    expect([await read(id), accountsOf(id)]).toMatchObject([{ status: "active" }, 1]);
  });

  test("is asked for nothing while the business may not open accounts, and opens it once it may", async () => {
    books.isEnabled = false;
    const id = await order();
    await takeUp(id);
    await letSettle(id);
    await takeUp(id);
    expect([await read(id), accountsOf(id)]).toMatchObject([{ status: "opening" }, 0]);
    books.isEnabled = true;
    await letSettle(id);
    await takeUp(id);
    expect(await read(id)).toMatchObject({ status: "active" });
    const connection = (await operate("GET", `/operator/connections/${connectionId}`)).json().data;
    expect(connection.hold).toBeNull();
  });

  test("refuses the name: the merchant is told, and may use the external id again", async () => {
    const body = { accountName: "0800 4545", externalId: "renamed" };
    const { id } = (await post(body)).json().data;
    await takeUp(id);
    const refused = { id, status: "refused", accountNumber: null, refusal: { code: "holder_refused" } };
    expect(await read(id)).toMatchObject(refused);
    expect((await events("wallet.refused")).at(-1)).toMatchObject(refused);
    const again = await post({ accountName: "Mama Put", externalId: "renamed" });
    expect([again.statusCode, again.json().data.id === id]).toEqual([202, false]);
  });
});

describe("without a provider", () => {
  test.each(["no route", "a route to a connection without a domain, from before it was needed"])(
    "%s: a live sub-account is refused",
    async (which) => {
      const credentials = inboundCredentials(twin.account.secretKey);
      const bare = { provider: "paystack", name: "Bare", mode: "live", baseUrl: twin.url, credentials };
      const connections = which === "no route" ? [] : [await app.connect(bare)];
      for (const id of connections) {
        const sealed = sealCredentials(app.dependencies.sealer, id, { secretKey: twin.account.secretKey });
        await inEnvironment(app.db, operatorScope, (tx) => changeConnection(tx, id, { sealedCredentials: sealed }));
      }
      await operate("PUT", "/operator/routes/inbound", { connections });
      const reply = await post({ accountName: "Nobody's" });
      expect([reply.statusCode, reply.json().code]).toEqual([503, "rail_not_configured"]);
    },
  );

  test("a live main wallet shows no number: none was given out", async () => {
    const main = await read(mainWalletId(liveEnvironmentId));
    expect(main).toMatchObject({ status: "active", accountNumber: null, bankName: null });
  });

  test("a sandbox opens at once, with a number of its own", async () => {
    const reply = await app.call("POST", "/wallets/sub-accounts", { body: { accountName: "Play" } });
    const { data } = reply.json();
    expect([reply.statusCode, data.status, data.bankName]).toEqual([201, "active", "Jara Sandbox Bank"]);
    expect(data.accountNumber).toMatch(/^\d{10}$/);
  });
});
