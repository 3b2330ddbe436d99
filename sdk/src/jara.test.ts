import { afterEach, expect, test, vi } from "vitest";
import { createFaultServer, good, json } from "../testing/fault-server.ts";
import { Jara, JaraInputError } from "./index.ts";

const server = await createFaultServer();
const jara = new Jara({ secretKey: "sk_test_x", baseUrl: `${server.baseUrl}/` });
afterEach(() => vi.unstubAllGlobals());

test("a secret key in a browser is refused, and the refusal says why", () => {
  vi.stubGlobal("window", { document: {} });
  expect(() => new Jara({ secretKey: "sk_live_x" })).toThrow(JaraInputError);
  expect(() => new Jara({ secretKey: "sk_live_x" })).toThrow("everybody who opens the page can read it");
});

test("it is taken where somebody has said so", async () => {
  vi.stubGlobal("window", { document: {} });
  const staff = new Jara({ secretKey: "sk_test_x", baseUrl: server.baseUrl, dangerouslyAllowBrowser: true });
  expect(staff.transfers).toBeDefined();
  const badKey = () => new Jara({ secretKey: "pk_x", dangerouslyAllowBrowser: true });
  expect(badKey).toThrow("is not a secret key");
});

test.each([
  ["localhost", "is not an address"],
  ["ftp://x", "begins with https"],
  ["https://ada:hush@x.test", "a user name or password"],
])("refuses the base URL %s", (baseUrl, words) => {
  const make = () => new Jara({ secretKey: "sk_test_x", baseUrl });
  expect(make).toThrow(words);
  expect(make).not.toThrow("hush");
});

test("calls below a path of the base URL, without a second slash", async () => {
  server.play(good([]));
  await new Jara({ secretKey: "sk_test_x", baseUrl: `${server.baseUrl}/jara/` }).transfers.listBanks();
  await jara.transfers.listBanks();
  expect(server.arrived.map(({ url }) => url)).toEqual(["/jara/transfers/banks", "/transfers/banks"]);
});

test.each(["", ".", ".."])("the id %j cannot turn into another address", async (id) => {
  server.play(good({}));
  await expect((async () => jara.transfers.get(id))()).rejects.toThrow("which is not an id");
  expect(server.arrived).toEqual([]);
});

test("an id is one part of the path, whatever is in it", async () => {
  server.play(good({}));
  await jara.transfers.get("../wallets?x=1#y");
  expect(server.arrived[0]?.url).toBe("/transfers/..%2Fwallets%3Fx%3D1%23y");
});

test("a query leaves out what is undefined and writes moments as ISO 8601", async () => {
  server.play(json(200, { status: true, data: [], pagination: {} }));
  await jara.transfers.list({ from: new Date("2026-11-01T00:00:00Z"), status: undefined, reference: "a b&c" }).page();
  expect(server.arrived[0]?.url).toBe("/transfers?from=2026-11-01T00%3A00%3A00.000Z&reference=a%20b%26c");
});

test("only paths under /loans are written in snake_case", async () => {
  server.play(good({}));
  await jara.loans.repayments.create("l", { amount: "10.50", reference: "r", channel: "wallet", walletId: "w" });
  await jara.wallets.transfer({ from: "a", to: "b", amount: 10, reference: "r" });
  await jara.bills.airtime.vend({ network: "MTN", phoneNumber: "0803", amount: "100", reference: "r" });
  expect(server.arrived.map(({ body }) => body)).toEqual([
    '{"amount":10.5,"reference":"r","channel":"wallet","wallet_id":"w"}',
    '{"from":"a","to":"b","amount":10,"reference":"r"}',
    '{"network":"MTN","phoneNumber":"0803","amount":100,"reference":"r"}',
  ]);
});

test("a loan is written as text, numbers included", async () => {
  server.play(good({}));
  const person = { firstName: "Ada", lastName: "Obi", phone: "1", nin: "1", bvn: "1", email: "a@b.c" };
  const rest = { tenureType: "monthly", bankCode: "058", accountNumber: "1" } as const;
  await jara.loans.create({ ...person, ...rest, amount: 50_000.5, tenure: 3, longitude: 3.3792, latitude: "6.5244" });
  expect(JSON.parse(server.arrived[0]?.body ?? "")).toMatchObject({
    first_name: "Ada",
    amount: "50000.5",
    tenure: "3",
    tenure_type: "monthly",
    longitude: "3.3792",
    latitude: "6.5244",
  });
});

test("a raw request speaks camelCase like the others, or the wire's own words", async () => {
  server.play(good({ first_name: "Ada" }));
  const body = { firstName: "Ada", amount: "5.00" };
  expect(await jara.request("POST /loans/new", { body, query: { page: 2 } })).toEqual({ firstName: "Ada" });
  expect(await jara.request("POST /loans/new", { body, wire: true })).toEqual({ first_name: "Ada" });
  expect(server.arrived.map((arrived) => arrived.body)).toEqual([
    '{"first_name":"Ada","amount":5}',
    JSON.stringify(body),
  ]);
  expect(server.arrived[0]?.url).toBe("/loans/new?page=2");
});

test.each(["two words", "ä", "", "x".repeat(256)])("refuses the idempotency key %j", async (idempotencyKey) => {
  await expect((async () => jara.request("POST /x", { idempotencyKey }))()).rejects.toThrow("visible ASCII");
});
