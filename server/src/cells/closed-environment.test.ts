import { expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { asOwner } from "../../testing/work.ts";

const { call, merchant, otherMerchant, ownerUrl } = await createTestApp();
const fund = (key?: string) =>
  call("POST", "/sandbox/wallets/fund", { body: { amount: 500 }, ...(key === undefined ? {} : { key }) });
const close = (state: string) =>
  asOwner(ownerUrl, `update environments set closed = ${state} where id = '${merchant.environment.id}'`);
const balance = async () => (await call("GET", "/wallets/balance")).json().data.available;

test("an environment on its way out is read and not written, and only that one", async () => {
  await fund();
  await close("'leaving'");
  const refused = await fund();
  expect([refused.statusCode, refused.json().code, refused.headers["retry-after"]]).toEqual([
    503,
    "environment_moving",
    "2",
  ]);
  expect(await balance()).toBe(500);
  expect((await fund(otherMerchant.secretKey)).statusCode).toBe(201);
  await close("'gone'");
  expect((await call("GET", "/wallets/balance")).json().code).toBe("unavailable");
  await close("null");
  expect((await fund()).statusCode).toBe(201);
  expect(await balance()).toBe(1_000);
});
