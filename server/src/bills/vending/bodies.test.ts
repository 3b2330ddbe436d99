/** What the body of a bill may hold and what it may not, before the catalogue is asked. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { complaintsOf } from "../../../testing/platform/complaints.ts";
import { kobo } from "../../money/kobo.ts";
import { networkQuery, tvQuery } from "../discovery/discovery-schemas.ts";
import { presentRate, rateBody, rateData, readRate } from "../rate/rate-routes.ts";
import type { Bill } from "./bill.ts";
import { presentBill } from "./present-bill.ts";
import { airtimeBody, bettingBody, billData, electricityBody, listQuery, tvBody } from "./schemas.ts";

const phoneNumber = "08031234567";
const reference = "order-1042";
const airtime = { network: "MTN", phoneNumber, amount: 1_000, reference };
const power = {
  provider: "ikeja-electric",
  meterNumber: "45012345678",
  meterType: "prepaid",
  amount: 5_000,
  phoneNumber,
  reference,
};
const tv = {
  provider: "dstv",
  smartCardNumber: "7023456789",
  packageCode: "dstv-compact",
  subscriptionType: "change",
  phoneNumber,
  reference,
};
const betting = { provider: "bet9ja", customerId: "1234567", amount: 2_000, reference };

describe("words of an order", () => {
  test.each(["08031234567", "2348031234567", "+2348031234567", "0803 123 4567"])("take the phone %j", (phone) => {
    expect(complaintsOf(airtimeBody)({ ...airtime, phoneNumber: phone })).toEqual({});
  });

  test.each(["0803123456", "080312345678", "+4915112345678", "phone", "", "０８０３１２３４５６７"])(
    "do not take the phone %j",
    (phone) => {
      expect(complaintsOf(airtimeBody)({ ...airtime, phoneNumber: phone })).toEqual({
        phoneNumber: "must be a Nigerian mobile number such as 08031234567",
      });
    },
  );

  test.each([
    ["4501234567", false],
    ["45012345678", true],
    ["450123456789", false],
    ["4501234567890", true],
    ["45012345678901", false],
    ["4501234567a", false],
    ["45012345678\n", false],
  ])("take the meter %j: %s", (meterNumber, fits) => {
    const found = complaintsOf(electricityBody)({ ...power, meterNumber });
    expect(Object.keys(found)).toEqual(fits ? [] : ["meterNumber"]);
  });

  test.each([
    ["7023456", false],
    ["70234567", true],
    ["70234567890123", true],
    ["702345678901234", false],
    ["70234 5678", false],
  ])("take the smart card %j: %s", (smartCardNumber, fits) => {
    expect(Object.keys(complaintsOf(tvBody)({ ...tv, smartCardNumber }))).toEqual(fits ? [] : ["smartCardNumber"]);
  });

  test.each([
    ["ada_obi.1@shop-2", true],
    ["x".repeat(60), true],
    ["x".repeat(61), false],
    ["ada obi", false],
    ["<script>", false],
    ["ọmọ", false],
    ["", false],
  ])("take the betting customer %j: %s", (customerId, fits) => {
    expect(Object.keys(complaintsOf(bettingBody)({ ...betting, customerId }))).toEqual(fits ? [] : ["customerId"]);
  });

  test.each(["Prepaid", "smart", ""])("do not take the meter type %j", (meterType) => {
    expect(complaintsOf(electricityBody)({ ...power, meterType })).toHaveProperty("meterType");
  });

  test.each([0, -5, 0.005])("do not take the amount %d", (amount) => {
    for (const [schema, body] of [
      [airtimeBody, airtime],
      [electricityBody, power],
      [bettingBody, betting],
    ] as const) {
      expect(Object.keys(complaintsOf(schema)({ ...body, amount }))).toEqual(["amount"]);
    }
  });

  test("name a package for a change, and may leave it out for a renewal", () => {
    const complaints = complaintsOf(tvBody);
    const { packageCode: _, ...without } = tv;
    expect(complaints(without)).toEqual({ packageCode: "is required" });
    expect(complaints({ ...without, subscriptionType: "renew" })).toEqual({});
    expect(complaints({ ...tv, subscriptionType: "renew" })).toEqual({});
    // Everything is told at once, also what is missing for a change.
    expect(complaints({ ...without, subscriptionType: "upgrade", reference: "" })).toEqual({
      subscriptionType: "must be one of change, renew",
      reference: "must have at least 1 character",
      packageCode: "is required",
    });
  });
});

describe("questions about bills", () => {
  test("are asked of everybody, or of one network or company", () => {
    expect(complaintsOf(networkQuery, "query")({})).toEqual({});
    expect(complaintsOf(networkQuery, "query")({ network: "" })).toHaveProperty("network");
    expect(complaintsOf(tvQuery, "query")({ provider: "x".repeat(41) })).toHaveProperty("provider");
  });

  test.each([{ status: "done" }, { status: "completed" }, { category: "water" }, { limit: "0" }, { from: "soon" }])(
    "do not take %j in a list",
    (query) => {
      expect(Object.keys(complaintsOf(listQuery, "query")(query))).toEqual(Object.keys(query));
    },
  );
});

const at = new Date("2026-11-03T09:15:00.000Z");
const id = "01932c70-4d5e-7f60-8a1b-2c3d4e5f6071";
const bill: Bill = {
  id,
  reference,
  sourceAccountId: id,
  category: "electricity",
  provider: "ikeja-electric",
  product: { code: "ikeja-electric-prepaid", name: "Ikeja Electric prepaid" },
  customer: { identifier: "45012345678", name: "ADA OBI" },
  phoneNumber: "+2348031234567",
  meterType: "prepaid",
  subscriptionType: null,
  amount: kobo(500_000n),
  catalogueVersion: 3,
  fee: kobo(10_000n),
  commission: kobo(7_550n),
  status: "successful",
  version: 3,
  token: "12345678901234567890",
  units: "43.70",
  receiptNumber: "r-1",
  failureReason: null,
  createdAt: at,
  updatedAt: at,
  completedAt: at,
  connectionId: "connection-1",
  requestId: "request-1",
};

describe("a bill as it is shown", () => {
  test("is what the document says, and tells nothing of the biller's side", () => {
    const shown = presentBill(bill, "SANDBOX");
    expect(complaintsOf(billData)(shown)).toEqual({});
    expect(Object.keys(shown).sort()).toEqual(Object.keys(billData.properties).sort());
    expect(JSON.stringify(shown)).not.toMatch(/connection-1|request-1/);
    expect(shown).toMatchObject({ units: 43.7, amount: 5_000, fee: 100, commission: 75.5, totalDebited: 5_100 });
  });

  test.each(["failed", "reversed"] as const)("costs and earns nothing once it is %s", (status) => {
    expect(presentBill({ ...bill, status }, "LIVE")).toMatchObject({
      amount: 5_000,
      fee: 0,
      commission: 0,
      totalDebited: 0,
    });
  });

  test.each(["pending", "processing", "successful"] as const)("is debited amount and fee while it is %s", (status) => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 9n), fc.bigInt(0n, 10n ** 6n), (amount, fee) => {
        const shown = presentBill({ ...bill, status, amount: kobo(amount), fee: kobo(fee) }, "LIVE");
        expect(Math.round(shown.totalDebited * 100)).toBe(Number(amount + fee));
      }),
    );
  });

  test("has null where there is nothing to tell yet", () => {
    const open = { ...bill, status: "pending" as const, token: null, units: null, receiptNumber: null };
    expect(presentBill({ ...open, completedAt: null }, "LIVE")).toMatchObject({
      token: null,
      units: null,
      receiptNumber: null,
      completedAt: null,
    });
  });
});

describe("a rate on the wire", () => {
  const body = {
    category: "airtime" as const,
    version: 2,
    effectiveFrom: "2026-12-01T00:00:00.000Z",
    commissionPercent: 2.75,
    fee: 100.5,
    source: "Agreement",
    reason: "New agreement",
  };

  test("is read in hundredths of a percent, and shown as it was written", () => {
    const rate = readRate(body);
    expect(rate).toMatchObject({ commissionBasisPoints: 275n, fee: kobo(10_050n) });
    const { reason: _, ...fields } = body;
    expect(presentRate(rate, false)).toEqual({ ...fields, inForce: false });
    expect(complaintsOf(rateData)(presentRate(rate, true))).toEqual({});
  });

  test("comes out as it went in for every hundredth", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000 }), (points) => {
        const rate = readRate({ ...body, commissionPercent: points / 100 });
        expect(rate.commissionBasisPoints).toBe(BigInt(points));
        expect(presentRate(rate, true).commissionPercent).toBe(points / 100);
      }),
    );
  });

  test.each([2.755, 0.001])("of %d percent has too many decimals", (commissionPercent) => {
    expect(() => readRate({ ...body, commissionPercent })).toThrow(
      expect.objectContaining({ code: "validation_failed" }),
    );
  });

  test.each([
    [{ category: "water" }, "category"],
    [{ commissionPercent: 100.01 }, "commissionPercent"],
    [{ commissionPercent: -0.01 }, "commissionPercent"],
    [{ fee: 10_000.01 }, "fee"],
    [{ fee: -1 }, "fee"],
    [{ source: " \n" }, "source"],
  ])("with %j is refused", (change, field) => {
    expect(Object.keys(complaintsOf(rateBody)({ ...body, ...change }))).toEqual([field]);
  });
});
