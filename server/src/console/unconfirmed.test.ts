/** An invitation proves nothing about an address: whoever joins by it is known at that merchant only. */
import { beforeEach, describe, expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { cookieOf, fromPage, makePerson, redeem, signIn, type Visitor } from "../../testing/console.ts";
import { asOwner } from "../../testing/work.ts";

const testing = await createTestApp({ trustProxy: 1 });
const { app, operate, merchant, otherMerchant, ownerUrl } = testing;
const team = `/console/api/merchants/${merchant.merchant.id}`;
const password = "correct horse battery";
const codeOf = (reply: { statusCode: number; json(): { code?: string } }) => [reply.statusCode, reply.json().code];

let addresses = 0;
/** As a page that nobody is signed in at. */
function post(url: string, payload: object) {
  addresses += 1;
  const headers = { ...fromPage, "x-forwarded-for": `203.0.113.${addresses % 250}` };
  return app.inject({ method: "POST", url: `/console/api/${url}`, headers, payload });
}

const visit = (path: string, payload: object) => post(`invitations/${path}`, payload);
const enter = (email: string, given: string) => post("sign-in", { email, password: given });
const invite = (who: Visitor, email: string, role = "finance") =>
  who.ask("POST", `${team}/invitations`, { email, role });
const tokenOf = (reply: { json(): { data: { link: string } } }) => reply.json().data.link.split("token=")[1] ?? "";
const newcomer = (token: string) => ({ token, name: "Bola Ade", newPassword: password });
const teamOf = async (who: Visitor) => (await who.ask("GET", `${team}/team`)).json().data;
const meOf = (cookie: string) => app.inject({ url: "/console/api/me", headers: { cookie } });

let ada: Visitor;
beforeEach(async () => {
  await asOwner(ownerUrl, "delete from invitations; delete from memberships; delete from people");
  ada = await signIn(testing, { email: "ada@example.com", role: "owner" });
});

describe("an invitation", () => {
  test("takes an address from nobody: the same one joins another merchant as somebody else", async () => {
    const email = "ceo@other.example";
    const squatter = await visit("join", { ...newcomer(tokenOf(await invite(ada, email))), name: "Ceo of Other" });
    expect(squatter.statusCode).toBe(201);
    const eve = await signIn(testing, { email: "eve@example.com" });
    await makePerson(testing, { email: eve.email, role: "owner", merchantId: otherMerchant.merchant.id });
    const theirs = `/console/api/merchants/${otherMerchant.merchant.id}`;
    const token = tokenOf(await eve.ask("POST", `${theirs}/invitations`, { email, role: "viewer" }));
    expect((await visit("look", { token })).json().data.hasAccount).toBe(false);
    const accept = { headers: { ...fromPage, cookie: cookieOf(squatter) }, payload: { token } } as const;
    const stolen = await app.inject({ method: "POST", url: "/console/api/invitations/accept", ...accept });
    expect(codeOf(stolen)).toEqual([403, "invitation_for_other"]);
    const real = { token, name: "Chidi Eze", newPassword: "another long password" };
    expect((await visit("join", real)).statusCode).toBe(201);
    const { members } = (await eve.ask("GET", `${theirs}/team`)).json().data;
    expect(members).toMatchObject([{}, { email, name: "Chidi Eze", role: "viewer" }]);
    for (const [given, name, merchantId] of [
      [password, "Ceo of Other", merchant.merchant.id],
      [real.newPassword, "Chidi Eze", otherMerchant.merchant.id],
    ]) {
      const me = (await meOf(cookieOf(await enter(email, given ?? "")))).json().data;
      expect(me).toMatchObject({ user: { email, name }, merchants: [{ id: merchantId }] });
      expect(me.merchants).toHaveLength(1);
    }
    expect(codeOf(await enter(email, "no such password"))).toEqual([401, "sign_in_wrong"]);
  });

  test("leaves nothing to who squatted on an address, once an operator confirms it for another merchant", async () => {
    const email = "ceo@other.example";
    const squatter = cookieOf(await visit("join", newcomer(tokenOf(await invite(ada, email)))));
    const body = { email, name: "Chidi Eze", merchantId: otherMerchant.merchant.id, role: "owner" };
    const { id, signInLink } = (await operate("POST", "/operator/people", body)).json().data;
    const cookie = cookieOf(await redeem(testing, signInLink.split("token=")[1]));
    expect((await meOf(cookie)).json().data).toMatchObject({
      user: { id, email, name: "Chidi Eze", hasPassword: false },
      merchants: [{ id: otherMerchant.merchant.id }],
    });
    expect((await meOf(squatter)).json().data.merchants).toMatchObject([{ id: merchant.merchant.id }]);
    const token = tokenOf(await invite(ada, "chidi@other.example"));
    await operate("POST", "/operator/people", { ...body, email: "chidi@other.example" });
    expect((await visit("look", { token })).json().data.hasAccount).toBe(true);
    expect(codeOf(await visit("join", newcomer(token)))).toEqual([409, "person_exists"]);
  });

  test("is over for who joined by it, once an operator confirms the address for the same merchant", async () => {
    const email = "bola@example.com";
    const joined = cookieOf(await visit("join", newcomer(tokenOf(await invite(ada, email)))));
    const { id: before } = (await meOf(joined)).json().data.user;
    const body = { email, name: "Bola Adeyemi", merchantId: merchant.merchant.id, role: "viewer" };
    const { id } = (await operate("POST", "/operator/people", body)).json().data;
    expect(id).toBe(before);
    expect((await meOf(joined)).statusCode).toBe(401);
    expect(codeOf(await enter(email, password))).toEqual([401, "sign_in_wrong"]);
    const { members } = await teamOf(ada);
    expect(members).toMatchObject([{}, { email, name: "Bola Adeyemi", role: "viewer" }]);
  });

  test("a confirmed person takes the place of who joined under the same address", async () => {
    const email = "bola@example.com";
    await visit("join", newcomer(tokenOf(await invite(ada, email))));
    await makePerson(testing, { email });
    const body = { email, name: "Bola", merchantId: merchant.merchant.id, role: "viewer" };
    const { id } = (await operate("POST", "/operator/people", body)).json().data;
    expect((await teamOf(ada)).members).toMatchObject([{}, { personId: id, email, role: "viewer" }]);
    expect((await teamOf(ada)).members).toHaveLength(2);
  });

  test("to somebody who joined before and was removed is accepted by signing in", async () => {
    const email = "bola@example.com";
    const cookie = cookieOf(await visit("join", newcomer(tokenOf(await invite(ada, email)))));
    const { id } = (await meOf(cookie)).json().data.user;
    expect((await ada.ask("DELETE", `${team}/team/${id}`)).statusCode).toBe(200);
    const token = tokenOf(await invite(ada, email));
    expect((await visit("look", { token })).json().data.hasAccount).toBe(true);
    expect(codeOf(await visit("join", newcomer(token)))).toEqual([409, "person_exists"]);
    const accept = { headers: { ...fromPage, cookie }, payload: { token } } as const;
    const accepted = await app.inject({ method: "POST", url: "/console/api/invitations/accept", ...accept });
    expect(accepted.statusCode).toBe(200);
  });
});
