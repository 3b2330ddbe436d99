import { beforeEach, describe, expect, test } from "vitest";
import { createLiveApp } from "../../../testing/providers/live-app.ts";
import { startPaystackTwin } from "../../../testing/providers/paystack-twin.ts";
import { startVtpassTwin, vtpassKeys } from "../../../testing/providers/vtpass-twin.ts";
import { kobo } from "../../money/kobo.ts";
import { operatorScope, readEnvironment } from "../../platform/database/database.ts";
import { openCredentials } from "./credentials.ts";

const app = await createLiveApp();
const { operate, connect } = app;
const twin = app.keep(await startVtpassTwin());
const paystackTwin = app.keep(await startPaystackTwin());
const wanted = { provider: "vtpass", name: "VTpass", mode: "live", credentials: vtpassKeys, baseUrl: twin.baseUrl };
const change = (id: string, body: unknown) => operate("PATCH", `/operator/connections/${id}`, body);
const show = async (id: string) => (await operate("GET", `/operator/connections/${id}`)).json().data;
const nobody = "01998a4e-7b5a-7cde-8f01-23456789abcd";

async function audited(id: string): Promise<string[]> {
  const entries = (await operate("GET", "/operator/audit?limit=100")).json().data as Record<string, unknown>[];
  return entries.filter(({ subjectId }) => subjectId === id).map(({ action }) => String(action));
}

beforeEach(() => twin.behave());

test("providers say what they serve and which credentials they need, and which of those are secret", async () => {
  const { data } = (await operate("GET", "/operator/providers")).json();
  const found = data.find(({ provider }: { provider: string }) => provider === "vtpass");
  expect(found).toMatchObject({ ports: ["biller"], defaultBaseUrl: expect.stringMatching(/^https:/) });
  expect(found.credentials).toContainEqual({
    name: "secretKey",
    secret: true,
    required: true,
    neededFor: [],
    description: expect.any(String),
  });
  const paystack = data.find(({ provider }: { provider: string }) => provider === "paystack");
  expect(paystack.credentials).toContainEqual(
    expect.objectContaining({ name: "accountsDomain", neededFor: ["inbound"] }),
  );
});

describe("connecting a provider", () => {
  test("asks it first, then shows what it found and where its webhooks go", async () => {
    const reply = await operate("POST", "/operator/connections", wanted);
    expect(reply.statusCode, reply.body).toBe(201);
    const { data } = reply.json();
    expect(data).toMatchObject({
      provider: "vtpass",
      mode: "live",
      ports: ["biller"],
      state: "active",
      hold: null,
      approvalUrl: null,
      hookUrl: `http://localhost:4000/rails/${data.id}/hook`,
      health: { state: "ok" },
      float: { available: Number(twin.books.float) / 100, readAt: data.checkedAt },
    });
    expect(data.checks.find(({ name }: { name: string }) => name === "balance")).toMatchObject({ ok: true });
    expect(await show(data.id)).toEqual(data);
    expect(await audited(data.id)).toEqual(["connection.create"]);
  });

  test("keeps credentials sealed and shows them nowhere", async () => {
    const id = await connect({ ...wanted, name: "sealed" });
    const { dependencies, db } = app;
    const row = await readEnvironment(db, operatorScope, (tx) =>
      tx.selectFrom("rail_connections").select("sealed_credentials").where("id", "=", id).executeTakeFirstOrThrow(),
    );
    expect(openCredentials(dependencies.sealer, id, row.sealed_credentials)).toEqual(vtpassKeys);
    for (const secret of Object.values(vtpassKeys)) {
      expect(row.sealed_credentials.includes(secret)).toBe(false);
      for (const path of [`/operator/connections/${id}`, "/operator/connections", "/operator/audit?limit=100"]) {
        expect((await operate("GET", path)).body).not.toContain(secret);
      }
    }
  });

  test("with an Idempotency-Key is done once", async () => {
    const headers = { "idempotency-key": "connect-once" };
    const first = await operate("POST", "/operator/connections", wanted, headers);
    const again = await operate("POST", "/operator/connections", wanted, headers);
    expect(again.json()).toEqual(first.json());
    expect(again.headers["idempotent-replayed"]).toBe("true");
  });

  test.each([
    ["a wrong key", { credentials: { ...vtpassKeys, secretKey: "SK_of_somebody_else" } }],
    ["an address where nobody listens", { baseUrl: "http://127.0.0.1:9" }],
    ["the other mode's address", { mode: "test", baseUrl: "https://vtpass.com/api" }],
  ])("with %s is refused, and nothing is saved", async (_, others) => {
    const before = (await operate("GET", "/operator/connections")).json().data.length;
    const reply = await operate("POST", "/operator/connections", { ...wanted, ...others });
    expect([reply.statusCode, reply.json().code]).toEqual([422, "connection_check_failed"]);
    const failed = reply.json().data.checks.filter(({ ok }: { ok: boolean }) => !ok);
    expect(failed.length).toBeGreaterThan(0);
    expect(failed[0]).toMatchObject({ result: "failed", message: expect.any(String) });
    expect(reply.body).not.toContain("SK_of_somebody_else");
    expect((await operate("GET", "/operator/connections")).json().data).toHaveLength(before);
  });

  test.each([["http://vtpass.com/api"], ["https://user:secret@vtpass.com/api"], ["ftp://vtpass.com"], ["vtpass.com"]])(
    "at %s is refused before anybody is called",
    async (baseUrl) => {
      const calls = twin.calls.length;
      const reply = await operate("POST", "/operator/connections", { ...wanted, baseUrl });
      expect([reply.statusCode, reply.json().code]).toEqual([422, "connection_address_refused"]);
      expect(twin.calls).toHaveLength(calls);
    },
  );

  test("for ports without what they need is refused by the missing credential", async () => {
    const own = paystackTwin;
    const body = { provider: "paystack", name: "Paystack", mode: "live", baseUrl: own.url };
    const credentials = { secretKey: own.account.secretKey };
    const calls = own.calls.length;
    const refused = await operate("POST", "/operator/connections", {
      ...body,
      credentials,
      ports: ["bank", "inbound"],
    });
    expect([refused.statusCode, refused.json().code]).toEqual([422, "validation_failed"]);
    expect(refused.json().errors).toMatchObject([{ field: "credentials.accountsDomain" }]);
    expect(own.calls).toHaveLength(calls);
    const bare = (await operate("POST", "/operator/connections", { ...body, credentials })).json().data;
    expect(bare.ports).toEqual(["bank", "card"]);
    const route = await operate("PUT", "/operator/routes/inbound", { connections: [bare.id] });
    expect([route.statusCode, route.json().code]).toEqual([422, "connection_port_refused"]);
    const whole = { ...credentials, accountsDomain: "accounts.example.com" };
    const id = await connect({ ...body, credentials: whole });
    expect((await show(id)).ports).toEqual(["bank", "card", "inbound"]);
    const stripped = await change(id, { credentials });
    expect(stripped.json().errors).toMatchObject([{ field: "credentials.accountsDomain" }]);
    expect((await change(bare.id, { credentials })).statusCode).toBe(200);
  });

  test.each([
    [{ credentials: { apiKey: "a" } }, ["credentials.publicKey", "credentials.secretKey"]],
    [{ credentials: { ...vtpassKeys, pin: "1234" } }, ["credentials.pin"]],
    [{ credentials: { ...vtpassKeys, apiKey: " a" } }, ["credentials.apiKey"]],
    [{ provider: "flutterpay" }, ["provider"]],
    [{ mode: "sandbox" }, ["mode"]],
    [{ name: " " }, ["name"]],
    [{ ports: ["bank"] }, ["ports"]],
    [{ ports: [] }, ["ports"]],
  ])("%j is told by its fields", async (others, fields) => {
    const reply = await operate("POST", "/operator/connections", { ...wanted, ...others });
    expect([reply.statusCode, reply.json().code]).toEqual([422, "validation_failed"]);
    expect(reply.json().errors.map(({ field }: { field: string }) => field)).toEqual(fields);
  });
});

describe("changing a connection", () => {
  test("pauses, goes on, and retires for ever", async () => {
    const id = await connect({ ...wanted, name: "changing" });
    expect((await change(id, { state: "paused", name: "VTpass, resting" })).json().data).toMatchObject({
      state: "paused",
      name: "VTpass, resting",
    });
    expect((await change(id, { state: "active" })).json().data.state).toBe("active");
    expect((await change(id, { state: "retired" })).json().data.state).toBe("retired");
    const revived = await change(id, { state: "active" });
    expect([revived.statusCode, revived.json().code]).toEqual([409, "invalid_state"]);
    expect(await audited(id)).toEqual([
      "connection.change",
      "connection.change",
      "connection.change",
      "connection.create",
    ]);
  });

  test("tries new keys before they take the place of the old ones", async () => {
    const id = await connect({ ...wanted, name: "new keys" });
    const refused = await change(id, { credentials: { ...vtpassKeys, apiKey: "another" } });
    expect([refused.statusCode, refused.json().code]).toEqual([422, "connection_check_failed"]);
    expect((await change(id, { credentials: vtpassKeys })).statusCode).toBe(200);
  });

  test.each([
    ["PATCH", "", { state: "paused" }],
    ["GET", "", undefined],
    ["POST", "/check", undefined],
    ["GET", "/hints", undefined],
  ] as const)("%s of one that nobody has%s is not found", async (method, path, body) => {
    const reply = await operate(method, `/operator/connections/${nobody}${path}`, body);
    expect([reply.statusCode, reply.json().code]).toEqual([404, "connection_not_found"]);
  });
});

test("a check that fails closes the connection, and one that passes opens it", async () => {
  const id = await connect({ ...wanted, name: "checked" });
  const check = () => operate("POST", `/operator/connections/${id}/check`);
  twin.misbehave(["not_found_page"], "GET /api/balance");
  const failed = (await check()).json().data;
  expect(failed.checks.some(({ ok }: { ok: boolean }) => !ok)).toBe(true);
  twin.behave();
  const passed = (await check()).json().data;
  expect(passed.checks.every(({ ok }: { ok: boolean }) => ok)).toBe(true);
  expect(await audited(id)).toEqual(["connection.check", "connection.check", "connection.create"]);
});

test("the balance at the provider is read with every check and shown, and in the metrics", async () => {
  const id = await connect({ ...wanted, name: "float" });
  const floatNow = () => Number(twin.books.float) / 100;
  twin.books.float = kobo(twin.books.float - 12_345n);
  const checked = (await operate("POST", `/operator/connections/${id}/check`)).json().data;
  expect(checked.float.available).toBe(floatNow());
  twin.books.float = kobo(twin.books.float - 12_345n);
  expect((await change(id, { credentials: vtpassKeys })).json().data.float.available).toBe(floatNow());
  const { float } = await show(id);
  expect(float.available).toBe(floatNow());
  const metrics = (await app.app.inject({ method: "GET", url: "/metrics" })).body;
  expect(metrics).toMatch(new RegExp(`jara_connection_float_naira\\{connection="${id}".*\\} ${float.available}`));
  expect(metrics).toMatch(new RegExp(`jara_connection_open\\{connection="${id}".*\\} 1`));
});

test("a merchant's key sees nothing of connections", async () => {
  for (const path of ["/operator/connections", "/operator/routes", "/operator/providers"]) {
    expect((await app.call("GET", path)).statusCode).toBe(401);
  }
});
