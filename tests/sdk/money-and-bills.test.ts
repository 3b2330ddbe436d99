import { describe, expect, test } from "vitest";
import { NotFoundError, ValidationError } from "../../sdk/src/index.ts";
import { caught, createProduct } from "./product.ts";

const { jara } = await createProduct();
const phone = { network: "MTN", phoneNumber: "08031234567" };

describe("wallets", () => {
  test("sub-accounts are opened once, paid into and moved from", async () => {
    const opened = await jara.wallets.subAccounts.create({ accountName: "Ikeja", externalId: "branch-1" });
    expect(await jara.wallets.subAccounts.create({ accountName: "Ikeja", externalId: "branch-1" })).toEqual(opened);
    const credit = { accountNumber: opened.accountNumber ?? "", amount: "12500.25", senderName: "Ada Obi" };
    expect(await jara.sandbox.wallets.credit(credit)).toMatchObject({ direction: "credit", amount: 12_500.25 });
    expect(await jara.wallets.subAccounts.get(opened.id)).toMatchObject({ balance: 12_500.25 });
    const main = await jara.wallets.getBalance();
    await jara.wallets.transfer({ from: opened.id, to: main.accountId, amount: "0.25", reference: "move-1" });
    expect((await jara.wallets.getBalance()).available).toBe(main.available + 0.25);
    expect(await jara.wallets.getBalance({ accountId: opened.id })).toMatchObject({
      available: 12_500,
      currency: "NGN",
    });
    expect(await jara.wallets.subAccounts.list().toArray()).toMatchObject([{ id: opened.id }]);
  });

  test("statements come item by item and as CSV", async () => {
    const lines = await jara.wallets.transactions.list({ limit: 1 }).toArray();
    expect(lines.map(({ amount }) => amount)).toEqual([0.25, 1_000_000]);
    const csv = (await jara.wallets.transactions.toCsv()).trimEnd().split("\n");
    expect(csv[0]).toContain("balanceAfter");
    expect(csv).toHaveLength(3);
  });
});

describe("bills", () => {
  test("the catalogue", async () => {
    expect((await jara.bills.listCategories()).map(({ code }) => code)).toContain("airtime");
    expect((await jara.bills.listNetworks()).map(({ code }) => code)).toContain("MTN");
    const [plan] = await jara.bills.data.listPlans({ network: "MTN" });
    expect(plan).toMatchObject({ network: "MTN", planCode: expect.any(String) });
    expect(await jara.bills.electricity.listProviders()).not.toEqual([]);
    expect(await jara.bills.tv.listPackages({ provider: "dstv" })).not.toEqual([]);
    expect(await jara.bills.betting.listProviders()).not.toEqual([]);
  });

  test("airtime and data are validated, vended and found again", async () => {
    expect(await jara.bills.airtime.validate(phone)).toMatchObject({ network: "MTN" });
    expect(await jara.bills.data.validate(phone)).toMatchObject({ network: "MTN" });
    const vended = await jara.bills.airtime.vend({ ...phone, amount: "500.00", reference: "air-1" });
    const final = await jara.bills.waitUntilFinal(vended.id);
    expect(final).toMatchObject({ status: "successful", amount: 500 });
    expect(await jara.bills.getByReference("air-1")).toEqual(final);
    expect(await jara.bills.get(vended.id)).toEqual(final);
    const data = await jara.bills.data.vend({ ...phone, planCode: "mtn-1gb-7d", reference: "data-1" });
    expect(data.category).toBe("data");
    expect(await jara.bills.list({ category: "airtime" }).toArray()).toEqual([final]);
  });

  test("electricity gives a token", async () => {
    const meter = { provider: "ikeja-electric", meterNumber: "45012345678", meterType: "prepaid" } as const;
    expect(await jara.bills.electricity.validate(meter)).toMatchObject({ meterNumber: meter.meterNumber });
    const order = { ...meter, amount: 5_000, phoneNumber: phone.phoneNumber, reference: "light-1" };
    const { id } = await jara.bills.electricity.vend(order);
    expect((await jara.bills.waitUntilFinal(id)).token).toMatch(/^\d{20}$/);
  });

  test("TV and betting are refused before they are validated", async () => {
    const card = { provider: "dstv", smartCardNumber: "7023456789" };
    const package_ = {
      packageCode: "dstv-compact",
      subscriptionType: "change",
      phoneNumber: phone.phoneNumber,
    } as const;
    const order = { ...card, ...package_, reference: "tv-1" };
    const refused = await caught(jara.bills.tv.vend(order));
    expect(refused).toBeInstanceOf(ValidationError);
    expect(refused).toMatchObject({ code: "validation_required" });
    const { validationReference } = await jara.bills.tv.validate(card);
    expect(await jara.bills.tv.vend({ ...order, validationReference })).toMatchObject({ category: "tv" });
    const player = { provider: "bet9ja", customerId: "1234567" };
    await jara.bills.betting.validate(player);
    expect(await jara.bills.betting.vend({ ...player, amount: 1_000, reference: "bet-1" })).toMatchObject({
      amount: 1_000,
    });
    expect(await caught(jara.bills.betting.validate({ ...player, customerId: "0000" }))).toBeInstanceOf(NotFoundError);
  });
});

describe("a sandbox decides", () => {
  test("bills and transfers that wait", async () => {
    const order = { ...phone, amount: 100 };
    const waiting = await Promise.all(
      ["a", "b"].map((name) => jara.bills.airtime.vend({ ...order, reference: `${name}_PENDING` })),
    );
    const [one, other] = waiting.map(({ id }) => id);
    expect(await jara.sandbox.bills.complete(one ?? "")).toMatchObject({ status: "successful" });
    expect(await jara.sandbox.bills.reverse(one ?? "")).toMatchObject({ status: "reversed" });
    expect(await jara.sandbox.bills.fail(other ?? "")).toMatchObject({ status: "failed" });
    const payout = { accountNumber: "0690000032", bankCode: "044", amount: 100 };
    const first = await jara.transfers.create({ ...payout, reference: "c_PENDING" });
    const second = await jara.transfers.create({ ...payout, reference: "d_PENDING" });
    expect(await jara.sandbox.transfers.complete(first.id)).toMatchObject({ status: "completed" });
    expect(await jara.sandbox.transfers.reverse(first.id)).toMatchObject({ status: "reversed" });
    expect(await jara.sandbox.transfers.fail(second.id)).toMatchObject({
      status: "failed",
      failureReason: { code: expect.any(String) },
    });
  });

  test("how banks are, what time it is, and when to begin again", async () => {
    expect(await jara.sandbox.banks.setHealth("058", { status: "down" })).toMatchObject({
      bankCode: "058",
      status: "down",
    });
    expect(await jara.sandbox.rails.set("bank", { state: "held" })).toMatchObject({ port: "bank", state: "held" });
    expect(await jara.sandbox.rails.set("bank", { state: "open" })).toMatchObject({ state: "open", reason: null });
    const { now } = await jara.sandbox.clock.get();
    const moved = await jara.sandbox.clock.advance({ days: 1 });
    expect(Date.parse(moved.to) - Date.parse(now)).toBe(86_400_000);
    const started = await jara.sandbox.clock.startAdvance({ seconds: 60 });
    const stateNow = async () => (await jara.sandbox.clock.getAdvance(started.id)).state;
    await expect.poll(stateNow).toBe("done");
    expect(await jara.sandbox.clock.set({ mode: "running" })).toMatchObject({ mode: "running" });
    expect((await jara.sandbox.reset()).removed).toBeGreaterThan(0);
    expect(await jara.transfers.list().toArray()).toEqual([]);
  });
});
