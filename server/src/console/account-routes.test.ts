/** A person's own account: name, password, sessions. */
import { describe, expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { fromPage, signIn } from "../../testing/console.ts";

const testing = await createTestApp();
const { app, operate } = testing;
const password = "correct horse battery";
const codeOf = (reply: { statusCode: number; json(): { code?: string } }) => [reply.statusCode, reply.json().code];
const newest = async () => (await operate("GET", "/operator/audit?limit=1")).json().data[0];
const adaIn = () => signIn(testing, { email: "ada@example.com", role: "owner" });

test("a person changes their name", async () => {
  const ada = await adaIn();
  const reply = await ada.ask("PATCH", "/console/api/me", { name: "  Ada Obi " });
  expect(reply.json().data).toEqual({ name: "Ada Obi" });
  expect((await ada.ask("GET", "/console/api/me")).json().data.user.name).toBe("Ada Obi");
  expect(await newest()).toMatchObject({ action: "person.rename", actor: "ada@example.com" });
  expect(codeOf(await ada.ask("PATCH", "/console/api/me", { name: "   " }))).toEqual([422, "validation_failed"]);
});

describe("a password", () => {
  test("is chosen once without the one before, and ends the other sessions each time", async () => {
    const [ada, other] = [await adaIn(), await adaIn()];
    const choose = (body: object) => ada.ask("POST", "/console/api/password", body);
    const first = await choose({ newPassword: password });
    expect(first.statusCode).toBe(200);
    expect(first.json().data.endedSessions).toBeGreaterThan(0);
    expect(codeOf(await other.ask("GET", "/console/api/me"))).toEqual([401, "not_signed_in"]);
    expect(codeOf(await choose({ newPassword: "another of that kind" }))).toEqual([403, "proof_wrong"]);
    expect(codeOf(await choose({ newPassword: "another of that kind", password: "not it" }))).toEqual([
      403,
      "proof_wrong",
    ]);
    const third = await adaIn();
    expect((await choose({ newPassword: "another of that kind", password })).json().data).toEqual({ endedSessions: 1 });
    expect(await newest()).toMatchObject({ action: "person.set_password", actor: "ada@example.com" });
    expect((await third.ask("GET", "/console/api/me")).statusCode).toBe(401);
    expect((await ada.ask("GET", "/console/api/me")).statusCode).toBe(200);
    const enter = (given: string) =>
      app.inject({
        method: "POST",
        url: "/console/api/sign-in",
        headers: fromPage,
        payload: { email: "ada@example.com", password: given },
      });
    expect(codeOf(await enter(password))).toEqual([401, "sign_in_wrong"]);
    expect((await enter("another of that kind")).statusCode).toBe(200);
  });
});

describe("sessions", () => {
  const list = async (who: { ask: Awaited<ReturnType<typeof adaIn>>["ask"] }) =>
    (await who.ask("GET", "/console/api/sessions")).json().data as { id: string; current: boolean }[];

  test("are listed, the one that asks by name, without what a cookie is made of", async () => {
    const ada = await adaIn();
    const reply = await ada.ask("GET", "/console/api/sessions");
    const [newestSession] = reply.json().data;
    expect(newestSession).toEqual({
      id: expect.any(String),
      address: "127.0.0.1",
      userAgent: "lightMyRequest",
      signedInAt: expect.any(String),
      expiresAt: expect.any(String),
      current: true,
    });
    expect(reply.body).not.toContain(decodeURIComponent(ada.cookie.split("=")[1] ?? "").split(".")[0]);
  });

  test("end one by one, at once", async () => {
    const [ada, stolen] = [await adaIn(), await adaIn()];
    const other = (await list(stolen)).find(({ current }) => current);
    expect((await ada.ask("DELETE", `/console/api/sessions/${other?.id}`)).statusCode).toBe(200);
    expect(codeOf(await stolen.ask("GET", "/console/api/me"))).toEqual([401, "not_signed_in"]);
    expect(await newest()).toMatchObject({ action: "person.end_session" });
    expect(codeOf(await ada.ask("DELETE", `/console/api/sessions/${other?.id}`))).toEqual([404, "session_not_found"]);
  });

  test("of another person are not there", async () => {
    const thief = await signIn(testing, { email: "thief@example.com", role: "viewer" });
    const ada = await adaIn();
    const [session] = await list(ada);
    expect(codeOf(await thief.ask("DELETE", `/console/api/sessions/${session?.id}`))).toEqual([
      404,
      "session_not_found",
    ]);
    expect((await ada.ask("GET", "/console/api/me")).statusCode).toBe(200);
    expect((await list(thief)).map(({ id }) => id)).not.toContain(session?.id);
  });

  test("all others end together", async () => {
    const [ada, one, two] = [await adaIn(), await adaIn(), await adaIn()];
    expect((await ada.ask("DELETE", "/console/api/sessions")).json().data.endedSessions).toBeGreaterThanOrEqual(2);
    expect(await newest()).toMatchObject({ action: "person.end_sessions" });
    for (const ended of [one, two]) expect((await ended.ask("GET", "/console/api/me")).statusCode).toBe(401);
    expect(await list(ada)).toHaveLength(1);
  });
});
