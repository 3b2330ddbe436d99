import { describe, expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";

const { operate, call, merchant } = await createTestApp();
const nobody = "01932c5e-0000-7000-8000-000000000000";
const keysOf = (id: string) => `/operator/environments/${id}/keys`;
const keys = keysOf(merchant.environment.id);

async function issue(body: object = { name: "Fresh" }): Promise<{ id: string; key: string; prefix: string }> {
  return (await operate("POST", keys, body)).json().data;
}

const fields = ["id", "environmentId", "name", "prefix", "scopes", "allowedAddresses", "expiresAt", "revokedAt"].concat(
  ["lastUsedAt", "replacedBy", "createdAt"],
);

describe("every endpoint is the operator's", () => {
  test.each([
    { method: "POST", path: keys },
    { method: "GET", path: keys },
    { method: "POST", path: `/operator/keys/${nobody}/rotate` },
    { method: "POST", path: `/operator/keys/${nobody}/revoke` },
    { method: "GET", path: "/operator/audit" },
  ])("$method $path gives 401 without a token and with a secret key", async ({ method, path }) => {
    const body = method === "POST" ? { name: "x" } : undefined;
    const without = await call(method, path, { key: null, body });
    expect(without.statusCode).toBe(401);
    expect(without.json().code).toBe("missing_key");
    const withKey = await call(method, path, { body });
    expect(withKey.statusCode).toBe(401);
    expect(withKey.headers["www-authenticate"]).toBe("Bearer");
    expect(withKey.json().code).toBe("invalid_key");
  });
});

describe("POST /operator/environments/{id}/keys", () => {
  test("201: the key is shown, with its limits", async () => {
    const body = {
      name: "Payouts",
      scopes: ["transfers:write"],
      allowedAddresses: ["203.0.113.0/24"],
      expiresAt: "2099-01-01T00:00:00.000Z",
    };
    const reply = await operate("POST", keys, body);
    expect(reply.statusCode).toBe(201);
    const { data } = reply.json();
    expect(data).toMatchObject({ ...body, environmentId: merchant.environment.id, revokedAt: null, lastUsedAt: null });
    expect(data.key).toMatch(/^sk_test_/);
    expect(Object.keys(data).sort()).toEqual([...fields, "key"].sort());
  });

  test("201: a repeated Idempotency-Key shows the same key and issues no second", async () => {
    const send = () => operate("POST", keys, { name: "Once" }, { "idempotency-key": "key-1" });
    const [first, again] = [await send(), await send()];
    expect(again.statusCode).toBe(201);
    expect(again.body).toBe(first.body);
    const listed = (await operate("GET", `${keys}?limit=100`)).json().data;
    expect(listed.filter((key: { name: string }) => key.name === "Once")).toHaveLength(1);
  });

  test("404: an unknown environment and what is not an id", async () => {
    for (const id of [nobody, "not-a-uuid"]) {
      const reply = await operate("POST", keysOf(id), { name: "x" });
      expect(reply.statusCode).toBe(404);
      expect(reply.json().code).toBe("environment_not_found");
    }
  });

  test.each([
    { body: {}, field: "name" },
    { body: { name: "x", scopes: [] }, field: "scopes" },
    { body: { name: "x", scopes: ["loans:delete"] }, field: "scopes[0]" },
    { body: { name: "x", allowedAddresses: ["10.0.0.0/40"] }, field: "allowedAddresses[0]" },
    { body: { name: "x", expiresAt: "tomorrow" }, field: "expiresAt" },
    { body: { name: "x", expiresAt: "2020-01-01T00:00:00Z" }, field: "expiresAt" },
    { body: { name: "x", expiresAt: "2030-12-31T23:59:60Z" }, field: "expiresAt" },
  ])("422: $body", async ({ body, field }) => {
    const reply = await operate("POST", keys, body);
    expect(reply.statusCode).toBe(422);
    expect(reply.json()).toMatchObject({ code: "validation_failed", errors: [{ field }] });
  });

  test("422: everything that is wrong at once, by form and by rule", async () => {
    const wrong = {
      name: " ",
      scopes: ["loans:read", "loans:delete", "all"],
      expiresAt: "2020-01-01T00:00:00Z",
      allowedAddresses: ["10.0.0.0/40", "10.0.0.1", "home"],
    };
    const reply = await operate("POST", keys, wrong);
    expect(reply.statusCode).toBe(422);
    expect(reply.json().errors.map((error: { field: string }) => error.field)).toEqual([
      "name",
      "scopes[1]",
      "scopes[2]",
      "allowedAddresses[0]",
      "allowedAddresses[2]",
      "expiresAt",
    ]);
    const mixed = { name: "x", scopes: ["loans:delete", 7], expiresAt: 5, allowedAddresses: "home" };
    const fields = (await operate("POST", keys, mixed)).json().errors.map((error: { field: string }) => error.field);
    expect(fields.sort()).toEqual(["allowedAddresses", "expiresAt", "scopes[0]", "scopes[1]"]);
  });
});

describe("GET /operator/environments/{id}/keys", () => {
  test("200: newest first, without secrets", async () => {
    const newest = await issue();
    const reply = await operate("GET", `${keys}?limit=1`);
    expect(reply.statusCode).toBe(200);
    const { data, pagination } = reply.json();
    expect(data).toMatchObject([{ id: newest.id, prefix: newest.prefix }]);
    expect(Object.keys(data[0]).sort()).toEqual([...fields].sort());
    expect(reply.body).not.toContain(newest.key);
    expect(pagination.hasNextPage).toBe(true);
  });

  test("404: an unknown environment; 422: a limit above a hundred", async () => {
    expect((await operate("GET", keysOf(nobody))).json().code).toBe("environment_not_found");
    expect((await operate("GET", `${keys}?limit=101`)).statusCode).toBe(422);
  });
});

describe("POST /operator/keys/{id}/rotate", () => {
  test("201: a successor is shown and the old key is told its end, also without a body", async () => {
    for (const body of [{ overlapSeconds: 60 }, {}, undefined]) {
      const old = await issue();
      const reply = await operate("POST", `/operator/keys/${old.id}/rotate`, body);
      expect(reply.statusCode).toBe(201);
      const { data } = reply.json();
      expect(data.replacedKey).toMatchObject({ id: old.id, replacedBy: data.id, expiresAt: expect.any(String) });
      expect(data.key).not.toBe(old.key);
      expect((await call("GET", "/sandbox/clock", { key: data.key })).statusCode).toBe(200);
    }
  });

  test("404: unknown; 409: rotated before, or revoked; 422: an overlap out of range", async () => {
    const rotate = (id: string, body: object = {}) => operate("POST", `/operator/keys/${id}/rotate`, body);
    for (const id of [nobody, "not-a-uuid"]) {
      expect((await rotate(id)).statusCode).toBe(404);
      expect((await rotate(id)).json().code).toBe("key_not_found");
    }
    const { id } = await issue();
    for (const overlapSeconds of [-1, 1.5, "60", 2_592_001]) {
      expect((await rotate(id, { overlapSeconds })).json()).toMatchObject({ errors: [{ field: "overlapSeconds" }] });
    }
    const { id: successor } = (await rotate(id)).json().data;
    const again = await rotate(id);
    expect(again.statusCode).toBe(409);
    expect(again.json()).toMatchObject({ code: "key_already_rotated", data: { replacedBy: successor } });
    await operate("POST", `/operator/keys/${successor}/revoke`);
    const revoked = await rotate(successor);
    expect([revoked.statusCode, revoked.json().code]).toEqual([409, "key_not_active"]);
  });
});

describe("POST /operator/keys/{id}/revoke", () => {
  test("200: the key is refused from then on, and a second time changes nothing", async () => {
    const { id, key } = await issue();
    const first = await operate("POST", `/operator/keys/${id}/revoke`);
    expect(first.statusCode).toBe(200);
    const { revokedAt } = first.json().data;
    expect(revokedAt).toEqual(expect.any(String));
    const again = await operate("POST", `/operator/keys/${id}/revoke`);
    expect([again.statusCode, again.json().data.revokedAt]).toEqual([200, revokedAt]);
    const used = await call("GET", "/sandbox/clock", { key });
    expect([used.statusCode, used.json().code]).toEqual([401, "key_revoked"]);
  });

  test("404: an unknown key", async () => {
    const reply = await operate("POST", `/operator/keys/${nobody}/revoke`);
    expect([reply.statusCode, reply.json().code]).toEqual([404, "key_not_found"]);
  });
});

describe("GET /operator/audit", () => {
  test("200: the newest action stands first, with who, what, when, from where and by which request", async () => {
    const { id, key } = await issue({ name: "Watched" });
    const revoked = await operate("POST", `/operator/keys/${id}/revoke`);
    const reply = await operate("GET", "/operator/audit?limit=2");
    expect(reply.statusCode).toBe(200);
    const { data, pagination } = reply.json();
    expect(data).toMatchObject([
      {
        actor: "operator",
        action: "key.revoke",
        subjectType: "key",
        subjectId: id,
        environmentId: merchant.environment.id,
        address: "127.0.0.1",
        requestId: revoked.headers["x-request-id"],
        detail: { name: "Watched" },
      },
      { action: "key.issue", subjectId: id },
    ]);
    expect(reply.body).not.toContain(key);
    expect(pagination.totalItems).toBeGreaterThan(2);
  });

  test("a refused action leaves no entry; 422: a limit above a hundred", async () => {
    const total = async () => (await operate("GET", "/operator/audit")).json().pagination.totalItems;
    const before = await total();
    await operate("POST", keys, { name: "x", scopes: ["loans:delete"] });
    await operate("POST", `/operator/keys/${nobody}/revoke`);
    expect(await total()).toBe(before);
    expect((await operate("GET", "/operator/audit?limit=101")).statusCode).toBe(422);
  });
});

test("the operator token opens no merchant's path", async () => {
  const reply = await operate("GET", "/sandbox/clock");
  expect([reply.statusCode, reply.json().code]).toEqual([401, "invalid_key"]);
});
