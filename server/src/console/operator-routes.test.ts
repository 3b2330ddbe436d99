import { describe, expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { cookieOf, redeem, signIn } from "../../testing/console.ts";

const testing = await createTestApp();
const { app, operate, merchant } = testing;
const bola = { email: "Bola@Example.com", name: "Bola Ade", merchantId: merchant.merchant.id, role: "finance" };
const letIn = (body: object) => operate("POST", "/operator/people", body);
const tokenOf = (reply: { json(): { data: { signInLink: string } } }) =>
  reply.json().data.signInLink.split("token=")[1] ?? "";

async function meOf(token: string) {
  const cookie = cookieOf(await redeem(testing, token));
  return (await app.inject({ url: "/console/api/me", headers: { cookie } })).json().data;
}

test("a person comes in by the link, with the role that the operator gave", async () => {
  const reply = await letIn(bola);
  expect(reply.statusCode).toBe(201);
  expect(reply.json().data).toMatchObject({ email: "bola@example.com" });
  expect(await meOf(tokenOf(reply))).toMatchObject({
    user: { email: "bola@example.com", name: "Bola Ade" },
    merchants: [{ id: merchant.merchant.id, role: "finance" }],
    operator: null,
  });
  const { data } = (await operate("GET", "/operator/audit?limit=2")).json();
  expect(data).toMatchObject([
    { action: "person.sign_in", actor: "bola@example.com", detail: { by: "link" } },
    { action: "person.create", detail: { email: bola.email, role: "finance" } },
  ]);
  expect(JSON.stringify(data)).not.toContain(tokenOf(reply));
});

test("a second time changes the role of the same person, and ends the link before", async () => {
  const first = await letIn(bola);
  const second = await letIn({ ...bola, role: "viewer", operatorRole: "reconciliation" });
  expect(second.json().data.id).toBe(first.json().data.id);
  expect((await redeem(testing, tokenOf(first))).json().code).toBe("sign_in_link_invalid");
  expect(await meOf(tokenOf(second))).toMatchObject({
    merchants: [{ role: "viewer" }],
    operator: { role: "reconciliation" },
  });
});

describe("is refused", () => {
  test.each([
    ["a role without a merchant", { merchantId: undefined }, 422, "validation_failed"],
    ["a merchant without a role", { role: undefined }, 422, "validation_failed"],
    ["nothing to be", { merchantId: undefined, role: undefined }, 422, "validation_failed"],
    ["a role that there is not", { role: "king" }, 422, "validation_failed"],
    ["a merchant that there is not", { merchantId: "01932c5e-0000-7000-8000-000000000000" }, 404, "merchant_not_found"],
  ])("%s", async (_, change, status, code) => {
    const reply = await letIn({ ...bola, email: "nobody@example.com", ...change });
    expect([reply.statusCode, reply.json().code]).toEqual([status, code]);
    expect(
      await testing.db.selectFrom("people").select("id").where("email", "=", "nobody@example.com").execute(),
    ).toEqual([]);
  });

  test("to an operator's person who is no admin", async () => {
    const support = await signIn(testing, { email: "support@example.com", operator: "support" });
    const reply = await support.ask("POST", "/console/api/operator/people", { ...bola, operatorRole: "admin" });
    expect([reply.statusCode, reply.json().code]).toEqual([403, "role_missing"]);
  });
});

test("the same Idempotency-Key gives the same link", async () => {
  const key = { "idempotency-key": "bola-once" };
  const [first, again] = [
    await operate("POST", "/operator/people", bola, key),
    await operate("POST", "/operator/people", bola, key),
  ];
  expect([again.body, again.headers["idempotent-replayed"]]).toEqual([first.body, "true"]);
});
