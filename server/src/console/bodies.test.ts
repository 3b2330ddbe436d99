/** What people may send to the console, and what it shows about them. */
import { describe, expect, test } from "vitest";
import { complaintsOf } from "../../testing/platform/complaints.ts";
import type { Person } from "../platform/http/caller.ts";
import { addPasskeyBody, passkeyData, passkeySignInBody, presentPasskey } from "./passkey-schemas.ts";
import type { Belongings } from "./person.ts";
import {
  codeBody,
  linkBody,
  meData,
  nameBody,
  newPersonBody,
  operatorRoleBody,
  passwordBody,
  presentMe,
  presentSession,
  proofBody,
  sessionData,
  signInBody,
} from "./schemas.ts";
import {
  inviteBody,
  joinBody,
  openInvitationData,
  presentInvitation,
  presentMember,
  presentOpen,
  roleBody,
  tokenBody,
} from "./team-schemas.ts";

const id = "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11";
const at = new Date("2026-11-02T08:00:00.000Z");
const longPassword = "correct horse battery";

describe("a password", () => {
  const complaints = complaintsOf(passwordBody);

  test.each(["x".repeat(12), "x".repeat(256), "            ", "пароль-пароль", "🐴".repeat(12)])(
    "may be %j: it is long, and nothing else is asked",
    (newPassword) => {
      expect(complaints({ newPassword })).toEqual({});
    },
  );

  test.each([
    ["x".repeat(11), "must have at least 12 characters"],
    ["x".repeat(257), "must have at most 256 characters"],
    ["", "must have at least 12 characters"],
    [123_456_789_012, "must be a string"],
    [undefined, "is required"],
  ])("is not %j", (newPassword, message) => {
    expect(complaints({ newPassword })).toEqual({ newPassword: message });
  });

  test("that is there already may be shorter: rules of today do not lock out anybody of yesterday", () => {
    expect(complaints({ newPassword: longPassword, password: "x" })).toEqual({});
    expect(complaintsOf(signInBody)({ email: "a", password: "x" })).toEqual({});
  });

  test("is never so long that hashing it holds up the others", () => {
    expect(complaintsOf(signInBody)({ email: "a", password: "x".repeat(257) })).toHaveProperty("password");
    expect(complaintsOf(proofBody)({ password: "x".repeat(257) })).toHaveProperty("password");
  });
});

describe("a proof", () => {
  const complaints = complaintsOf(proofBody);

  test.each([[{ password: "x" }], [{ code: "123456" }], [{ code: "abcd-efgh-ijkl-mnop" }]])("may be %j", (body) => {
    expect(complaints(body)).toEqual({});
  });

  test.each([[{}], [{ password: "x", code: "123456" }]])("is one thing, not %j", (body) => {
    expect(Object.keys(complaints(body)).sort()).toEqual(["code", "passkey", "password"]);
  });

  test.each(["12345", "x".repeat(41), ""])("is not the code %j", (code) => {
    expect(complaints({ code })).toHaveProperty("code");
    expect(complaintsOf(codeBody)({ code })).toHaveProperty("code");
    expect(complaintsOf(linkBody)({ token: "t", code })).toHaveProperty("code");
  });
});

describe("a passkey", () => {
  const signed = {
    id: "AbC-_9",
    rawId: "AbC-_9",
    type: "public-key",
    response: { clientDataJSON: "e30", authenticatorData: "AA", signature: "AA" },
  };
  const added = { ...signed, response: { clientDataJSON: "e30", attestationObject: "AA" } };

  test("is taken as a browser sends it", () => {
    expect(complaintsOf(passkeySignInBody)({ passkey: signed })).toEqual({});
    expect(complaintsOf(addPasskeyBody)({ name: "Ada's phone", passkey: added })).toEqual({});
    expect(complaintsOf(proofBody)({ passkey: signed })).toEqual({});
  });

  test.each([
    [{ id: "a+b" }, "passkey.id"],
    [{ id: "a=" }, "passkey.id"],
    [{ id: "" }, "passkey.id"],
    [{ rawId: "x".repeat(1_401) }, "passkey.rawId"],
    [{ type: "password" }, "passkey.type"],
    [{ response: { ...signed.response, signature: "not base64url!" } }, "passkey.response.signature"],
    [{ response: { ...signed.response, userHandle: "x".repeat(101) } }, "passkey.response.userHandle"],
    [{ response: {} }, "passkey.response.clientDataJSON"],
  ])("is not one with %j", (change, field) => {
    expect(complaintsOf(passkeySignInBody)({ passkey: { ...signed, ...change } })).toHaveProperty([field]);
  });

  test.each([["USB"], ["a b"], ["x".repeat(21)]])("has no way of transport %j", (way) => {
    const passkey = { ...added, response: { ...added.response, transports: [way] } };
    expect(complaintsOf(addPasskeyBody)({ name: "n", passkey })).toHaveProperty(["passkey.response.transports[0]"]);
  });

  test("is shown by its name and its times, and nothing of its key", () => {
    const kept = { id, name: "Phone", createdAt: at, lastUsedAt: null, publicKey: Buffer.from("k"), counter: 3 };
    const shown = presentPasskey(kept as unknown as Parameters<typeof presentPasskey>[0]);
    expect(shown).toEqual({ id, name: "Phone", createdAt: at.toISOString(), lastUsedAt: null });
    expect(complaintsOf(passkeyData)(shown)).toEqual({});
  });
});

describe("people and roles", () => {
  test.each(["owner", "developer", "finance", "support", "viewer"])("know the role %s of a merchant", (role) => {
    expect(complaintsOf(roleBody)({ role })).toEqual({});
    expect(complaintsOf(inviteBody)({ email: "ada@example.com", role })).toEqual({});
  });

  test.each(["Owner", "root", "admin", "", null])("know no role %j of a merchant", (role) => {
    expect(complaintsOf(roleBody)({ role })).toHaveProperty("role");
    expect(complaintsOf(newPersonBody)({ email: "ada@example.com", name: "A", role })).toHaveProperty("role");
  });

  test("keep the operator's roles apart from the merchants'", () => {
    expect(complaintsOf(operatorRoleBody)({ operatorRole: "admin" })).toEqual({});
    expect(complaintsOf(operatorRoleBody)({ operatorRole: "owner" })).toHaveProperty("operatorRole");
  });

  test.each(["ada", "ada@", "@example.com", "ada@example.com, eve@example.com", "ada@example.com\r\nBcc: x", ""])(
    "are not invited at %j",
    (email) => {
      expect(complaintsOf(inviteBody)({ email, role: "owner" })).toEqual({ email: "must be an e-mail address" });
    },
  );

  test.each(["", "   ", "x".repeat(201)])("are not called %j", (name) => {
    expect(complaintsOf(nameBody)({ name })).toHaveProperty("name");
    expect(complaintsOf(joinBody)({ token: "t", name, newPassword: longPassword })).toHaveProperty("name");
  });

  test("need a token to join that is not a book", () => {
    expect(complaintsOf(tokenBody)({ token: "" })).toHaveProperty("token");
    expect(complaintsOf(tokenBody)({ token: "x".repeat(201) })).toHaveProperty("token");
    expect(complaintsOf(joinBody)({})).toEqual({
      token: "is required",
      name: "is required",
      newPassword: "is required",
    });
  });
});

describe("what the console shows", () => {
  const person: Person = { id, email: "ada@example.com", name: "Ada", sessionId: "s", signedInAt: at, provenAt: at };
  const ways = { hasPassword: true, twoFactorEnabled: true, recoveryCodesLeft: 7, hasPasskey: false };
  const nobody: Belongings = { memberships: [], operatorRole: null };

  test("of oneself is where one belongs, and how to prove it; a proof of long ago is none", () => {
    const shown = presentMe(person, nobody, ways);
    expect(shown).toEqual({
      user: { id, email: "ada@example.com", name: "Ada", ...ways },
      merchants: [],
      operator: null,
      signedInAt: at.toISOString(),
      stepUpUntil: null,
      proofWays: ["code"],
    });
    expect(complaintsOf(meData)(shown)).toEqual({});
  });

  test("of a proof of just now is until when it counts", () => {
    const provenAt = new Date();
    expect(presentMe({ ...person, provenAt }, nobody, ways).stepUpUntil).toBe(
      new Date(provenAt.getTime() + 600_000).toISOString(),
    );
  });

  test("of an owner who also runs the service is both", () => {
    const environments = [{ id, kind: "SANDBOX" as const, name: "Sandbox" }];
    const membership = { merchantId: id, merchantName: "Mama Put", role: "owner" as const, environments };
    const shown = presentMe(person, { memberships: [membership], operatorRole: "admin" }, ways);
    expect(shown.merchants).toEqual([{ id, name: "Mama Put", role: "owner", environments }]);
    expect(shown.operator).toEqual({ role: "admin" });
    expect(complaintsOf(meData)(shown)).toEqual({});
  });

  test("of sessions is which of them asks", () => {
    const session = { id, address: null, userAgent: "Firefox", signedInAt: at, expiresAt: at };
    expect(presentSession(session, id).current).toBe(true);
    expect(presentSession(session, "another").current).toBe(false);
    expect(complaintsOf(sessionData)(presentSession(session, id))).toEqual({});
  });

  test("of a team is who is oneself, and of an invitation nothing that would open it", () => {
    const member = {
      personId: id,
      email: "ada@example.com",
      name: "Ada",
      role: "owner" as const,
      since: at,
      twoFactorEnabled: false,
    };
    expect(presentMember(member, id)).toMatchObject({ you: true, since: at.toISOString() });
    expect(presentMember(member, "another").you).toBe(false);
    const invitation = { id, email: "eve@example.com", role: "viewer" as const, expiresAt: at, invitedBy: null };
    const noisy = { ...invitation, tokenHash: "h" } as Parameters<typeof presentInvitation>[0];
    expect(presentInvitation(noisy)).toEqual({ ...invitation, expiresAt: at.toISOString() });
  });

  test("of an open invitation is whether somebody has the address, and not who", () => {
    const open = { merchantId: id, merchantName: "Mama Put", email: "eve@example.com", role: "viewer", personId: id };
    const shown = presentOpen(open as Parameters<typeof presentOpen>[0]);
    expect(shown.hasAccount).toBe(true);
    expect(shown).not.toHaveProperty("personId");
    expect(complaintsOf(openInvitationData)(shown)).toEqual({});
    expect(presentOpen({ ...open, personId: null } as Parameters<typeof presentOpen>[0]).hasAccount).toBe(false);
  });
});
