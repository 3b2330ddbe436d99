import { describe, expect, test } from "vitest";
import { createBillsApp, freshReference } from "../../../testing/payments/bills-app.ts";

const { call, vend, read, work, balance, events, truths, differences } = await createBillsApp();

const validateTv = () =>
  call("POST", "/bills/tv/validate", { body: { provider: "dstv", smartCardNumber: "7023456789" } });
const validateBetting = () =>
  call("POST", "/bills/betting/validate", { body: { provider: "bet9ja", customerId: "1234567" } });

describe("airtime", () => {
  test("is accepted with everything that the contract shows, and the money is held", async () => {
    const before = await balance();
    const reference = freshReference();
    const reply = await vend("airtime", { reference, network: "mtn" });
    expect(reply.statusCode).toBe(201);
    expect(reply.json()).toEqual({
      status: true,
      message: "Bill accepted.",
      data: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        reference,
        sourceAccountId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        category: "airtime",
        provider: "MTN",
        product: { code: "mtn-airtime", name: "MTN airtime" },
        customer: { identifier: "+2348031234567", name: null },
        amount: 1000,
        fee: 0,
        commission: 25,
        totalDebited: 1000,
        currency: "NGN",
        status: "pending",
        token: null,
        units: null,
        receiptNumber: null,
        failureReason: null,
        environment: "SANDBOX",
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updatedAt: expect.any(String),
        completedAt: null,
      },
    });
    const after = await balance();
    expect(after).toEqual({ available: before.available - 1000, held: before.held + 1000 });
    expect(await read(reply.json().data.id)).toEqual(reply.json().data);
  });

  test("that the biller delivers is successful, and the commission arrives as a credit of its own", async () => {
    await work();
    const before = await balance();
    const { id, reference } = (await vend("airtime", { amount: 99.99 })).json().data;
    await work();
    const bill = await read(id);
    expect(bill).toMatchObject({ status: "successful", commission: 2.49, receiptNumber: expect.any(String) });
    expect(await events(id)).toEqual(["bill.successful"]);
    const after = await balance();
    expect(after.available).toBeCloseTo(before.available - 99.99 + 2.49, 2);
    expect(after.held).toBe(0);
    const lines = (await call("GET", "/wallets/transactions?limit=2")).json().data;
    expect(lines).toMatchObject([
      { type: "bill.commission", direction: "credit", amount: 2.49, resource: { type: "bill", id, reference } },
      { type: "bill.held", direction: "debit", amount: 99.99, resource: { type: "bill", id, reference } },
    ]);
    expect(await differences()).toEqual([]);
  });
});

test("data is sold at the plan's price", async () => {
  const { data } = (await vend("data", { planCode: "MTN-1GB-7D" })).json();
  expect(data).toMatchObject({
    category: "data",
    product: { code: "mtn-1gb-7d", name: "MTN 1GB for 7 days" },
    amount: 800,
    commission: 20,
    totalDebited: 800,
  });
  await work();
  expect(await read(data.id)).toMatchObject({ status: "successful", token: null, units: null });
});

describe("electricity", () => {
  test("for a prepaid meter gives a token of 20 digits and units", async () => {
    const { id } = (await vend("electricity")).json().data;
    await work();
    expect(await read(id)).toMatchObject({
      status: "successful",
      token: expect.stringMatching(/^\d{20}$/),
      units: 22.2,
      commission: 50,
    });
  });

  test("for a postpaid meter gives a receipt number and no token", async () => {
    const { id } = (await vend("electricity", { meterType: "postpaid", meterNumber: "4501234567890" })).json().data;
    await work();
    expect(await read(id)).toMatchObject({
      status: "successful",
      token: null,
      units: null,
      receiptNumber: expect.stringMatching(/\S/),
    });
  });

  test("shows the customer's name where the meter was validated before", async () => {
    const meter = { provider: "eko-electric", meterNumber: "45099999999", meterType: "prepaid" };
    const validated = (await call("POST", "/bills/electricity/validate", { body: meter })).json().data;
    const { data } = (await vend("electricity", meter)).json();
    expect(data.customer).toEqual({ identifier: "45099999999", name: validated.customerName });
  });
});

test("a TV package is sold to a validated card, with the name that the provider gave", async () => {
  const { customerName, validationReference } = (await validateTv()).json().data;
  const { data } = (await vend("tv", { validationReference })).json();
  expect(data).toMatchObject({
    category: "tv",
    provider: "dstv",
    amount: 19_000,
    commission: 285,
    product: { code: "dstv-compact", name: "DStv Compact" },
    customer: { identifier: "7023456789", name: customerName },
  });
  await work();
  expect(await read(data.id)).toMatchObject({ status: "successful" });
});

test("a betting account is funded after validation, without any commission", async () => {
  await validateBetting();
  await work();
  const before = await balance();
  const { data } = (await vend("betting")).json();
  expect(data).toMatchObject({ category: "betting", provider: "bet9ja", amount: 1000, commission: 0 });
  await work();
  expect(await read(data.id)).toMatchObject({ status: "successful" });
  expect((await balance()).available).toBeCloseTo(before.available - 1000, 2);
});

describe("a reference that ends in", () => {
  test("_FAIL makes the vend fail and gives the money back", async () => {
    await work();
    const before = await balance();
    const { id } = (await vend("airtime", { reference: freshReference("_FAIL") })).json().data;
    await work();
    expect(await read(id)).toMatchObject({
      status: "failed",
      failureReason: { code: "vend_refused", message: expect.stringMatching(/\.$/) },
      completedAt: expect.any(String),
    });
    expect(await events(id)).toEqual(["bill.failed"]);
    expect(await balance()).toEqual(before);
  });

  test("_PENDING stays in processing", async () => {
    const { id } = (await vend("airtime", { reference: freshReference("_PENDING") })).json().data;
    await work();
    expect(await read(id)).toMatchObject({ status: "processing", completedAt: null });
    expect(await events(id)).toEqual([]);
  });
});

describe("what was sold", () => {
  test("is found by reference, with a POST that answers 200", async () => {
    const reference = freshReference();
    const { data } = (await vend("airtime", { reference })).json();
    const found = await call("POST", "/bills/status", { body: { reference } });
    expect(found.statusCode).toBe(200);
    expect(found.json()).toEqual({ status: true, message: "Bill retrieved.", data });
  });

  test("agrees with the biller's own books", async () => {
    await work();
    const { ours, theirs } = await truths();
    expect(ours).toBe(theirs);
    expect(ours).toBeGreaterThan(0n);
    expect(await differences()).toEqual([]);
  });
});

test("in a frozen sandbox a bill is done before the answer is out, and equal inputs give equal records", async () => {
  const play = async () => {
    const frozen = await createBillsApp();
    const clock = { mode: "frozen", now: "2026-11-03T09:00:00.000Z", seed: "bills" };
    await frozen.call("PUT", "/sandbox/clock", { body: clock });
    const { data } = (await frozen.vend("electricity", { reference: "frozen-1" })).json();
    expect(data).toMatchObject({ status: "pending", createdAt: clock.now });
    const done = await frozen.read(data.id);
    expect(done).toMatchObject({ status: "successful", completedAt: clock.now });
    // The main wallet's id follows from the environment's, which differs.
    return { ...done, sourceAccountId: null };
  };
  expect(await play()).toEqual(await play());
});
