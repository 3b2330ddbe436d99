/** What a device is asked, and every way in which its answer may be wrong. */
import { beforeAll, describe, expect, test } from "vitest";
import { softwarePasskey } from "../../testing/software-passkey.ts";
import {
  challengeLifeMs,
  challengeOf,
  hashOf,
  optionsToAdd,
  optionsToSign,
  type PasskeyKey,
  siteOf,
  verifyAdded,
  verifySigned,
} from "./passkey.ts";

const site = siteOf("http://localhost:4000");
const person = { id: "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11", email: "ada@example.com", name: "Ada" };
type Added = Parameters<typeof verifyAdded>[1];
type Signed = Parameters<typeof verifySigned>[1];

describe("the site that devices sign for", () => {
  test.each([
    ["https://pay.example.com", "pay.example.com", "https://pay.example.com"],
    ["https://pay.example.com:8443/", "pay.example.com", "https://pay.example.com:8443"],
    ["http://localhost:4000", "localhost", "http://localhost:4000"],
  ])("of %s is %s, from pages of %s only", (address, id, origin) => {
    expect(siteOf(address)).toEqual({ id, origin });
  });
});

describe("what a device is asked", () => {
  const known = [{ credentialId: Buffer.from("one"), transports: ["usb"] }];

  test("to add a passkey names the person and the devices that are known, and wants to know who holds it", async () => {
    const options = await optionsToAdd(site, person, known);
    expect(options).toMatchObject({
      rp: { id: "localhost", name: "Jara" },
      user: { name: "ada@example.com", displayName: "Ada" },
      timeout: challengeLifeMs,
      excludeCredentials: [{ id: Buffer.from("one").toString("base64url"), transports: ["usb"] }],
    });
    expect(options.authenticatorSelection).toMatchObject({ residentKey: "required", userVerification: "required" });
    expect(Buffer.from(options.user.id, "base64url").toString()).toBe(person.id);
  });

  test("to sign names the person's devices, or lets the device offer what it has", async () => {
    expect((await optionsToSign(site, known)).allowCredentials).toHaveLength(1);
    expect((await optionsToSign(site)).allowCredentials ?? []).toEqual([]);
    expect((await optionsToSign(site)).userVerification).toBe("required");
  });

  test("is another challenge each time, long enough that nobody guesses it", async () => {
    const options = await Promise.all(Array.from({ length: 20 }, () => optionsToSign(site)));
    expect(new Set(options.map(({ challenge }) => challenge)).size).toBe(20);
    for (const { challenge } of options) {
      expect(Buffer.from(challenge, "base64url").length).toBeGreaterThanOrEqual(16);
    }
  });
});

describe("the challenge that a device says it has signed", () => {
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

  test("is read from what it says", () => {
    expect(challengeOf(encoded({ type: "webauthn.get", challenge: "abc" }))).toBe("abc");
  });

  test.each([
    ["nothing", ""],
    ["no JSON", Buffer.from("{").toString("base64url")],
    ["null", encoded(null)],
    ["a number", encoded({ challenge: 5 })],
    ["no challenge", encoded({})],
    ["a list", encoded(["challenge"])],
    ["no base64", "%%%"],
  ])("is none in %s, and nothing breaks", (_, text) => {
    expect(challengeOf(text)).toBeUndefined();
  });

  test("is kept as a hash, the same each time", () => {
    expect(hashOf("abc")).toEqual(hashOf("abc"));
    expect(hashOf("abc")).not.toEqual(hashOf("abd"));
    expect(hashOf("abc")).toHaveLength(32);
  });
});

describe("a device that answers", () => {
  const device = softwarePasskey();
  let key: PasskeyKey;
  let challenge = "";
  beforeAll(async () => {
    const options = await optionsToAdd(site, person, []);
    challenge = options.challenge;
    const added = await verifyAdded(site, device.add(options) as unknown as Added, challenge);
    if (added === undefined) throw new Error("the device was not taken");
    key = added;
  });
  const signed = (how = {}) => device.sign({ challenge }, { counter: key.counter + 1, ...how }) as unknown as Signed;

  test("rightly is known by its key and its counter", async () => {
    expect(key.publicKey.length).toBeGreaterThan(30);
    expect(await verifySigned(site, signed(), challenge, key)).toBe(key.counter + 1);
  });

  test.each([
    ["another challenge", {}, "b3RoZXI", site],
    ["from another page", { origin: "https://evil.example" }, undefined, site],
    ["for another site", { siteId: "evil.example" }, undefined, site],
    ["without a fingerprint or PIN", { isVerified: false }, undefined, site],
    ["at another address of ours", {}, undefined, siteOf("https://pay.example.com")],
  ])("to %s is refused", async (_, how, expected, where) => {
    expect(await verifySigned(where, signed(how), expected ?? challenge, key)).toBeUndefined();
  });

  test("with a counter that goes back is a copy, and refused", async () => {
    const ahead = { ...key, counter: 10 };
    expect(await verifySigned(site, signed({ counter: 9 }), challenge, ahead)).toBeUndefined();
    expect(await verifySigned(site, signed({ counter: 10 }), challenge, ahead)).toBeUndefined();
    expect(await verifySigned(site, signed({ counter: 11 }), challenge, ahead)).toBe(11);
  });

  test("with another device's key is refused", async () => {
    const other = softwarePasskey();
    const options = await optionsToAdd(site, person, []);
    other.add(options);
    const answer = other.sign({ challenge }, { counter: 5 }) as unknown as Signed;
    expect(await verifySigned(site, answer, challenge, key)).toBeUndefined();
  });

  test("with a signature that was touched is refused, and nothing breaks", async () => {
    const answer = signed();
    for (const signature of ["", "AA", `${answer.response.signature.slice(0, -4)}AAAA`]) {
      const touched = { ...answer, response: { ...answer.response, signature } };
      expect(await verifySigned(site, touched, challenge, key), signature).toBeUndefined();
    }
  });

  test("to an old challenge is not added", async () => {
    const fresh = softwarePasskey();
    const options = await optionsToAdd(site, person, []);
    const added = fresh.add(options) as unknown as Added;
    expect(await verifyAdded(site, added, "another")).toBeUndefined();
    expect(await verifyAdded(siteOf("https://pay.example.com"), added, options.challenge)).toBeUndefined();
    const broken = { ...added, response: { ...added.response, attestationObject: "AA" } };
    expect(await verifyAdded(site, broken, options.challenge)).toBeUndefined();
  });
});
