/** Keys and the audit trail as they are asked for and shown. */
import { describe, expect, test } from "vitest";
import { complaintsOf } from "../../testing/platform/complaints.ts";
import type { AuditEntry } from "../platform/records/audit.ts";
import { type ApiKey, isExpired } from "./api-key.ts";
import { defaultOverlapSeconds } from "./rotate-key.ts";
import {
  auditData,
  issuedKeyData,
  issueKeyBody,
  keyData,
  presentAuditEntry,
  presentKey,
  rotatedKeyData,
  rotateKeyBody,
} from "./schemas.ts";

const id = "01932c5e-8f4b-7c3a-9d2e-5b6a7c8d9e0f";
const at = new Date("2026-11-03T09:15:00.000Z");
const key: ApiKey = {
  id,
  environmentId: id,
  name: "Payout server",
  prefix: "sk_test_7Hq2",
  scopes: ["transfers:read"],
  allowedAddresses: [],
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
  replacedBy: null,
  createdAt: at,
};

describe("the body of a key", () => {
  const schema = issueKeyBody(["transfers:read", "bills:write"]);
  const complaints = complaintsOf(schema);
  const name = "Payout server";

  test("needs a name and nothing else", () => {
    expect(complaints({ name })).toEqual({});
    expect(complaints({})).toEqual({ name: "is required" });
  });

  test("says in the document which scopes there are", () => {
    expect(JSON.stringify(schema)).toContain("transfers:read, bills:write");
  });

  test.each(["", "  ", "x".repeat(101), null, 7])("has not the name %j", (wrong) => {
    expect(Object.keys(complaints({ name: wrong }))).toEqual(["name"]);
  });

  test.each([null, "2027-01-01T00:00:00Z", "2027-01-01T00:00:00+01:00"])("may end at %j", (expiresAt) => {
    expect(complaints({ name, expiresAt })).toEqual({});
  });

  test.each(["tomorrow", "2027-02-30T00:00:00Z", "2027-01-01", "", 1_800_000_000])(
    "does not end at %j",
    (expiresAt) => {
      expect(Object.keys(complaints({ name, expiresAt }))).toEqual(["expiresAt"]);
    },
  );

  test("has at least one scope when it has a list of them, and at most fifty", () => {
    expect(complaints({ name, scopes: ["transfers:read"] })).toEqual({});
    expect(complaints({ name, scopes: Array.from({ length: 50 }, (_, n) => `scope${n}:read`) })).toEqual({});
    expect(Object.keys(complaints({ name, scopes: [] }))).toEqual(["scopes"]);
    expect(Object.keys(complaints({ name, scopes: Array(51).fill("transfers:read") }))).toEqual(["scopes"]);
    expect(Object.keys(complaints({ name, scopes: "transfers:read" }))).toEqual(["scopes"]);
  });

  test("may have an empty list of addresses, which means from everywhere, and at most a hundred", () => {
    expect(complaints({ name, allowedAddresses: [] })).toEqual({});
    expect(complaints({ name, allowedAddresses: Array(100).fill("203.0.113.7") })).toEqual({});
    expect(Object.keys(complaints({ name, allowedAddresses: Array(101).fill("203.0.113.7") }))).toEqual([
      "allowedAddresses",
    ]);
  });
});

describe("the body of a rotation", () => {
  const complaints = complaintsOf(rotateKeyBody);

  test.each([0, 1, 3_600, defaultOverlapSeconds, 30 * 86_400])("lets the old key live for %i s", (overlapSeconds) => {
    expect(complaints({ overlapSeconds })).toEqual({});
  });

  test.each([-1, 0.5, 30 * 86_400 + 1, "3600", null])("does not take %j s", (overlapSeconds) => {
    expect(Object.keys(complaints({ overlapSeconds }))).toEqual(["overlapSeconds"]);
  });

  test("may be empty", () => {
    expect(complaints({})).toEqual({});
  });
});

describe("a key is shown", () => {
  test("without anything that opens a door", () => {
    const shown = presentKey({ ...key, key: "sk_test_7Hq2secret", secretHash: "abc" } as ApiKey);
    expect(Object.keys(shown).sort()).toEqual(Object.keys(key).sort());
    expect(JSON.stringify(shown)).not.toContain("secret");
    expect(complaintsOf(keyData)(shown)).toEqual({});
  });

  test("with every moment of its life, or null for what has not happened", () => {
    const lived = presentKey({ ...key, expiresAt: at, revokedAt: at, lastUsedAt: at, replacedBy: id });
    expect(lived).toMatchObject({
      expiresAt: at.toISOString(),
      revokedAt: at.toISOString(),
      lastUsedAt: at.toISOString(),
      replacedBy: id,
    });
    expect(presentKey(key)).toMatchObject({ expiresAt: null, revokedAt: null, lastUsedAt: null, replacedBy: null });
    expect(complaintsOf(keyData)(lived)).toEqual({});
  });

  test("as a copy: who changes what is shown does not change the key", () => {
    presentKey(key).scopes.push("bills:write");
    expect(key.scopes).toEqual(["transfers:read"]);
  });

  test("with its secret once, when it is issued or takes over", () => {
    const shown = presentKey(key);
    expect(complaintsOf(issuedKeyData)({ ...shown, key: "sk_test_x" })).toEqual({});
    expect(complaintsOf(issuedKeyData)(shown)).toEqual({ key: "is required" });
    expect(complaintsOf(rotatedKeyData)({ ...shown, key: "sk_test_x", replacedKey: shown })).toEqual({});
    expect(complaintsOf(rotatedKeyData)({ ...shown, key: "sk_test_x" })).toEqual({ replacedKey: "is required" });
  });

  test("works until its last millisecond and not a moment longer", () => {
    expect(isExpired({ expiresAt: at }, new Date(at.getTime() - 1))).toBe(false);
    expect(isExpired({ expiresAt: at }, at)).toBe(true);
    expect(isExpired({ expiresAt: null }, new Date("9999-12-31T00:00:00Z"))).toBe(false);
  });
});

describe("an entry of the audit trail", () => {
  const entry: AuditEntry = {
    id,
    at,
    actor: "operator",
    action: "key.revoke",
    subjectType: "key",
    subjectId: id,
    environmentId: null,
    detail: { name: "Payout server" },
    address: "203.0.113.7",
    requestId: "req_01932c60",
  };

  test("is shown as it was written, with its moment as text", () => {
    const shown = presentAuditEntry(entry);
    expect(shown).toEqual({ ...entry, at: at.toISOString() });
    expect(complaintsOf(auditData)(shown)).toEqual({});
    expect(complaintsOf(auditData)(presentAuditEntry({ ...entry, environmentId: id, detail: {} }))).toEqual({});
  });
});
