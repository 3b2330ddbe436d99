/** Signing in and proving with an authenticator app and with recovery codes. */
import { beforeEach, describe, expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import {
  ageSessions,
  cookieOf,
  fromPage,
  makeLink,
  redeem,
  shownCode,
  signIn,
  type Visitor,
} from "../../testing/console.ts";
import { asOwner } from "../../testing/work.ts";

const testing = await createTestApp({ trustProxy: 1 });
const { app, operate, ownerUrl } = testing;
const password = "correct horse battery";
const codeOf = (reply: { statusCode: number; json(): { code?: string } }) => [reply.statusCode, reply.json().code];

interface Secured extends Visitor {
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

let people = 0;
let addresses = 0;

/** A person with a password and an app that is on; the step of now is not used yet. */
async function secured(): Promise<Secured> {
  people += 1;
  const person = await signIn(testing, { email: `person${people}@example.com`, role: "finance", operator: "admin" });
  await person.ask("POST", "/console/api/password", { newPassword: password });
  const { secret } = (await person.ask("POST", "/console/api/authenticator")).json().data;
  const on = await person.ask("POST", "/console/api/authenticator/confirm", { code: shownCode(secret) });
  expect(on.statusCode).toBe(200);
  await asOwner(ownerUrl, "update person_authenticators set last_step = 0");
  return { ...person, secret, recoveryCodes: on.json().data.recoveryCodes };
}

function enter({ email }: Visitor, code?: string, given = password) {
  addresses += 1;
  return app.inject({
    method: "POST",
    url: "/console/api/sign-in",
    headers: { ...fromPage, "x-forwarded-for": `203.0.113.${addresses}` },
    payload: { email, password: given, ...(code === undefined ? {} : { code }) },
  });
}

const newest = async () => (await operate("GET", "/operator/audit?limit=1")).json().data[0];
let ada: Secured;
beforeEach(async () => {
  ada = await secured();
});

describe("an authenticator app", () => {
  test("is asked for after the password, and says nothing before", async () => {
    expect(codeOf(await enter(ada))).toEqual([401, "code_needed"]);
    expect(codeOf(await enter(ada, shownCode(ada.secret), "not the password"))).toEqual([401, "sign_in_wrong"]);
    const reply = await enter(ada, shownCode(ada.secret));
    expect(reply.statusCode).toBe(200);
    const me = await app.inject({ url: "/console/api/me", headers: { cookie: cookieOf(reply) } });
    expect(me.json().data).toMatchObject({
      user: { twoFactorEnabled: true, hasPassword: true, recoveryCodesLeft: 10 },
      proofWays: ["code"],
    });
    expect(await newest()).toMatchObject({ action: "person.sign_in", detail: { by: "password and code" } });
  });

  test("shows each code for one use, also when two use it at the same moment", async () => {
    const code = shownCode(ada.secret);
    const replies = await Promise.all([enter(ada, code), enter(ada, code)]);
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 403]);
    expect(codeOf(await enter(ada, code))).toEqual([403, "code_wrong"]);
  });

  test("has no codes of the past once a later one was used", async () => {
    expect((await enter(ada, shownCode(ada.secret, 1))).statusCode).toBe(200);
    expect(codeOf(await enter(ada, shownCode(ada.secret)))).toEqual([403, "code_wrong"]);
  });

  test("is asked for by a link too, which a missing or wrong code does not use up", async () => {
    const token = await makeLink(testing, ada.personId);
    expect(codeOf(await redeem(testing, token))).toEqual([401, "code_needed"]);
    const send = (code: string) =>
      app.inject({ method: "POST", url: "/console/api/sign-in-link", headers: fromPage, payload: { token, code } });
    expect(codeOf(await send("000000"))).toEqual([403, "code_wrong"]);
    expect((await send(shownCode(ada.secret))).statusCode).toBe(200);
    expect(codeOf(await send(shownCode(ada.secret, 1)))).toEqual([401, "sign_in_link_invalid"]);
  });

  test("cannot be guessed for long, even by who knows the password", async () => {
    const outcomes: number[] = [];
    for (let n = 0; n < 7; n += 1) outcomes.push((await enter(ada, `00000${n}`)).statusCode);
    expect(outcomes).toEqual([403, 403, 403, 403, 403, 429, 429]);
  });

  test("proves that it is you, where a password does not any more", async () => {
    await ageSessions(testing);
    const prove = (body: object) => ada.ask("POST", "/console/api/prove", body);
    expect(codeOf(await prove({ password }))).toEqual([403, "proof_wrong"]);
    expect(codeOf(await prove({ code: "000000" }))).toEqual([403, "proof_wrong"]);
    expect(codeOf(await prove({ password, code: shownCode(ada.secret) }))).toEqual([422, "validation_failed"]);
    const refused = await ada.ask("POST", "/console/api/recovery-codes");
    expect([codeOf(refused), refused.json().data]).toEqual([[403, "proof_needed"], { ways: ["code"] }]);
    expect((await prove({ code: shownCode(ada.secret) })).statusCode).toBe(200);
    expect((await ada.ask("POST", "/console/api/recovery-codes")).statusCode).toBe(200);
  });

  test("is on once, and goes on with a right code only", async () => {
    expect(codeOf(await ada.ask("POST", "/console/api/authenticator"))).toEqual([409, "authenticator_exists"]);
    expect(codeOf(await ada.ask("POST", "/console/api/authenticator/confirm", { code: "000000" }))).toEqual([
      409,
      "authenticator_exists",
    ]);
    const bola = await signIn(testing, { email: "bola@example.com", role: "viewer" });
    const confirm = (code: string) => bola.ask("POST", "/console/api/authenticator/confirm", { code });
    expect(codeOf(await confirm("000000"))).toEqual([404, "authenticator_not_found"]);
    const first = (await bola.ask("POST", "/console/api/authenticator")).json().data;
    const second = (await bola.ask("POST", "/console/api/authenticator")).json().data;
    expect(second.address).toMatch(/^otpauth:\/\/totp\/Jara:bola%40example\.com\?/);
    expect(codeOf(await confirm(shownCode(first.secret)))).toEqual([403, "code_wrong"]);
    const replies = await Promise.all([confirm(shownCode(second.secret)), confirm(shownCode(second.secret))]);
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  });

  test("goes off with its recovery codes, and both ways end the other sessions", async () => {
    const other = cookieOf(await enter(ada, shownCode(ada.secret)));
    const off = await ada.ask("DELETE", "/console/api/authenticator");
    expect([off.statusCode, off.json().data]).toEqual([200, { endedSessions: 1 }]);
    expect(await newest()).toMatchObject({ action: "person.authenticator_off", actor: ada.email });
    expect((await app.inject({ url: "/console/api/me", headers: { cookie: other } })).statusCode).toBe(401);
    expect(codeOf(await ada.ask("DELETE", "/console/api/authenticator"))).toEqual([404, "authenticator_not_found"]);
    expect(codeOf(await ada.ask("POST", "/console/api/recovery-codes"))).toEqual([404, "authenticator_not_found"]);
    expect((await enter(ada)).statusCode).toBe(200);
  });

  test("leaves no secret in the database, and no code in the trail", async () => {
    const rows = await testing.db.selectFrom("person_authenticators").select("sealed_secret").execute();
    expect(rows.some((row) => row.sealed_secret.includes(ada.secret))).toBe(false);
    const trail = JSON.stringify((await operate("GET", "/operator/audit?limit=50")).json().data);
    for (const word of [ada.secret, password, ...ada.recoveryCodes]) expect(trail).not.toContain(word);
  });
});

test("an operator lets a person in who has lost app and recovery codes", async () => {
  const body = { email: ada.email, name: "Ada", operatorRole: "support", authenticatorLost: true };
  const { signInLink } = (await operate("POST", "/operator/people", body)).json().data;
  expect(await newest()).toMatchObject({ action: "person.create", detail: { authenticatorLost: true } });
  expect((await redeem(testing, signInLink.split("token=")[1])).statusCode).toBe(200);
  expect(codeOf(await enter(ada, ada.recoveryCodes[0]))).toEqual([200, undefined]);
});

describe("a recovery code", () => {
  test("lets its person in once, however it was typed", async () => {
    const [code = ""] = ada.recoveryCodes;
    expect((await enter(ada, code.toUpperCase().replaceAll("-", ""))).statusCode).toBe(200);
    expect(codeOf(await enter(ada, code))).toEqual([403, "code_wrong"]);
    expect((await ada.ask("GET", "/console/api/me")).json().data.user.recoveryCodesLeft).toBe(9);
  });

  test("of another person does not", async () => {
    const other = await secured();
    expect(codeOf(await enter(ada, other.recoveryCodes[0]))).toEqual([403, "code_wrong"]);
  });

  test("ends when new ones are made", async () => {
    const renewed = await ada.ask("POST", "/console/api/recovery-codes");
    expect(renewed.json().data.recoveryCodes).toHaveLength(10);
    expect(codeOf(await enter(ada, ada.recoveryCodes[1]))).toEqual([403, "code_wrong"]);
    expect((await enter(ada, renewed.json().data.recoveryCodes[1])).statusCode).toBe(200);
  });
});
