import { afterEach, describe, expect, test } from "vitest";
import { variationsReply } from "../../../testing/providers/vtpass-lists.ts";
import { connectVtpassTwin } from "../../../testing/providers/vtpass-subject.ts";
import { kobo } from "../../money/kobo.ts";
import type { WireReply } from "../provider-client.ts";
import { daysIn, monthsIn, readServices, readVariations, type Seller, sizeIn } from "./products.ts";

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

const answer = (body: unknown, status = 200): WireReply => ({ kind: "answer", status, body, headers: {} });
const mtn: Seller = { category: "data", provider: "MTN", serviceId: "mtn-data" };
const startimes: Seller = { category: "tv", provider: "startimes", serviceId: "startimes" };

test.each([
  ["N100 100MB - 24 hrs", "100MB", 1],
  ["N200 200MB - 2 days", "200MB", 2],
  ["N1000 1.5GB - 30 days", "1.5GB", 30],
  ["Glo Data N500 -  1.05GB - 14 days", "1.05GB", 14],
  ["9mobile Data - 2000 Naira - 4.5GB Data - 30 Days", "4.5GB", 30],
  ["Airtel Data Bundle - 1,000 Naira - 1.5GB - 30 Days", "1.5GB", 30],
  ["MTN Data 4.5TB - 1 Year", "4.5TB", 365],
  ["MTN N6,000 1,000GB Monthly", "1000GB", 30],
  ["2GB MidNite for 7days - 1,020 Naira", "2GB", 7],
  ["2GB + 1 hour of video - 30 days", "2GB", 30],
  ["N300 Xtratalk Weekly Bundle", null, 7],
  ["N500 1GB (3 hours)", "1GB", null],
  ["Social bundle", null, null],
  ["WhatsApp 5GBonus", null, null],
  ["3-month plan 10 GB", "10GB", 90],
])("%s holds %s for %s days", (name, size, days) => {
  expect([sizeIn(name), daysIn(name)]).toEqual([size, days]);
});

test.each([
  ["DStv Compact N19,000", 1],
  ["Nova - 900 Naira - 1 Month", 1],
  ["GOtv Smallie - quarterly N5,100", 3],
  ["GOtv Smallie - yearly N15,000", 12],
  ["Full - N8,400 - 3 Months", 3],
  ["Nova - 700 Naira - 1Week", null],
  ["Nova - 90 Naira - 1 Day", null],
])("%s runs for %s months", (name, months) => {
  expect(monthsIn(name)).toBe(months);
});

describe("a list of variations", () => {
  test.each(["variations", "varations", "both"] as const)("is read when it is spelled %s", (spelling) => {
    const read = readVariations(answer(variationsReply("mtn-data", spelling)), mtn);
    expect(read?.products).toHaveLength(4);
    expect(read?.products[1]).toEqual({
      category: "data",
      provider: "MTN",
      code: "mtn-100mb-1000",
      name: "N1000 1.5GB - 30 days",
      amount: kobo(100_000n),
      size: "1.5GB",
      validityDays: 30,
      months: null,
    });
  });

  test("leaves out what cannot be sold as a package, and says why", () => {
    const read = readVariations(answer(variationsReply("startimes", "both")), startimes);
    expect(read?.products.map(({ code, months }) => [code, months])).toEqual([["nova", 1]]);
    expect(read?.leftOut).toEqual([
      { provider: "startimes", code: "nova-weekly", reason: "it does not run for whole months" },
      { provider: "startimes", code: "nova-daily", reason: "it does not run for whole months" },
      { provider: "startimes", code: "ewallet", reason: "it has no price" },
    ]);
  });

  test.each([
    [{ variation_code: "MTN-UPPER" }, "its code cannot be ordered here"],
    [{ variation_code: null }, "its code cannot be ordered here"],
    [{ name: " " }, "it has no name"],
    [{ variation_amount: "abc" }, "it has no price"],
    [{ variation_amount: "99.50" }, "its price has kobo"],
    [{ variation_amount: 99.5 }, "its price has kobo"],
    [{ fixedPrice: "No" }, "its price is not fixed"],
  ])("leaves out %o: %s", (change, reason) => {
    const variation = { variation_code: "a_1", name: "1GB - 1 day", variation_amount: "100.00", fixedPrice: "Yes" };
    const list = (one: unknown) =>
      answer({ response_description: "000", content: { serviceID: "mtn-data", variations: [one] } });
    expect(readVariations(list(variation), mtn)).toMatchObject({ products: [{ code: "a_1" }], leftOut: [] });
    expect(readVariations(list({ ...variation, ...change }), mtn)).toMatchObject({
      products: [],
      leftOut: [{ reason }],
    });
  });

  test.each([
    [answer({ code: "012", response_description: "PRODUCT DOES NOT EXIST", content: [] })],
    [answer({ response_description: "000", content: { serviceID: "glo-data", variations: [] } })],
    [answer({ response_description: "000", content: { serviceID: "mtn-data" } })],
    [answer(variationsReply("mtn-data", "both"), 500)],
    [answer(undefined)],
    [{ kind: "no_answer", why: "x" } as const],
  ])("is not read out of %o", (reply) => {
    expect(readVariations(reply, mtn)).toBeNull();
  });
});

test("services may come as a list or as a record", () => {
  const mtnAirtime = { serviceID: "mtn", minimium_amount: "5", maximum_amount: 50_000 };
  const found = new Map([["mtn", { minAmount: kobo(500n), maxAmount: kobo(5_000_000n) }]]);
  expect(readServices(answer({ response_description: "000", content: [mtnAirtime] }))).toEqual(found);
  expect(readServices(answer({ response_description: "000", content: { 0: mtnAirtime } }))).toEqual(found);
  expect(readServices(answer({ response_description: "011", content: [mtnAirtime] }))).toBeNull();
});

describe("everything that can be bought", () => {
  async function connect() {
    const subject = await connectVtpassTwin();
    opened.push(() => subject.twin.close());
    return subject;
  }

  test("is read from the lists, with the bounds of open amounts", async () => {
    const { connected, twin } = await connect();
    const read = await connected.readProducts?.();
    expect(new Set(read?.products.map(({ provider }) => provider))).toEqual(
      new Set(["MTN", "AIRTEL", "GLO", "9MOBILE", "dstv", "gotv", "startimes"]),
    );
    expect(read?.bounds).toHaveLength(4 + 12);
    expect(read?.bounds).toContainEqual({
      category: "electricity",
      provider: "ikeja-electric",
      minAmount: kobo(50_000n),
      maxAmount: kobo(100_000_000n),
    });
    expect(twin.count("GET /api/service-variations")).toBe(7);
  });

  test("is nothing at all when one list cannot be read", async () => {
    const { connected, twin } = await connect();
    twin.misbehave([null, null, "bad_gateway_after"], "GET /api/service-variations");
    expect(await connected.readProducts?.()).toBeNull();
    twin.misbehave(["unavailable"], "GET /api/services");
    expect(await connected.readProducts?.()).toBeNull();
    expect(await connected.readProducts?.()).not.toBeNull();
  });
});
