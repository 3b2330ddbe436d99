import { afterEach, describe, expect, test } from "vitest";
import { changedReply } from "../../../testing/providers/twin-faults.ts";
import { coded, type TokenShape, tokenOf, tokenShapes } from "../../../testing/providers/vtpass-replies.ts";
import { connectVtpassTwin } from "../../../testing/providers/vtpass-subject.ts";
import type { VtpassTwinOptions } from "../../../testing/providers/vtpass-twin.ts";
import { kobo } from "../../money/kobo.ts";
import { keysOf } from "../../platform/keys-of.ts";
import type { VendOrder } from "../biller.ts";

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

async function connect(options: VtpassTwinOptions = {}) {
  const subject = await connectVtpassTwin(options);
  opened.push(() => subject.twin.close());
  const bodies = () =>
    subject.twin.calls.filter(({ route }) => route === "POST /api/pay").map(({ request }) => request.body);
  return { ...subject, bodies };
}

const phone = "+2348031234567";
const data: Partial<VendOrder> = {
  category: "data",
  provider: "9MOBILE",
  customer: "+2348091234567",
  meterType: null,
  productCode: "eti-1000",
  amount: kobo(100_000n),
  phoneNumber: null,
};
const tv: Partial<VendOrder> = {
  category: "tv",
  provider: "dstv",
  customer: "7023456789",
  meterType: null,
  productCode: "dstv-padi",
  subscriptionType: "change",
  amount: kobo(440_000n),
};

describe("an order in VTpass's words", () => {
  test.each<[string, Partial<VendOrder>, object]>([
    [
      "airtime",
      {
        category: "airtime",
        provider: "MTN",
        customer: phone,
        meterType: null,
        phoneNumber: null,
        amount: kobo(5_000n),
      },
      { serviceID: "mtn", amount: 50, phone: "08031234567" },
    ],
    [
      "data",
      data,
      {
        serviceID: "etisalat-data",
        amount: 1000,
        phone: "08091234567",
        billersCode: "08091234567",
        variation_code: "eti-1000",
      },
    ],
    [
      "postpaid electricity",
      { meterType: "postpaid", provider: "eko-electric", customer: "45012345678" },
      {
        serviceID: "eko-electric",
        amount: 5000,
        phone: "08031234567",
        billersCode: "45012345678",
        variation_code: "postpaid",
      },
    ],
    [
      "another package",
      tv,
      {
        serviceID: "dstv",
        amount: 4400,
        phone: "08031234567",
        billersCode: "7023456789",
        variation_code: "dstv-padi",
        subscription_type: "change",
      },
    ],
    [
      "the same package again",
      { ...tv, subscriptionType: "renew" },
      { serviceID: "dstv", amount: 4400, phone: "08031234567", billersCode: "7023456789", subscription_type: "renew" },
    ],
    [
      "a StarTimes package again",
      { ...tv, provider: "startimes", productCode: "nova", subscriptionType: "renew", amount: kobo(210_000n) },
      { serviceID: "startimes", amount: 2100, phone: "08031234567", billersCode: "7023456789", variation_code: "nova" },
    ],
  ])("%s", async (_, change, body) => {
    const { rail, newOrder, bodies } = await connect();
    const order = newOrder(change);
    expect(await rail.vend(order)).toMatchObject({ outcome: "success", delivery: { token: null } });
    expect(bodies()).toEqual([{ request_id: order.requestId, ...body }]);
  });

  test.each<[string, Partial<VendOrder>, string]>([
    ["kobo", { amount: kobo(500_050n) }, "amount_not_whole_naira"],
    ["betting", { category: "betting", provider: "bet9ja" }, "not_sold"],
    ["an unknown company", { provider: "constructor" }, "not_sold"],
    ["nobody to call", { phoneNumber: null }, "phone_number_missing"],
  ])("%s is refused before anything is sent", async (_, change, code) => {
    const { rail, newOrder, twin } = await connect();
    expect(await rail.vend(newOrder(change))).toEqual({
      outcome: "failure",
      code,
      message: expect.stringMatching(/\.$/),
    });
    expect(twin.calls).toEqual([]);
  });

  test("says which categories it is sold in", async () => {
    const { rail } = await connect();
    expect(rail.categories).toEqual(["airtime", "data", "electricity", "tv"]);
    expect(rail.requestIds).toBe("lagos_minute");
  });
});

describe("customers", () => {
  test("networks are not asked", async () => {
    const { rail, newOrder, twin } = await connect();
    const nobody = {
      found: "yes",
      customer: { name: null, address: null, subscription: null, renewalAmount: null },
    };
    expect(await rail.validate(newOrder(data))).toEqual(nobody);
    expect(twin.calls).toEqual([]);
  });

  test("a smart card tells what runs on it", async () => {
    const { rail, newOrder } = await connect();
    const subscription = { packageCode: "dstv-padi", dueDate: "2026-12-01" };
    expect(await rail.validate(newOrder(tv))).toMatchObject({
      found: "yes",
      customer: { name: "ADA OBI", subscription },
    });
  });

  test("what VTpass does not sell cannot be asked about", async () => {
    const { rail, newOrder, twin } = await connect();
    expect(await rail.validate(newOrder({ category: "betting", provider: "bet9ja" }))).toEqual({
      found: "unavailable",
    });
    expect(twin.calls).toEqual([]);
  });
});

describe("midnight in Lagos", () => {
  const lastSeconds = () => new Date("2026-11-16T22:59:58Z");

  test("an id of today is taken, and yesterday's is refused for good", async () => {
    const { rail, newOrder, twin } = await connect({ now: lastSeconds });
    const [lost, taken] = [newOrder(), newOrder()];
    expect(lost.requestId.slice(0, 12)).toBe("202611162359");
    twin.misbehave(["lost_request"], "POST /api/pay");
    expect(await rail.vend(lost)).toMatchObject({ outcome: "unknown" });
    expect(await rail.vend(taken)).toMatchObject({ outcome: "success" });
    twin.books.pass(5_000);
    expect(await rail.query(lost)).toEqual({ outcome: "no_record" });
    expect(await rail.vend(lost)).toMatchObject({ outcome: "failure", code: "085" });
    expect(twin.books.transactions.size).toBe(1);
    expect(await rail.vend(newOrder())).toMatchObject({ outcome: "success" });
    expect(await rail.query(taken)).toMatchObject({ outcome: "success" });
  });
});

describe("tokens", () => {
  const complete = keysOf(tokenShapes).filter((shape) => shape !== "not_there_yet");

  test.each(complete)("come as %s", async (shape) => {
    const { rail, newOrder, twin } = await connect();
    twin.manner.token = shape;
    const order = newOrder();
    const delivery = { token: tokenOf(order.requestId), units: "79.90" };
    expect(await rail.vend(order)).toMatchObject({ outcome: "success", delivery });
  });

  test("that are late are asked for until they come", async () => {
    const { rail, newOrder, twin } = await connect();
    const order = newOrder();
    twin.manner.token = "not_there_yet" satisfies TokenShape;
    expect(await rail.vend(order)).toMatchObject({ outcome: "unknown", code: "token_missing" });
    expect(await rail.query(order)).toMatchObject({ outcome: "unknown", code: "token_missing" });
    twin.manner.token = "bare";
    expect(await rail.query(order)).toMatchObject({
      outcome: "success",
      delivery: { token: tokenOf(order.requestId) },
    });
    expect(twin.books.transactions.get(order.requestId)?.deliveries).toBe(1);
  });
});

describe("our account at VTpass", () => {
  test("an empty wallet holds the connection, and the order goes through when it is filled", async () => {
    const { rail, newOrder, twin } = await connect();
    const order = newOrder();
    twin.books.float = kobo(100n);
    expect(await rail.vend(order)).toMatchObject({ outcome: "unknown", hold: { reason: "float_empty" } });
    expect(await rail.query(order)).toEqual({ outcome: "no_record" });
    twin.books.float = kobo(10_000_000n);
    expect(await rail.vend(order)).toMatchObject({ outcome: "success" });
  });

  test("wrong keys hold the connection", async () => {
    const subject = await connectVtpassTwin({}, { apiKey: "a", publicKey: "b", secretKey: "c" });
    opened.push(() => subject.twin.close());
    const order = subject.newOrder();
    const hold = { reason: "keys_refused", message: "INVALID CREDENTIALS" };
    expect(await subject.rail.vend(order)).toMatchObject({ outcome: "unknown", hold });
    expect(await subject.rail.query(order)).toMatchObject({ outcome: "unknown", hold });
    expect(await subject.connected.readFloat?.()).toEqual(hold);
    expect(
      (await subject.connected.check()).filter(({ result }) => result === "failed").map(({ name }) => name),
    ).toEqual(["balance", "secret_key"]);
  });

  test("the balance is read to the kobo", async () => {
    const { connected, twin } = await connect();
    twin.books.float = kobo(105_343n);
    expect(await connected.readFloat?.()).toEqual({ available: kobo(105_343n) });
    twin.misbehave(["bad_gateway_after"]);
    expect(await connected.readFloat?.()).toBeNull();
  });

  test("is looked at before it is trusted", async () => {
    const { connected, twin } = await connect();
    expect((await connected.check()).every(({ result }) => result === "ok")).toBe(true);
    const without = changedReply("no_mtn", () => ({ status: 200, body: { response_description: "000", content: [] } }));
    twin.misbehave([without], "GET /api/services");
    const warnings = (await connected.check()).filter(({ result }) => result === "warning");
    expect(warnings).not.toEqual([]);
    expect(warnings[0]?.message).toMatch(/does not list/);
  });
});

test("the same customer twice within 30 seconds: the second order waits and goes through", async () => {
  const { rail, newOrder, twin } = await connect();
  const [first, second] = [newOrder(), newOrder({ customer: "45099999998" })];
  await rail.vend({ ...first, customer: "45099999998" });
  expect(await rail.vend(second)).toMatchObject({ outcome: "unknown", code: "019" });
  expect(await rail.query(second)).toEqual({ outcome: "no_record" });
  twin.books.pass(31_000);
  expect(await rail.vend(second)).toMatchObject({ outcome: "success" });
  expect(twin.books.transactions.size).toBe(2);
});

test.each([
  ["another amount", { amount: "1.00" }, "amount_differs"],
  ["another request", { requestId: "202611160000ff" }, "000"],
])("a reply with %s settles nothing and raises an alarm", async (_, change, code) => {
  const { rail, newOrder, twin } = await connect();
  const changed = changedReply("changed", ({ status, body }) => {
    const text = JSON.stringify({ ...(body as object), ...change });
    return { status, body: JSON.parse(text.replace(/"unit_price":\d+,/, "")) };
  });
  twin.misbehave([changed], "POST /api/pay");
  expect(await rail.vend(newOrder())).toMatchObject({ outcome: "unknown", code, alarm: expect.any(String) });
});

test("a webhook that lies moves nothing: only the question counts", async () => {
  const { connected, rail, newOrder, twin } = await connect();
  const order = newOrder();
  twin.fates.push("pending");
  await rail.vend(order);
  const forged = { type: "transaction-update", data: { code: "000", requestId: order.requestId, status: "delivered" } };
  const hint = connected.readHook?.({ body: Buffer.from(JSON.stringify(forged)), headers: {} });
  expect(hint).toEqual({ about: "biller", id: order.requestId, event: "transaction-update" });
  expect(await rail.query(order)).toMatchObject({ outcome: "unknown" });
});

test("a code that nobody has seen is unknown", async () => {
  const { rail, newOrder, twin } = await connect();
  const order = newOrder();
  twin.misbehave([changedReply("new_code", () => coded("0ZZ", "SOMETHING NEW"))], "POST /api/pay");
  expect(await rail.vend(order)).toEqual({ outcome: "unknown", code: "0ZZ" });
  expect(await rail.query(order)).toMatchObject({ outcome: "success" });
});
