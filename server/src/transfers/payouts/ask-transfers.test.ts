/** What many ask about transfers at the same moment is what each of them alone would be told. */
import { expect, test } from "vitest";
import { createPayingApp, freshReference } from "../../../testing/payments/paying-app.ts";
import { readEnvironment } from "../../platform/database/database.ts";
import { presentTransfer } from "./present-transfer.ts";
import { findTransfer } from "./transfer-store.ts";

const { db, call, pay, merchant, otherMerchant } = await createPayingApp();
const get = async (path: string, key = merchant.secretKey) => {
  const reply = await call("GET", path, { key });
  return { ...reply.json(), status: reply.statusCode };
};
const alone = async (id: string) => {
  const found = await readEnvironment(db, merchant.environment.id, (tx) => findTransfer(tx, id));
  return found && presentTransfer(found, "SANDBOX");
};

test("whoever has paid finds it at once: by id, by reference, on the list and in the balance", async () => {
  const before = (await get("/wallets/balance")).data;
  const visit = async (): Promise<{ id: string; reference: string }> => {
    const reference = freshReference();
    const { id, totalDebit } = (await pay({ reference })).json().data;
    const [byId, byReference, list, balance] = await Promise.all([
      get(`/transfers/${id}`),
      get(`/transfers/verify?reference=${reference}`),
      get("/transfers?limit=100"),
      get("/wallets/balance"),
    ]);
    expect([byId, byReference]).toMatchObject([{ data: { id, reference } }, { data: { id, reference } }]);
    expect(list.data.map((transfer: { id: string }) => transfer.id)).toContain(id);
    expect(balance.data.held).toBeGreaterThanOrEqual(before.held + totalDebit - 0.001);
    return { id, reference };
  };
  const paid = await Promise.all(Array.from({ length: 40 }, visit));
  const together = await Promise.all(paid.map(({ id }) => get(`/transfers/${id}`)));
  expect(together.map(({ data }) => data)).toEqual(await Promise.all(paid.map(({ id }) => alone(id))));
});

test("neighbours of the same moment get each their own: found, unknown, another merchant's, in capitals", async () => {
  const { id, reference } = (await pay()).json().data;
  const [byId, inCapitals, unknown, stranger, byReference, noReference, strangersReference] = await Promise.all([
    get(`/transfers/${id}`),
    get(`/transfers/${id.toUpperCase()}`),
    get("/transfers/01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11"),
    get(`/transfers/${id}`, otherMerchant.secretKey),
    get(`/transfers/verify?reference=${reference}`),
    get("/transfers/verify?reference=nobody-has-it"),
    get(`/transfers/verify?reference=${reference}`, otherMerchant.secretKey),
  ]);
  for (const found of [byId, inCapitals, byReference]) expect(found).toMatchObject({ status: 200, data: { id } });
  for (const missing of [unknown, stranger, noReference, strangersReference]) {
    expect(missing).toMatchObject({ status: 404, code: "transfer_not_found" });
  }
});

test("first pages of different lengths, asked for at the same moment, are cut from the same list", async () => {
  for (let place = 0; place < 5; place += 1) await pay();
  const limits = [1, 2, 3, 100];
  const pages = await Promise.all(limits.map((limit) => get(`/transfers?limit=${limit}`)));
  const second = await get("/transfers?limit=2&page=2");
  const [, , three, all] = pages;
  for (const [place, limit] of limits.entries()) {
    expect(pages[place].data).toEqual(all.data.slice(0, limit));
    expect(pages[place].pagination).toEqual({
      currentPage: 1,
      totalPages: Math.ceil(all.pagination.totalItems / limit),
      totalItems: all.data.length,
      itemsPerPage: limit,
      hasNextPage: all.data.length > limit,
      hasPreviousPage: false,
    });
  }
  expect(second.data[0]).toEqual(three.data[2]);
  const empty = await get("/transfers", otherMerchant.secretKey);
  expect(empty).toMatchObject({ data: [], pagination: { totalItems: 0, totalPages: 0, hasNextPage: false } });
});

test("a reply that is shared is the same to the byte, under each request's own name", async () => {
  const { id } = (await pay()).json().data;
  const replies = await Promise.all(Array.from({ length: 10 }, () => call("GET", `/transfers/${id}`)));
  expect(new Set(replies.map(({ body }) => body)).size).toBe(1);
  expect(new Set(replies.map(({ headers }) => headers["x-request-id"])).size).toBe(10);
});

test("balances of several accounts, asked for at the same moment", async () => {
  const opened = await call("POST", "/wallets/sub-accounts", { body: { accountName: "Yaba" } });
  const { id } = opened.json().data;
  await call("POST", "/sandbox/wallets/fund", { body: { amount: 75.5, accountId: id } });
  const asked = [`accountId=${id}`, "", "accountId=no-id", `accountId=${id.toUpperCase()}`];
  const [own, main, none, capitals] = await Promise.all(asked.map((query) => get(`/wallets/balance?${query}`)));
  expect(own.data).toEqual({ accountId: id, available: 75.5, held: 0, currency: "NGN" });
  expect(capitals.data).toEqual(own.data);
  expect(main.data.accountId).not.toBe(id);
  expect(none).toMatchObject({ status: 404, code: "wallet_not_found" });
  const strangers = await get(`/wallets/balance?accountId=${id}`, otherMerchant.secretKey);
  expect(strangers).toMatchObject({ status: 404, code: "wallet_not_found" });
});
