/** A sub-account pays bills and batches: it is debited, gets back what failed, and earns the commission. */
import { expect, test } from "vitest";
import { createBillsApp, freshReference } from "../testing/payments/bills-app.ts";

const app = await createBillsApp();
const { call, vend, work, read, otherMerchant } = app;

async function subAccount(amount: number): Promise<string> {
  const opened = await call("POST", "/wallets/sub-accounts", {
    body: { accountName: "Till", externalId: freshReference() },
  });
  const { id } = opened.json().data;
  await call("POST", "/sandbox/wallets/fund", { body: { amount, accountId: id } });
  return id;
}

const balanceOf = async (id: string) => {
  const { available, held } = (await call("GET", `/wallets/balance?accountId=${id}`)).json().data;
  return { available, held };
};

test("a bill is held, settled, given back and rewarded on the wallet that pays", async () => {
  const sourceAccountId = await subAccount(10_000);
  const main = await app.balance();
  const { data } = (await vend("airtime", { sourceAccountId: sourceAccountId.toUpperCase() })).json();
  expect(data).toMatchObject({ sourceAccountId, totalDebited: 1_000 });
  expect(await balanceOf(sourceAccountId)).toEqual({ available: 9_000, held: 1_000 });
  await work();
  expect(await balanceOf(sourceAccountId)).toEqual({ available: 9_025, held: 0 });
  await call("POST", `/sandbox/bills/${data.id}/reverse`);
  await vend("airtime", { sourceAccountId, reference: freshReference("_FAIL") });
  await work();
  expect(await balanceOf(sourceAccountId)).toEqual({ available: 10_000, held: 0 });
  expect(await app.balance()).toEqual(main);
  const lines = (await call("GET", `/wallets/transactions?accountId=${sourceAccountId}`)).json().data;
  expect(lines.map(({ type }: { type: string }) => type)).toEqual([
    "bill.failed",
    "bill.held",
    "bill.commission_reversed",
    "bill.reversed",
    "bill.commission",
    "bill.held",
    expect.any(String),
  ]);
  expect(await app.differences()).toEqual([]);
});

test("another wallet is other content, and a foreign one is refused", async () => {
  const sourceAccountId = await subAccount(10_000);
  const reference = freshReference();
  expect((await vend("airtime", { reference, sourceAccountId })).statusCode).toBe(201);
  expect((await vend("airtime", { reference, sourceAccountId })).statusCode).toBe(200);
  expect((await vend("airtime", { reference })).json()).toMatchObject({
    code: "reference_conflict",
    data: { fields: ["sourceAccountId"] },
  });
  const stranger = await call("POST", "/wallets/sub-accounts", {
    body: { accountName: "Theirs" },
    key: otherMerchant.secretKey,
  });
  const foreign = { sourceAccountId: stranger.json().data.id };
  expect((await vend("airtime", foreign)).json().code).toBe("source_account_not_found");
  const listed = (await call("GET", `/bills?reference=${reference}`)).json();
  expect(listed).toMatchObject({ data: [{ reference }], pagination: { totalItems: 1 } });
  expect((await call("GET", "/bills?reference=nobodys")).json().data).toEqual([]);
  expect((await read(listed.data[0].id))["sourceAccountId"]).toBe(sourceAccountId);
});

test("a batch is paid by the wallet that is named", async () => {
  const sourceAccountId = await subAccount(10_000);
  const item = { accountNumber: "0690000032", bankCode: "044", amount: 1_000, reference: freshReference() };
  const body = { batchReference: freshReference(), currency: "NGN", sourceAccountId, transfers: [item] };
  expect((await call("POST", "/transfers/bulk", { body })).statusCode).toBe(201);
  expect(await balanceOf(sourceAccountId)).toEqual({ available: 8_989.25, held: 1_010.75 });
  expect((await call("POST", "/transfers/bulk", { body })).statusCode).toBe(200);
  const other = await call("POST", "/transfers/bulk", { body: { ...body, sourceAccountId: undefined } });
  expect(other.json()).toMatchObject({ code: "reference_conflict", data: { fields: ["sourceAccountId"] } });
  const nobody = { ...body, batchReference: freshReference(), sourceAccountId: "nobody" };
  expect((await call("POST", "/transfers/bulk", { body: nobody })).json().code).toBe("source_account_not_found");
  const found = (await call("GET", `/transfers?reference=${item.reference}`)).json();
  expect(found).toMatchObject({ data: [{ sourceAccountId }], pagination: { totalItems: 1 } });
});

test("a sub-account shows the external id that it was opened with", async () => {
  const opened = await call("POST", "/wallets/sub-accounts", { body: { accountName: "Till", externalId: "till-7" } });
  expect(opened.json().data).toMatchObject({ externalId: "till-7" });
  const shown = await call("GET", `/wallets/sub-accounts/${opened.json().data.id}`);
  expect(shown.json().data).toMatchObject({ externalId: "till-7" });
});
