/** Merchants and environments as an operator sends and reads them. */
import { describe, expect, test } from "vitest";
import { complaintsOf } from "../../testing/platform/complaints.ts";
import { type Environment, isEnvironmentKind, type Merchant } from "./merchant.ts";
import { fingerprint } from "./profile.ts";
import {
  addEnvironmentBody,
  createMerchantBody,
  environmentData,
  merchantData,
  presentEnvironment,
  presentMerchant,
} from "./routes.ts";

const id = "01932c5e-8f4b-7c3a-9d2e-5b6a7c8d9e0f";
const at = new Date("2026-11-03T09:15:00.000Z");

describe("the body of a merchant", () => {
  const complaints = complaintsOf(createMerchantBody);
  const body = { name: "Mama Put Foods", email: "owner@mamaput.example" };

  test("is a name and an address", () => {
    expect(complaints(body)).toEqual({});
    expect(complaints({})).toEqual({ name: "is required", email: "is required" });
  });

  test.each(["Ọ̀rẹ́ & Sons (Nig.) Ltd", "7UP", "x".repeat(200), "<b>Bold</b>"])("may have the name %j", (name) => {
    expect(complaints({ ...body, name })).toEqual({});
  });

  test.each(["", "   ", "\u00a0", "x".repeat(201), null, 7])("has not the name %j", (name) => {
    expect(Object.keys(complaints({ ...body, name }))).toEqual(["name"]);
  });

  test.each(["owner", "owner@", "owner mamaput@example.com", `${"x".repeat(320)}@example.com`, "", null])(
    "has not the address %j",
    (email) => {
      expect(Object.keys(complaints({ ...body, email }))).toEqual(["email"]);
    },
  );
});

describe("the body of an environment", () => {
  const complaints = complaintsOf(addEnvironmentBody);

  test.each(["SANDBOX", "LIVE"])("may be of the kind %s", (kind) => {
    expect(complaints({ kind, name: "Staging" })).toEqual({});
    expect(isEnvironmentKind(kind)).toBe(true);
  });

  test.each(["sandbox", "TEST", "", "operator", "toString"])("is not of the kind %j", (kind) => {
    expect(complaints({ kind, name: "Staging" })).toEqual({ kind: "must be one of SANDBOX, LIVE" });
    expect(isEnvironmentKind(kind)).toBe(false);
  });

  test.each(["", " \t", "x".repeat(101)])("has not the name %j", (name) => {
    expect(Object.keys(complaints({ kind: "LIVE", name }))).toEqual(["name"]);
  });
});

describe("what is shown", () => {
  const environment: Environment = { id, merchantId: id, kind: "SANDBOX", name: "Sandbox", createdAt: at };
  const merchant: Merchant = {
    id,
    name: "Mama Put Foods",
    email: "owner@mamaput.example",
    createdAt: at,
    environments: [environment, { ...environment, kind: "LIVE", name: "Live" }],
  };

  test("of an environment is whose it is and of which kind", () => {
    const shown = presentEnvironment(environment);
    expect(shown).toEqual({ ...environment, createdAt: at.toISOString() });
    expect(complaintsOf(environmentData)(shown)).toEqual({});
  });

  test("of a merchant are its environments in their order, each by its id", () => {
    const shown = presentMerchant(merchant);
    expect(shown.environments).toEqual([
      { id, kind: "SANDBOX", name: "Sandbox" },
      { id, kind: "LIVE", name: "Live" },
    ]);
    expect(complaintsOf(merchantData)(shown)).toEqual({});
    expect(complaintsOf(merchantData)(presentMerchant({ ...merchant, environments: [] }))).toEqual({});
  });

  test("of a logo is a name that changes with every byte of it", () => {
    const one = fingerprint(Buffer.from([1, 2, 3]));
    expect(one).toMatch(/^[0-9a-f]{32}$/);
    expect(fingerprint(Buffer.from([1, 2, 3]))).toBe(one);
    expect(fingerprint(Buffer.from([1, 2, 4]))).not.toBe(one);
  });
});
