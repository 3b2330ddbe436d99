import { describe, expect, test } from "vitest";
import { createTestApp } from "../../../testing/app.ts";
import { issueKeyFor, issueLiveKeyFor } from "../../../testing/keys.ts";

const { call, db, merchant } = await createTestApp();

const list = async (path: string) => {
  const reply = await call("GET", path);
  expect(reply.statusCode).toBe(200);
  return reply.json().data;
};

describe("discovery", () => {
  test("shows the categories, whether to validate, and where to vend", async () => {
    expect(await list("/bills/catalogs")).toEqual([
      { code: "airtime", name: "Airtime", requiresValidation: false, vendPath: "/bills/airtime/vend" },
      { code: "data", name: "Mobile data", requiresValidation: false, vendPath: "/bills/data/vend" },
      { code: "electricity", name: "Electricity", requiresValidation: false, vendPath: "/bills/electricity/vend" },
      { code: "tv", name: "TV subscription", requiresValidation: true, vendPath: "/bills/tv/vend" },
      { code: "betting", name: "Betting account", requiresValidation: true, vendPath: "/bills/betting/vend" },
    ]);
  });

  test("shows four networks with prefixes and bounds", async () => {
    const networks = await list("/bills/networks");
    expect(networks.map(({ code }: { code: string }) => code)).toEqual(["MTN", "AIRTEL", "GLO", "9MOBILE"]);
    expect(networks[0]).toEqual({
      code: "MTN",
      name: "MTN",
      minAmount: 50,
      maxAmount: 50_000,
      prefixes: "0703 0706 0803 0806 0810 0813 0814 0816 0903 0906 0913 0916".split(" "),
    });
  });

  test("shows the data plans of all networks or of one, in any case", async () => {
    expect(await list("/bills/data/list")).toHaveLength(38);
    for (const network of ["GLO", "glo"]) {
      expect(await list(`/bills/data/list?network=${network}`)).toEqual(
        [
          ["glo-1.35gb-14d", "1.35GB", 14, 500],
          ["glo-3.9gb-30d", "3.9GB", 30, 1500],
          ["glo-7.5gb-30d", "7.5GB", 30, 2500],
          ["glo-13.25gb-30d", "13.25GB", 30, 4000],
        ].map(([planCode, size, validityDays, amount]) => ({
          planCode,
          network: "GLO",
          name: `Glo ${size} for ${validityDays} days`,
          size,
          validityDays,
          amount,
        })),
      );
    }
  });

  test("shows twelve electricity companies", async () => {
    const companies = await list("/bills/electricity/list");
    expect(companies).toHaveLength(12);
    expect(companies[0]).toEqual({
      code: "ikeja-electric",
      name: "Ikeja Electric",
      shortName: "IKEDC",
      meterTypes: ["prepaid", "postpaid"],
      minAmount: 1000,
      maxAmount: 500_000,
    });
  });

  test("shows the TV packages of all providers or of one", async () => {
    expect(await list("/bills/tv/list")).toHaveLength(16);
    const packages = await list("/bills/tv/list?provider=gotv");
    expect(packages).toHaveLength(6);
    expect(packages[5]).toEqual({
      provider: "gotv",
      packageCode: "gotv-supa-plus",
      name: "GOtv Supa Plus",
      amount: 16_800,
      months: 1,
    });
  });

  test("shows fourteen betting companies", async () => {
    const companies = await list("/bills/betting/list");
    expect(companies).toHaveLength(14);
    expect(companies[0]).toEqual({ code: "bet9ja", name: "Bet9ja", minAmount: 100, maxAmount: 100_000 });
  });

  test.each([
    ["/bills/data/list?network=vodafone", "unknown_network"],
    ["/bills/tv/list?provider=hulu", "unknown_provider"],
    ["/bills/data/list?network=", "validation_failed"],
  ])("refuses %s with %s", async (path, code) => {
    const reply = await call("GET", path);
    expect([reply.statusCode, reply.json().code]).toEqual([422, code]);
  });

  test.each(["catalogs", "networks", "data/list", "electricity/list", "tv/list", "betting/list"])(
    "returns 304 to a caller who has %s already",
    async (name) => {
      const { etag } = (await call("GET", `/bills/${name}`)).headers;
      const again = await call("GET", `/bills/${name}`, { headers: { "if-none-match": String(etag) } });
      expect([again.statusCode, again.body]).toEqual([304, ""]);
    },
  );

  test("needs a key with its scope, and works with a live one", async () => {
    expect((await call("GET", "/bills/networks", { key: null })).statusCode).toBe(401);
    const other = await issueKeyFor(db, merchant.environment.id, { scopes: ["transfers:read"] });
    expect((await call("GET", "/bills/networks", { key: other })).json().code).toBe("scope_missing");
    const live = await issueLiveKeyFor(db, merchant.merchant.id);
    expect((await call("GET", "/bills/networks", { key: live })).statusCode).toBe(200);
  });
});
