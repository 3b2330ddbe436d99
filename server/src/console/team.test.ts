/** Who works for a merchant: invitations, roles, removal, and what nobody may do. */
import { beforeEach, describe, expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { cookieOf, fromPage, signIn, type Visitor } from "../../testing/console.ts";
import { record, someEvent } from "../../testing/webhooks/events.ts";
import { sseReader } from "../../testing/webhooks/sse-reader.ts";
import { asOwner } from "../../testing/work.ts";
import { sequenceEvents } from "../platform/records/sequencer.ts";

const testing = await createTestApp({ trustProxy: 1 });
const { app, operate, merchant, otherMerchant, ownerUrl } = testing;
const team = `/console/api/merchants/${merchant.merchant.id}`;
const password = "correct horse battery";
const someId = "01932c5e-0000-7000-8000-000000000000";
const codeOf = (reply: { statusCode: number; json(): { code?: string } }) => [reply.statusCode, reply.json().code];
const newest = async () => (await operate("GET", "/operator/audit?limit=1")).json().data[0];

let addresses = 0;
/** As a page that nobody is signed in at. */
function visit(path: string, payload: object) {
  addresses += 1;
  const headers = { ...fromPage, "x-forwarded-for": `203.0.113.${addresses % 250}` };
  return app.inject({ method: "POST", url: `/console/api/invitations/${path}`, headers, payload });
}

const invite = (who: Visitor, email: string, role = "finance") =>
  who.ask("POST", `${team}/invitations`, { email, role });
const tokenOf = (reply: { json(): { data: { link: string } } }) => reply.json().data.link.split("token=")[1] ?? "";
const newcomer = (token: string) => ({ token, name: "Bola Ade", newPassword: password });
const teamOf = async (who: Visitor) => (await who.ask("GET", `${team}/team`)).json().data;
const as = (name: string, role?: "owner" | "finance") =>
  signIn(testing, { email: `${name}@example.com`, ...(role === undefined ? {} : { role }) });

let ada: Visitor;
beforeEach(async () => {
  await asOwner(ownerUrl, "delete from invitations; delete from memberships; delete from people");
  ada = await as("ada", "owner");
});

describe("an invitation", () => {
  test("makes somebody new a member, who chooses a password and is signed in", async () => {
    const invited = await invite(ada, "Bola@Example.com");
    expect(invited.statusCode).toBe(201);
    expect(invited.json().data).toMatchObject({ email: "bola@example.com", role: "finance", invitedBy: ada.email });
    const token = tokenOf(invited);
    expect(await newest()).toMatchObject({ action: "team.invite", actor: ada.email, detail: { role: "finance" } });
    expect(JSON.stringify(await newest())).not.toContain(token);
    expect((await visit("look", { token })).json().data).toEqual({
      merchantId: merchant.merchant.id,
      merchantName: "Mama Put Foods",
      email: "bola@example.com",
      role: "finance",
      hasAccount: false,
    });
    expect((await teamOf(ada)).invitations).toHaveLength(1);
    const joined = await visit("join", newcomer(token));
    expect(joined.statusCode).toBe(201);
    const me = await app.inject({ url: "/console/api/me", headers: { cookie: cookieOf(joined) } });
    expect(me.json().data).toMatchObject({
      user: { email: "bola@example.com", name: "Bola Ade", hasPassword: true },
      merchants: [{ id: merchant.merchant.id, role: "finance" }],
      operator: null,
    });
    expect(await newest()).toMatchObject({ action: "team.join", actor: "bola@example.com" });
    const { members, invitations } = await teamOf(ada);
    expect(members).toMatchObject([
      { email: ada.email, role: "owner", you: true },
      { email: "bola@example.com", role: "finance", you: false, twoFactorEnabled: false },
    ]);
    expect(invitations).toEqual([]);
  });

  test("works once, also when two use it at the same moment", async () => {
    const token = tokenOf(await invite(ada, "bola@example.com"));
    const replies = await Promise.all([visit("join", newcomer(token)), visit("join", newcomer(token))]);
    expect(replies.map(({ statusCode }) => statusCode).sort()).not.toEqual([201, 201]);
    expect(replies.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1);
    expect(codeOf(await visit("join", newcomer(token)))).toEqual([404, "invitation_invalid"]);
    expect(codeOf(await visit("look", { token }))).toEqual([404, "invitation_invalid"]);
    expect(codeOf(await ada.ask("POST", "/console/api/invitations/accept", { token }))).toEqual([
      404,
      "invitation_invalid",
    ]);
  });

  test("does not let who holds the link become a person who is here already", async () => {
    const chidi = await signIn(testing, {
      email: "chidi@example.com",
      role: "owner",
      merchantId: otherMerchant.merchant.id,
    });
    const token = tokenOf(await invite(ada, chidi.email));
    expect((await visit("look", { token })).json().data.hasAccount).toBe(true);
    expect(codeOf(await visit("join", newcomer(token)))).toEqual([409, "person_exists"]);
    const accept = (who: Visitor) => who.ask("POST", "/console/api/invitations/accept", { token });
    expect(codeOf(await accept(ada))).toEqual([403, "invitation_for_other"]);
    const accepted = await accept(chidi);
    expect([accepted.statusCode, accepted.json().data]).toEqual([200, { merchantId: merchant.merchant.id }]);
    expect((await chidi.call("GET", "/wallets/balance")).statusCode).toBe(200);
    expect(codeOf(await accept(chidi))).toEqual([404, "invitation_invalid"]);
  });

  test("ends when it is withdrawn, expires, or another follows", async () => {
    const first = await invite(ada, "bola@example.com");
    const second = await invite(ada, "bola@example.com", "viewer");
    expect(codeOf(await visit("look", { token: tokenOf(first) }))).toEqual([404, "invitation_invalid"]);
    const path = `${team}/invitations/${second.json().data.id}`;
    expect((await ada.ask("DELETE", path)).statusCode).toBe(200);
    expect(await newest()).toMatchObject({ action: "team.withdraw" });
    expect(codeOf(await ada.ask("DELETE", path))).toEqual([404, "invitation_not_found"]);
    expect(codeOf(await visit("join", newcomer(tokenOf(second))))).toEqual([404, "invitation_invalid"]);
    const third = tokenOf(await invite(ada, "bola@example.com"));
    await asOwner(ownerUrl, "update invitations set expires_at = now() - interval '1 second'");
    expect(codeOf(await visit("join", newcomer(third)))).toEqual([404, "invitation_invalid"]);
  });

  test("is not sent to who is on the team", async () => {
    expect(codeOf(await invite(ada, "ADA@example.com"))).toEqual([409, "member_exists"]);
  });
});

describe("a role", () => {
  test("a removed person's stream of events ends at once, and so does one whose session was signed out", async () => {
    const address = await app.listen({ host: "127.0.0.1", port: 0 });
    const stream = `${address}/console/api/environments/${merchant.environment.id}/events/stream`;
    const bola = await as("bola", "finance");
    const efe = await as("efe", "finance");
    const readers = await Promise.all([ada, bola, efe].map(({ cookie }) => sseReader(stream, { cookie })));
    const [adas, bolas, efes] = readers;
    for (const reader of readers) await reader.quiet();
    expect((await ada.ask("DELETE", `${team}/team/${bola.personId}`)).statusCode).toBe(200);
    await bolas?.ended();
    expect((await efe.ask("POST", "/console/api/auth/sign-out")).statusCode).toBe(200);
    await efes?.ended();
    const [id] = await record(testing.db, merchant.environment.id, someEvent("transfer.completed"));
    await sequenceEvents(testing.db);
    expect((await adas?.take(1))?.[0]?.data).toMatchObject({ id });
    adas?.stop();
  });

  test("changes at once, and a removed person loses the merchant at once", async () => {
    const bola = await as("bola", "finance");
    const path = `${team}/team/${bola.personId}`;
    expect((await ada.ask("PATCH", path, { role: "viewer" })).statusCode).toBe(200);
    expect(await newest()).toMatchObject({ action: "team.role", detail: { before: "finance", role: "viewer" } });
    expect(codeOf(await bola.call("POST", "/transfers", {}))).toEqual([403, "scope_missing"]);
    expect((await ada.ask("DELETE", path)).statusCode).toBe(200);
    expect(await newest()).toMatchObject({ action: "team.remove", subjectId: bola.personId });
    expect(codeOf(await bola.call("GET", "/wallets/balance"))).toEqual([404, "environment_not_found"]);
    expect((await bola.ask("GET", "/console/api/me")).json().data.merchants).toEqual([]);
    expect(codeOf(await ada.ask("DELETE", path))).toEqual([404, "person_not_found"]);
    expect(codeOf(await ada.ask("PATCH", path, { role: "owner" }))).toEqual([404, "person_not_found"]);
  });

  test("of the last owner stays", async () => {
    const own = `${team}/team/${ada.personId}`;
    expect(codeOf(await ada.ask("PATCH", own, { role: "viewer" }))).toEqual([409, "last_owner"]);
    expect(codeOf(await ada.ask("DELETE", own))).toEqual([409, "last_owner"]);
    expect((await ada.ask("PATCH", own, { role: "owner" })).statusCode).toBe(200);
  });

  test("of one of two owners who remove each other at the same moment stays", async () => {
    const bola = await as("bola", "owner");
    const replies = await Promise.all([
      ada.ask("DELETE", `${team}/team/${bola.personId}`),
      bola.ask("DELETE", `${team}/team/${ada.personId}`),
    ]);
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    const merchantsOf = async (who: Visitor) => (await who.ask("GET", "/console/api/me")).json().data.merchants.length;
    expect([await merchantsOf(ada), await merchantsOf(bola)].sort()).toEqual([0, 1]);
  });

  test("that is gone takes its invitations along", async () => {
    const bola = await as("bola", "owner");
    const token = tokenOf(await invite(bola, "friend@example.com", "owner"));
    expect((await ada.ask("PATCH", `${team}/team/${bola.personId}`, { role: "finance" })).statusCode).toBe(200);
    expect(codeOf(await visit("join", newcomer(token)))).toEqual([404, "invitation_invalid"]);
  });
});

describe("without a right to it", () => {
  const asks = (target: string): readonly (readonly [string, string, object | undefined])[] => [
    ["POST", `${target}/invitations`, { email: "friend@example.com", role: "owner" }],
    ["DELETE", `${target}/invitations/${someId}`, undefined],
    ["PATCH", `${target}/team/${someId}`, { role: "owner" }],
    ["DELETE", `${target}/team/${someId}`, undefined],
  ];

  test.each(["developer", "finance", "support", "viewer"] as const)(
    "a %s changes nothing, and sees all",
    async (role) => {
      const bola = await signIn(testing, { email: "bola@example.com", role });
      for (const [method, path, body] of asks(team)) {
        const reply = await bola.ask(method, path, body);
        expect([method, path, codeOf(reply)]).toEqual([method, path, [403, "role_missing"]]);
      }
      const own = `${team}/team/${bola.personId}`;
      expect(codeOf(await bola.ask("PATCH", own, { role: "owner" }))).toEqual([403, "role_missing"]);
      expect((await teamOf(bola)).members).toHaveLength(2);
    },
  );

  test("an owner of another merchant finds nothing", async () => {
    const thief = await signIn(testing, {
      email: "thief@example.com",
      role: "owner",
      merchantId: otherMerchant.merchant.id,
    });
    for (const [method, path, body] of [["GET", `${team}/team`, undefined] as const, ...asks(team)]) {
      expect([path, codeOf(await thief.ask(method, path, body))]).toEqual([path, [404, "team_not_found"]]);
    }
    const bola = await as("bola", "finance");
    const elsewhere = `/console/api/merchants/${otherMerchant.merchant.id}/team/${bola.personId}`;
    expect(codeOf(await thief.ask("DELETE", elsewhere))).toEqual([404, "person_not_found"]);
    expect((await bola.call("GET", "/wallets/balance")).statusCode).toBe(200);
  });

  test("a role that there is not is refused", async () => {
    expect(codeOf(await invite(ada, "bola@example.com", "king"))).toEqual([422, "validation_failed"]);
    expect(codeOf(await invite(ada, "no address"))).toEqual([422, "validation_failed"]);
  });
});
