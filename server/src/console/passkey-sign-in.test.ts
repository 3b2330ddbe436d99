/** Signing in with a passkey: everything that must not work. */
import { beforeEach, describe, expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { cookieOf, type Visitor } from "../../testing/console.ts";
import { type Ceremony, passkeyUsers, withPasskey } from "../../testing/passkeys.ts";
import { softwarePasskey } from "../../testing/software-passkey.ts";
import { asOwner } from "../../testing/work.ts";
import { inEnvironment, operatorScope } from "../platform/database/database.ts";

const testing = await createTestApp({ trustProxy: 1 });
const { app, operate, ownerUrl } = testing;
const { comeIn, newPerson, openBrowser, visit } = passkeyUsers(testing);
const someId = "01932c5e-0000-7000-8000-000000000000";
const codeOf = (reply: { statusCode: number; json(): { code?: string } }) => [reply.statusCode, reply.json().code];
const refused = [401, "passkey_wrong"];

let ada: Visitor;
beforeEach(async () => {
  ada = await newPerson();
});

describe("signing in is refused", () => {
  test.each<[string, Ceremony]>([
    ["on another site's page", { origin: "https://evil.example" }],
    ["for another site", { siteId: "evil.example" }],
    ["without a fingerprint or PIN", { isVerified: false }],
    ["to a device that does not say whose it is", { userHandle: undefined }],
    ["to a device that says it is somebody else's", { userHandle: Buffer.from(someId).toString("base64url") }],
  ])("%s", async (_, ceremony) => {
    const device = await withPasskey(ada);
    expect(codeOf(await comeIn(device, ceremony))).toEqual(refused);
    expect((await comeIn(device)).statusCode).toBe(200);
  });

  test("to a device that nobody has added, and to one that signs for another", async () => {
    const device = await withPasskey(ada);
    const stranger = softwarePasskey();
    const userHandle = Buffer.from(ada.personId).toString("base64url");
    expect(codeOf(await comeIn(stranger, { userHandle }))).toEqual(refused);
    const { options, finish } = await openBrowser();
    const forged = { ...stranger.sign(options, { userHandle }), id: device.id, rawId: device.id };
    expect(codeOf(await finish(forged))).toEqual(refused);
  });

  test("a second time under the same challenge, at once or later, and after a refusal", async () => {
    const device = await withPasskey(ada);
    const { options, finish } = await openBrowser();
    const signed = device.sign(options);
    const replies = await Promise.all([finish(signed), finish(signed)]);
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401]);
    expect(codeOf(await finish(device.sign(options)))).toEqual(refused);
    const second = await openBrowser();
    expect(codeOf(await second.finish(device.sign(second.options, { isVerified: false })))).toEqual(refused);
    expect(codeOf(await second.finish(device.sign(second.options)))).toEqual(refused);
  });

  test("too late, in another browser, without one, and with what was asked for a proof", async () => {
    const device = await withPasskey(ada);
    const [late, other] = [await openBrowser(), await openBrowser()];
    await asOwner(ownerUrl, "update passkey_challenges set expires_at = clock_timestamp() - interval '1 second'");
    expect(codeOf(await late.finish(device.sign(late.options)))).toEqual(refused);
    const mine = await openBrowser();
    const signed = device.sign(mine.options);
    expect(codeOf(await mine.finish(signed, other.cookie))).toEqual(refused);
    expect(codeOf(await mine.finish(signed, ""))).toEqual(refused);
    expect((await mine.finish(signed)).statusCode).toBe(200);
    const { options } = (await ada.ask("POST", "/console/api/prove/passkey")).json().data;
    expect(codeOf(await mine.finish(device.sign(options)))).toEqual(refused);
    expect(codeOf(await mine.finish({ ...signed, response: { ...signed.response, clientDataJSON: "bm90" } }))).toEqual(
      refused,
    );
  });

  test("to a copy, whose counter stays behind", async () => {
    const device = await withPasskey(ada);
    expect((await comeIn(device, { counter: 9 })).statusCode).toBe(200);
    expect(codeOf(await comeIn(device, { counter: 9 }))).toEqual(refused);
    expect((await comeIn(device, { counter: 10 })).statusCode).toBe(200);
    const synced = await withPasskey(ada);
    for (let n = 0; n < 2; n += 1) expect((await comeIn(synced, { counter: 0 })).statusCode).toBe(200);
  });

  test("to who tries too often, from one address and on one account", async () => {
    const device = await withPasskey(ada);
    const statuses = async (times: number, one: () => ReturnType<typeof visit>) => {
      const seen: number[] = [];
      for (let n = 0; n < times; n += 1) seen.push((await one()).statusCode);
      return seen;
    };
    expect((await statuses(31, () => visit("/begin", undefined, "", "198.51.100.7"))).at(-1)).toBe(429);
    const wrong = await statuses(11, () => comeIn(device, { isVerified: false }));
    expect([wrong[0], wrong.at(-1)]).toEqual([401, 429]);
    expect(codeOf(await comeIn(device))).toEqual([429, "rate_limited"]);
  });
});

describe("a passkey opens nothing", () => {
  test("of what its person has no business in any more", async () => {
    const device = await withPasskey(ada);
    await asOwner(ownerUrl, `delete from memberships where person_id = '${ada.personId}'`);
    const cookie = cookieOf(await comeIn(device));
    const me = (await app.inject({ url: "/console/api/me", headers: { cookie } })).json().data;
    expect([me.merchants, me.operator]).toEqual([[], null]);
    const door = `/console/api/environments/${testing.merchant.environment.id}/transfers`;
    expect(codeOf(await app.inject({ url: door, headers: { cookie } }))).toEqual([404, "environment_not_found"]);
  });

  test("once its person is gone, or an operator decides anew who has the address", async () => {
    const device = await withPasskey(ada);
    const bola = await newPerson();
    const bolas = await withPasskey(bola);
    const person = { merchantId: testing.merchant.merchant.id, role: "viewer" };
    await asOwner(ownerUrl, `update people set merchant_id = '${person.merchantId}' where id = '${bola.personId}'`);
    await operate("POST", "/operator/people", { ...person, email: bola.email, name: "Bola" });
    expect(codeOf(await comeIn(bolas))).toEqual(refused);
    await asOwner(
      ownerUrl,
      `delete from memberships where person_id = '${ada.personId}'; delete from people where id = '${ada.personId}'`,
    );
    expect(codeOf(await comeIn(device))).toEqual(refused);
  });
});

test("what is asked of devices is kept as hashes, and goes when its time is over", async () => {
  const kept = () =>
    inEnvironment(testing.db, operatorScope, (tx) => tx.selectFrom("passkey_challenges").selectAll().execute());
  const { options, cookie } = await openBrowser();
  const dump = JSON.stringify(await kept());
  expect(dump).toContain("sign_in");
  expect(dump).not.toContain(options.challenge);
  expect(dump).not.toContain(cookie.split("=")[1]);
  await asOwner(ownerUrl, "update passkey_challenges set expires_at = clock_timestamp() - interval '1 second'");
  await openBrowser();
  expect(await kept()).toHaveLength(1);
});
