import { describe, expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { ageSessions, cookieOf, makeLink, redeem, signIn } from "../../testing/console.ts";

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

describe("the operator's own people", () => {
  const asOperator = (name: string, operator: "admin" | "support" | "reconciliation") =>
    signIn(testing, { email: `${name}@operator.example`, operator });
  const people = "/console/api/operator/people";
  const codeOf = (reply: { statusCode: number; json(): { code?: string } }) => [reply.statusCode, reply.json().code];
  const nobody = "01932c5e-0000-7000-8000-000000000000";

  test("are listed with their roles; an admin changes and removes them, who are out at once", async () => {
    const ada = await asOperator("ada", "admin");
    const efe = await asOperator("efe", "support");
    const { data } = (await ada.ask("GET", people)).json();
    expect(data).toContainEqual({
      id: efe.personId,
      email: efe.email,
      name: "efe",
      operatorRole: "support",
      twoFactorEnabled: false,
      since: expect.any(String),
      lastSeenAt: expect.any(String),
    });
    const changed = await ada.ask("PATCH", `${people}/${efe.personId}`, { operatorRole: "reconciliation" });
    expect(changed.statusCode).toBe(200);
    expect((await efe.ask("GET", "/console/api/me")).json().data.operator).toEqual({ role: "reconciliation" });
    const link = await makeLink(testing, efe.personId);
    expect((await ada.ask("DELETE", `${people}/${efe.personId}`)).statusCode).toBe(200);
    expect(codeOf(await efe.ask("GET", people))).toEqual([401, "not_signed_in"]);
    expect((await redeem(testing, link)).json().code).toBe("sign_in_link_invalid");
    const trail = (await operate("GET", "/operator/audit?limit=2")).json().data;
    expect(trail).toMatchObject([
      { action: "operator.remove", actor: ada.email, subjectId: efe.personId, detail: { before: "reconciliation" } },
      { action: "operator.role", actor: ada.email, detail: { before: "support", role: "reconciliation" } },
    ]);
    for (const method of ["DELETE", "PATCH"]) {
      const reply = await ada.ask(method, `${people}/${efe.personId}`, { operatorRole: "support" });
      expect(codeOf(reply)).toEqual([404, "operator_person_not_found"]);
    }
  });

  test("always have an admin, whichever way the last one would go", async () => {
    const before = (await operate("GET", "/operator/people")).json().data as { id: string; operatorRole: string }[];
    const ada = await asOperator("ada", "admin");
    for (const { id } of before.filter((each) => each.id !== ada.personId && each.operatorRole === "admin")) {
      expect((await operate("DELETE", `/operator/people/${id}`)).statusCode).toBe(200);
    }
    const ways = [
      ada.ask("DELETE", `${people}/${ada.personId}`),
      ada.ask("PATCH", `${people}/${ada.personId}`, { operatorRole: "support" }),
      letIn({ email: ada.email, name: "Ada", operatorRole: "support" }),
    ];
    for (const reply of await Promise.all(ways)) expect(codeOf(reply)).toEqual([409, "last_admin"]);
    const bola = await asOperator("bola", "admin");
    const both = [ada.ask("DELETE", `${people}/${bola.personId}`), bola.ask("DELETE", `${people}/${ada.personId}`)];
    const codes = (await Promise.all(both)).map(({ statusCode }) => statusCode);
    expect(codes).toContain(200);
    const left = (await operate("GET", "/operator/people")).json().data as { operatorRole: string }[];
    expect(left.filter(({ operatorRole }) => operatorRole === "admin")).toHaveLength(1);
  });

  test.each(["support", "reconciliation"] as const)("are read by %s, who changes nothing about them", async (role) => {
    const efe = await asOperator(role, role);
    expect((await efe.ask("GET", people)).statusCode).toBe(200);
    for (const method of ["DELETE", "PATCH"]) {
      const reply = await efe.ask(method, `${people}/${nobody}`, { operatorRole: "admin" });
      expect(codeOf(reply)).toEqual([403, "role_missing"]);
    }
  });

  test("are no business of a merchant's person; a change wants a proof", async () => {
    const owner = await signIn(testing, { email: "owner@example.com", role: "owner" });
    expect(codeOf(await owner.ask("GET", people))).toEqual([403, "role_missing"]);
    const ada = await asOperator("late", "admin");
    await ageSessions(testing);
    const late = await ada.ask("DELETE", `${people}/${nobody}`);
    expect(codeOf(late)).toEqual([403, "proof_needed"]);
  });
});
