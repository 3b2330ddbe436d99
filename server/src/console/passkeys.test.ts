/** Passkeys: added, used to sign in and to prove it, removed. */
import { beforeEach, describe, expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { ageSessions, cookieOf, shownCode, signIn, type Visitor } from "../../testing/console.ts";
import { beginToAdd, type Ceremony, passkeyUsers, send, withPasskey } from "../../testing/passkeys.ts";
import { softwarePasskey } from "../../testing/software-passkey.ts";
import { asOwner } from "../../testing/work.ts";

const testing = await createTestApp({ trustProxy: 1 });
const { app, operate, ownerUrl } = testing;
const { comeIn, newPerson, openBrowser } = passkeyUsers(testing);
const someId = "01932c5e-0000-7000-8000-000000000000";
const codeOf = (reply: { statusCode: number; json(): { code?: string } }) => [reply.statusCode, reply.json().code];
const newest = async () => (await operate("GET", "/operator/audit?limit=1")).json().data[0];
const refused = [401, "passkey_wrong"];

let ada: Visitor;
beforeEach(async () => {
  ada = await newPerson();
});

describe("a passkey", () => {
  test("is added under a name, listed, and written down", async () => {
    const options = await beginToAdd(ada);
    expect(options).toMatchObject({
      rp: { id: "localhost", name: "Jara" },
      user: { name: ada.email, id: Buffer.from(ada.personId).toString("base64url") },
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      excludeCredentials: [],
    });
    const added = await send(ada, softwarePasskey().add(options), "  Ada's phone ");
    expect([added.statusCode, added.json().data]).toMatchObject([201, { name: "Ada's phone", lastUsedAt: null }]);
    expect(await newest()).toMatchObject({
      action: "person.passkey_add",
      actor: ada.email,
      detail: { name: "Ada's phone" },
    });
    expect((await ada.ask("GET", "/console/api/passkeys")).json().data).toEqual([added.json().data]);
    expect((await beginToAdd(ada)).excludeCredentials).toHaveLength(1);
    expect((await ada.ask("GET", "/console/api/me")).json().data).toMatchObject({
      user: { hasPasskey: true },
      proofWays: ["passkey"],
    });
  });

  test("signs its person in, also one who has an authenticator app, and nobody is asked for a code", async () => {
    const { secret } = (await ada.ask("POST", "/console/api/authenticator")).json().data;
    await ada.ask("POST", "/console/api/authenticator/confirm", { code: shownCode(secret) });
    const device = await withPasskey(ada);
    const entered = await comeIn(device);
    expect(entered.statusCode).toBe(200);
    const me = await app.inject({ url: "/console/api/me", headers: { cookie: cookieOf(entered) } });
    expect(me.json().data).toMatchObject({ user: { email: ada.email }, proofWays: ["passkey", "code"] });
    expect(await newest()).toMatchObject({
      action: "person.sign_in",
      actor: ada.email,
      detail: { by: "passkey", passkey: "Ada's phone" },
    });
    const [kept] = (await ada.ask("GET", "/console/api/passkeys")).json().data;
    expect(kept.lastUsedAt).not.toBeNull();
  });

  test("proves that it is you", async () => {
    const device = await withPasskey(ada);
    await ageSessions(testing);
    const wanting = () => ada.ask("POST", "/console/api/passkeys/begin");
    expect([codeOf(await wanting()), (await wanting()).json().data]).toEqual([
      [403, "proof_needed"],
      { ways: ["passkey"] },
    ]);
    const { options } = (await ada.ask("POST", "/console/api/prove/passkey")).json().data;
    expect(options.allowCredentials).toMatchObject([{ id: device.id }]);
    const passkey = device.sign(options);
    expect((await ada.ask("POST", "/console/api/prove", { passkey })).statusCode).toBe(200);
    expect((await wanting()).statusCode).toBe(200);
    await ageSessions(testing);
    expect(codeOf(await ada.ask("POST", "/console/api/prove", { passkey }))).toEqual([403, "proof_wrong"]);
  });

  test("is removed with the other sessions, and opens nothing afterwards", async () => {
    const device = await withPasskey(ada);
    const other = cookieOf(await comeIn(device));
    const [{ id }] = (await ada.ask("GET", "/console/api/passkeys")).json().data;
    const bola = await newPerson();
    expect(codeOf(await bola.ask("DELETE", `/console/api/passkeys/${id}`))).toEqual([404, "passkey_not_found"]);
    const removed = await ada.ask("DELETE", `/console/api/passkeys/${id}`);
    expect([removed.statusCode, removed.json().data]).toEqual([200, { endedSessions: 1 }]);
    expect(await newest()).toMatchObject({ action: "person.passkey_remove", detail: { name: "Ada's phone" } });
    expect((await app.inject({ url: "/console/api/me", headers: { cookie: other } })).statusCode).toBe(401);
    expect(codeOf(await comeIn(device))).toEqual(refused);
    expect(codeOf(await ada.ask("DELETE", `/console/api/passkeys/${someId}`))).toEqual([404, "passkey_not_found"]);
  });

  test("is there twenty times at most, also when two are added at once", async () => {
    const devices = [await withPasskey(ada), softwarePasskey()];
    await asOwner(
      ownerUrl,
      `insert into person_passkeys (id, person_id, credential_id, public_key, counter, transports, name)
       select gen_random_uuid(), '${ada.personId}', sha256(n::text::bytea || '${ada.personId}'), '', 0, '{}', 'x'
       from generate_series(1, 18) as n`,
    );
    const twentieth = await send(ada, devices[1]?.add(await beginToAdd(ada)) ?? {});
    expect(twentieth.statusCode).toBe(201);
    expect(codeOf(await ada.ask("POST", "/console/api/passkeys/begin"))).toEqual([409, "passkeys_full"]);
    await asOwner(ownerUrl, `delete from person_passkeys where person_id = '${ada.personId}' and public_key <> ''`);
    await withPasskey(ada);
    const options = await beginToAdd(ada);
    await asOwner(
      ownerUrl,
      `insert into person_passkeys (id, person_id, credential_id, public_key, counter, transports, name)
       values (gen_random_uuid(), '${ada.personId}', sha256('${ada.personId}'), '', 0, '{}', 'x')`,
    );
    expect(codeOf(await send(ada, softwarePasskey().add(options)))).toEqual([409, "passkeys_full"]);
  });
});

describe("adding is refused", () => {
  const notAdded = [422, "passkey_not_added"];

  test.each<[string, Ceremony]>([
    ["for another site's page", { origin: "https://evil.example" }],
    ["for another site", { siteId: "evil.example" }],
    ["without a fingerprint or PIN", { isVerified: false }],
  ])("%s", async (_, ceremony) => {
    expect(codeOf(await send(ada, softwarePasskey().add(await beginToAdd(ada), ceremony)))).toEqual(notAdded);
    expect((await ada.ask("GET", "/console/api/passkeys")).json().data).toEqual([]);
  });

  test("a second time under the same challenge, too late, in another session, and of another purpose", async () => {
    const device = softwarePasskey();
    const used = device.add(await beginToAdd(ada));
    await send(ada, used);
    expect(codeOf(await send(ada, used))).toEqual(notAdded);
    const late = softwarePasskey().add(await beginToAdd(ada));
    await asOwner(ownerUrl, "update passkey_challenges set expires_at = clock_timestamp() - interval '1 second'");
    expect(codeOf(await send(ada, late))).toEqual(notAdded);
    const options = await beginToAdd(ada);
    const elsewhere = await signIn(testing, { email: ada.email });
    expect(codeOf(await send(elsewhere, softwarePasskey().add(options)))).toEqual(notAdded);
    expect((await send(ada, softwarePasskey().add(options))).statusCode).toBe(201);
    const { options: toProve } = (await ada.ask("POST", "/console/api/prove/passkey")).json().data;
    const user = { id: Buffer.from(ada.personId).toString("base64url") };
    expect(codeOf(await send(ada, softwarePasskey().add({ ...toProve, user })))).toEqual(notAdded);
  });

  test("of a device that is known already, whoever's it is", async () => {
    const device = await withPasskey(ada);
    const bola = await newPerson();
    expect(codeOf(await send(bola, device.add(await beginToAdd(bola))))).toEqual([409, "passkey_exists"]);
  });
});

describe("a proof is refused", () => {
  const wrong = [403, "proof_wrong"];

  test("with somebody else's passkey, and with what another session was asked", async () => {
    const device = await withPasskey(ada);
    const bola = await newPerson();
    const bolas = await withPasskey(bola);
    const ask = async (who: Visitor) => (await who.ask("POST", "/console/api/prove/passkey")).json().data.options;
    const prove = (who: Visitor, passkey: object) => who.ask("POST", "/console/api/prove", { passkey });
    expect(codeOf(await prove(ada, bolas.sign(await ask(ada))))).toEqual(wrong);
    const elsewhere = await signIn(testing, { email: ada.email });
    expect(codeOf(await prove(ada, device.sign(await ask(elsewhere))))).toEqual(wrong);
    expect(codeOf(await prove(ada, device.sign(await ask(ada), { origin: "https://evil.example" })))).toEqual(wrong);
    const { options } = await openBrowser();
    expect(codeOf(await prove(ada, device.sign(options)))).toEqual(wrong);
  });
});
