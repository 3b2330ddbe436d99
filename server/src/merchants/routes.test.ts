import { describe, expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";

const { operate, call, merchant } = await createTestApp();
const nobody = "01932c5e-0000-7000-8000-000000000000";
const shop = { name: "Aso Ebi Fashion", email: "owner@asoebi.example" };
const sandbox = { kind: "SANDBOX", name: "Staging" };
const environmentsOf = (id: string) => `/operator/merchants/${id}/environments`;

async function createShop(): Promise<string> {
  return (await operate("POST", "/operator/merchants", shop)).json().data.id;
}

describe("every endpoint is the operator's", () => {
  test.each([
    { method: "POST", path: "/operator/merchants", body: shop },
    { method: "GET", path: "/operator/merchants", body: undefined },
    { method: "POST", path: environmentsOf(nobody), body: sandbox },
  ])(
    "$method $path gives 401 without a token, with a secret key and with a wrong token",
    async ({ method, path, body }) => {
      const without = await call(method, path, { key: null, body });
      expect(without.statusCode).toBe(401);
      expect(without.headers["www-authenticate"]).toBe("Bearer");
      expect(without.json()).toMatchObject({ status: false, code: "missing_key", errors: [], data: null });
      for (const key of [merchant.secretKey, "op_guessed"]) {
        const refused = await call(method, path, { key, body });
        expect(refused.statusCode).toBe(401);
        expect(refused.json().code).toBe("invalid_key");
      }
    },
  );
});

describe("POST /operator/merchants", () => {
  test("201: a merchant comes with one sandbox", async () => {
    const reply = await operate("POST", "/operator/merchants", { ...shop, unknown: "ignored" });
    expect(reply.statusCode).toBe(201);
    expect(reply.json()).toEqual({
      status: true,
      message: "Merchant created.",
      data: {
        id: expect.any(String),
        ...shop,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        environments: [{ id: expect.any(String), kind: "SANDBOX", name: "Sandbox" }],
      },
    });
  });

  test("201 again, the same, for a repeated Idempotency-Key, and one merchant", async () => {
    const headers = { "idempotency-key": "shop-1" };
    const send = () => operate("POST", "/operator/merchants", shop, headers);
    const [first, twin] = await Promise.all([send(), send()]);
    const third = await send();
    expect([first.statusCode, twin.statusCode, third.statusCode]).toEqual([201, 201, 201]);
    expect(new Set([first.body, twin.body, third.body]).size).toBe(1);
    expect(third.headers["idempotent-replayed"]).toBe("true");
    const other = await operate("POST", "/operator/merchants", { ...shop, name: "Other" }, headers);
    expect(other.statusCode).toBe(409);
    expect(other.json().code).toBe("idempotency_key_conflict");
  });

  test("422: every bad field is named", async () => {
    const reply = await operate("POST", "/operator/merchants", { name: "  ", email: "nowhere" });
    expect(reply.statusCode).toBe(422);
    expect(reply.json().code).toBe("validation_failed");
    expect(
      reply
        .json()
        .errors.map((error: { field: string }) => error.field)
        .sort(),
    ).toEqual(["email", "name"]);
  });
});

describe("GET /operator/merchants", () => {
  test("200: newest first, in pages, and empty past the end", async () => {
    const newest = await createShop();
    const page = (await operate("GET", "/operator/merchants?limit=1")).json();
    expect(page.data).toMatchObject([{ id: newest, environments: [{ kind: "SANDBOX" }] }]);
    expect(page.pagination).toMatchObject({
      currentPage: 1,
      itemsPerPage: 1,
      hasNextPage: true,
      hasPreviousPage: false,
    });
    expect(page.pagination.totalPages).toBe(page.pagination.totalItems);
    const beyond = await operate("GET", "/operator/merchants?page=9999");
    expect(beyond.statusCode).toBe(200);
    expect(beyond.json().data).toEqual([]);
  });

  test.each(["limit=101", "limit=0", "page=0", "page=-1", "page=x"])("422: %s", async (query) => {
    const reply = await operate("GET", `/operator/merchants?${query}`);
    expect(reply.statusCode).toBe(422);
    expect(reply.json()).toMatchObject({ code: "validation_failed", errors: [{ field: query.split("=")[0] }] });
  });
});

describe("POST /operator/merchants/{id}/environments", () => {
  test("201: a merchant gets a further sandbox and its live environment", async () => {
    const id = await createShop();
    for (const kind of ["SANDBOX", "LIVE"]) {
      const reply = await operate("POST", environmentsOf(id), { kind, name: "Further" });
      expect(reply.statusCode).toBe(201);
      expect(reply.json().data).toMatchObject({ id: expect.any(String), merchantId: id, kind, name: "Further" });
    }
  });

  test("409: a second live environment is refused", async () => {
    const id = await createShop();
    const add = () => operate("POST", environmentsOf(id), { kind: "LIVE", name: "Live" });
    expect((await add()).statusCode).toBe(201);
    const second = await add();
    expect(second.statusCode).toBe(409);
    expect(second.json()).toMatchObject({ status: false, code: "live_environment_exists" });
  });

  test("404: an unknown id and what is not an id get the same reply", async () => {
    const unknown = await operate("POST", environmentsOf(nobody), sandbox);
    const malformed = await operate("POST", environmentsOf("not-a-uuid"), sandbox);
    for (const reply of [unknown, malformed]) {
      expect(reply.statusCode).toBe(404);
      expect(reply.json()).toMatchObject({ code: "merchant_not_found", message: unknown.json().message });
    }
  });

  test("422: the kind is one of two words", async () => {
    const reply = await operate("POST", environmentsOf(await createShop()), { kind: "sandbox", name: "x" });
    expect(reply.statusCode).toBe(422);
    expect(reply.json().errors).toMatchObject([{ field: "kind" }]);
  });
});
