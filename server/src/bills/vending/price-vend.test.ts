import { describe, expect, test } from "vitest";
import { kobo } from "../../money/kobo.ts";
import type { BillCategory } from "../../rails/biller.ts";
import { type Catalogue, categoryFacts, contentOf, providerCode } from "../catalogue/catalogue.ts";
import type { Bill } from "./bill.ts";
import { refuseChangedPrice, renewalOf } from "./create-bill.ts";
import { checkSmartCard, findPackage, findTv, priceVend } from "./price-vend.ts";
import type { Validation } from "./validation-store.ts";
import { differingFields, readPhoneNumber, type VendRequest, vendRequest } from "./vend-request.ts";

const bounds = { minAmount: kobo(5_000n), maxAmount: kobo(5_000_000n) };
const catalogue: Catalogue = {
  version: 7,
  source: "test",
  sourceDate: "2026-11-01",
  networks: [
    { code: "MTN", name: "MTN", prefixes: ["0803"], ...bounds },
    { code: "GLO", name: "Glo", prefixes: ["0805"], ...bounds },
  ],
  dataPlans: [
    { planCode: "mtn-1gb", network: "MTN", name: "1GB", size: "1GB", validityDays: 30, amount: kobo(100_000n) },
  ],
  electricityProviders: [
    { code: "ikedc", name: "Ikeja Electric", shortName: "IKEDC", meterTypes: ["prepaid"], ...bounds },
  ],
  tvProviders: [
    { code: "dstv", name: "DStv", smartCardDigits: 10 },
    { code: "startimes", name: "StarTimes", smartCardDigits: 11 },
  ],
  tvPackages: [
    { provider: "dstv", packageCode: "dstv-padi", name: "Padi", amount: kobo(440_000n), months: 1 },
    { provider: "dstv", packageCode: "dstv-yanga", name: "Yanga", amount: kobo(600_000n), months: 1 },
  ],
  bettingProviders: [{ code: "bet9ja", name: "Bet9ja", ...bounds }],
};

const asked = (category: BillCategory, changes: Partial<VendRequest> = {}): VendRequest =>
  vendRequest({ reference: "r-1", category, provider: "mtn", customer: "+2348031234567", ...changes });

const airtime = asked("airtime", { amount: kobo(50_000n) });
const data = asked("data", { productCode: "MTN-1GB" });
const power = asked("electricity", {
  provider: "IKEDC",
  customer: "45012345678",
  meterType: "prepaid",
  amount: kobo(500_000n),
});
const tv = asked("tv", {
  provider: "DStv",
  customer: "7023456789",
  productCode: "dstv-padi",
  subscriptionType: "change",
});
const bet = asked("betting", { provider: "Bet9ja", customer: "1234567", amount: kobo(100_000n) });

describe("what a request buys", () => {
  test.each([
    ["airtime", airtime, "mtn-airtime", "MTN airtime", 50_000n],
    ["data", data, "mtn-1gb", "1GB", 100_000n],
    ["electricity", power, "ikedc-prepaid", "Ikeja Electric prepaid", 500_000n],
    ["tv", tv, "dstv-padi", "Padi", 440_000n],
    ["betting", bet, "bet9ja-funding", "Bet9ja funding", 100_000n],
  ] as const)("of %s is priced by the catalogue, and names its version", (category, request, code, name, amount) => {
    expect(priceVend(catalogue, request)).toMatchObject({
      category,
      product: { code, name },
      amount,
      customer: { identifier: request.customer, name: null },
      catalogueVersion: 7,
    });
  });

  test("of a plan costs what the catalogue says, whatever amount was sent along", () => {
    expect(priceVend(catalogue, { ...data, amount: kobo(1n) }).amount).toBe(100_000n);
    expect(priceVend(catalogue, { ...tv, amount: kobo(1n) }).amount).toBe(440_000n);
  });

  test.each<[string, VendRequest, string]>([
    ["a network that there is not", { ...airtime, provider: "SPECTRANET" }, "unknown_network"],
    ["a plan that there is not", { ...data, productCode: "mtn-9gb" }, "unknown_plan"],
    ["no plan", { ...data, productCode: null }, "unknown_plan"],
    ["a plan of another network", { ...data, provider: "GLO" }, "unknown_plan"],
    ["a company that there is not", { ...power, provider: "phcn" }, "unknown_provider"],
    ["a meter that the company does not have", { ...power, meterType: "postpaid" }, "meter_type_not_supported"],
    ["no kind of meter", { ...power, meterType: null }, "meter_type_not_supported"],
    ["a package that there is not", { ...tv, productCode: "dstv-max" }, "unknown_package"],
    ["a package of another provider", { ...tv, provider: "startimes", customer: "70234567890" }, "unknown_package"],
    ["a bookmaker that there is not", { ...bet, provider: "toString" }, "unknown_provider"],
  ])("is refused for %s", (_, request, code) => {
    expect(() => priceVend(catalogue, request)).toThrow(expect.objectContaining({ code }));
  });

  test.each<[string, VendRequest]>([
    ["airtime", airtime],
    ["electricity", power],
    ["betting", bet],
  ])("of %s stays within the provider's bounds, to the kobo", (_, request) => {
    const price = (amount: bigint) => priceVend(catalogue, { ...request, amount: kobo(amount) }).amount;
    expect([price(5_000n), price(5_000_000n)]).toEqual([5_000n, 5_000_000n]);
    for (const amount of [4_999n, 5_000_001n, 0n, -5_000n]) {
      expect(() => price(amount)).toThrow(
        expect.objectContaining({ code: "amount_out_of_band", data: { minAmount: 50, maxAmount: 50_000 } }),
      );
    }
    expect(() => priceVend(catalogue, { ...request, amount: null })).toThrow("names its amount");
  });

  test("is refused for a smart card with the wrong number of digits", () => {
    expect(() => checkSmartCard(findTv(catalogue, "dstv"), "702345678")).toThrow(
      expect.objectContaining({
        code: "validation_failed",
        errors: [{ field: "smartCardNumber", message: "must have 10 digits for DStv" }],
      }),
    );
    expect(() => checkSmartCard(findTv(catalogue, "startimes"), "70234567890")).not.toThrow();
    expect(findPackage(catalogue, "startimes", "dstv-padi")).toBeUndefined();
  });
});

describe("a renewal", () => {
  const validation: Validation = {
    id: "v1",
    category: "tv",
    provider: "dstv",
    customer: "7023456789",
    customerName: "Adaeze Okafor",
    packageCode: "dstv-padi",
    catalogueVersion: 7,
    expiresAt: new Date(0),
  };
  const renew: VendRequest = { ...tv, productCode: null, subscriptionType: "renew" };

  test("buys what runs on the card, named or not", () => {
    expect(renewalOf(catalogue, validation, renew).productCode).toBe("dstv-padi");
    expect(renewalOf(catalogue, validation, { ...renew, productCode: "dstv-padi" }).productCode).toBe("dstv-padi");
  });

  test("of another package is refused, with what runs and what it costs", () => {
    expect(() => renewalOf(catalogue, validation, { ...renew, productCode: "dstv-yanga" })).toThrow(
      expect.objectContaining({
        code: "package_not_current",
        data: { currentPackage: "dstv-padi", renewalAmount: 4_400 },
      }),
    );
  });

  test.each<[string, Validation | null]>([
    ["nobody validated", null],
    ["nothing runs on", { ...validation, packageCode: null }],
    ["a package runs on that is sold no more", { ...validation, packageCode: "dstv-old" }],
  ])("of a card that %s is refused", (_, found) => {
    expect(() => renewalOf(catalogue, found, renew)).toThrow(expect.objectContaining({ code: "nothing_to_renew" }));
  });

  describe("when prices have changed since the customer was shown one", () => {
    const then = (amount: bigint): Catalogue => ({
      ...catalogue,
      version: 6,
      tvPackages: catalogue.tvPackages.map((one) => ({ ...one, amount: kobo(amount) })),
    });
    const refuse = (old: Catalogue, told: Validation | null, request = tv) => {
      const catalogues = { current: async () => catalogue, version: async () => old, forget: () => {} };
      return refuseChangedPrice(catalogues, catalogue, told, priceVend(catalogue, request));
    };
    const older = { ...validation, catalogueVersion: 6 };

    test("is refused with both prices", async () => {
      await expect(refuse(then(400_000n), older)).rejects.toMatchObject({
        code: "price_changed",
        data: { packageCode: "dstv-padi", validatedAmount: 4_000, amount: 4_400 },
      });
    });

    test.each<[string, Catalogue, Validation | null, VendRequest]>([
      ["it costs the same", then(440_000n), older, tv],
      ["the customer saw the prices of today", then(400_000n), validation, tv],
      ["the package was not on offer then", { ...then(1n), tvPackages: [] }, older, tv],
      ["nobody was shown a price", then(400_000n), null, tv],
      ["the amount is the customer's own", then(400_000n), older, bet],
    ])("goes through where %s", async (_, old, told, request) => {
      await expect(refuse(old, told, request)).resolves.toBeUndefined();
    });
  });
});

describe("a request in one form for all categories", () => {
  test("has codes as the catalogue writes them, however the caller did", () => {
    expect(asked("airtime", { provider: "mTn" }).provider).toBe("MTN");
    expect(asked("tv", { provider: "DSTV", productCode: "DStv-Padi" })).toMatchObject({
      provider: "dstv",
      productCode: "dstv-padi",
    });
    expect(providerCode("data", "glo")).toBe("GLO");
    expect(providerCode("betting", "BET9JA")).toBe("bet9ja");
  });

  test("has null where a category does not have the word", () => {
    expect(airtime).toMatchObject({ sourceAccountId: null, meterType: null, productCode: null, phoneNumber: null });
  });

  test("has phone numbers as the world writes them", () => {
    expect(readPhoneNumber("0803 123 4567")).toBe("+2348031234567");
    expect(() => readPhoneNumber("12")).toThrow("passed its schema");
  });
});

describe("a second request under the same reference", () => {
  const bill = (request: VendRequest): Bill => ({
    ...priceVend(catalogue, request),
    id: "b1",
    reference: request.reference,
    sourceAccountId: "w1",
    fee: kobo(0n),
    commission: kobo(0n),
    status: "pending",
    version: 1,
    token: null,
    units: null,
    receiptNumber: null,
    failureReason: null,
    createdAt: new Date(0),
    updatedAt: new Date(0),
    completedAt: null,
    connectionId: null,
    requestId: null,
  });

  test.each([airtime, data, power, tv, bet])("is the same one when nothing differs: $category", (request) => {
    expect(differingFields(bill(request), request, "w1")).toEqual([]);
  });

  test.each<[string, VendRequest, Partial<VendRequest>, string[]]>([
    ["another network", airtime, { provider: "GLO" }, ["network"]],
    ["another phone", airtime, { customer: "+2348051234567" }, ["phoneNumber"]],
    ["another amount", airtime, { amount: kobo(50_001n) }, ["amount"]],
    ["another plan", data, { productCode: "mtn-2gb" }, ["planCode"]],
    ["another meter", power, { customer: "45012345679" }, ["meterNumber"]],
    ["another kind of meter", power, { meterType: "postpaid" }, ["meterType"]],
    ["another card", tv, { customer: "7023456780" }, ["smartCardNumber"]],
    ["another package", tv, { productCode: "dstv-yanga" }, ["packageCode"]],
    ["a renewal in place of a change", tv, { subscriptionType: "renew" }, ["subscriptionType"]],
    ["another player", bet, { customer: "7654321" }, ["customerId"]],
  ])("with %s is told in the words of the wire", (_, first, change, fields) => {
    expect(differingFields(bill(first), { ...first, ...change }, "w1")).toEqual(fields);
  });

  test("from another wallet, or of another category, is another one", () => {
    expect(differingFields(bill(airtime), airtime, "w2")).toEqual(["sourceAccountId"]);
    expect(differingFields(bill(airtime), { ...data, productCode: "mtn-airtime" }, "w1")).toEqual(["category"]);
  });

  test("is the same one whether or not it names what the catalogue knows", () => {
    expect(differingFields(bill(tv), { ...tv, productCode: null }, "w1")).toEqual([]);
  });
});

test("money that cannot be asked back from the wrong customer wants a validation first", () => {
  const wanting = Object.entries(categoryFacts).filter(([, { requiresValidation }]) => requiresValidation);
  expect(wanting.map(([category]) => category)).toEqual(["tv", "betting"]);
});

test("the content of a catalogue is all of it but its version and source", () => {
  const { version: _, source: __, sourceDate: ___, ...content } = catalogue;
  expect(contentOf(catalogue)).toEqual(content);
});
