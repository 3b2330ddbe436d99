/** Connections as operators make, change and read them: credentials go in and never come out. */
import { describe, expect, test } from "vitest";
import { complaintsOf } from "../../../testing/platform/complaints.ts";
import { kobo } from "../../money/kobo.ts";
import type { HoldReason } from "../answer.ts";
import { paystack } from "../paystack/provider.ts";
import { vtpass } from "../vtpass/provider.ts";
import { type Connection, canMove, connectionTransitions, hasPassed, holdWords, ports } from "./connection.ts";
import {
  changeBody,
  connectionData,
  createBody,
  presentCheck,
  presentConnection,
  presentProvider,
  providerData,
} from "./schemas.ts";

const id = "01932c5e-8f4b-7c3a-9d2e-5b6a7c8d9e0f";
const at = new Date("2026-11-03T09:15:00.000Z");
const connection: Connection = {
  id,
  provider: "paystack",
  name: "Paystack payouts",
  mode: "live",
  ports: ["bank", "card"],
  baseUrl: "https://api.paystack.co",
  sealedCredentials: Buffer.from("sealed-secret"),
  state: "active",
  hold: null,
  checks: [{ name: "key mode", result: "ok", message: "The key is a live key." }],
  checksPassed: true,
  checkedAt: at,
  float: null,
  version: 7,
  createdAt: at,
  updatedAt: at,
};
const health = { state: "ok", calls: 20, unanswered: 0 } as const;
const shown = (change: Partial<Connection> = {}, publicUrl = "https://pay.example.com", asksApproval = false) =>
  presentConnection({ connection: { ...connection, ...change }, health, publicUrl, asksApproval });

describe("a connection is made", () => {
  const complaints = complaintsOf(createBody([paystack, vtpass]));
  const body = { provider: "paystack", name: "Payouts", mode: "live", credentials: { secretKey: "sk_live_1" } };
  const fieldsOf = (change: object) => Object.keys(complaints({ ...body, ...change }));

  test("at a provider that there is, with a name, a mode and credentials", () => {
    expect(complaints(body)).toEqual({});
    expect(Object.keys(complaints({})).sort()).toEqual(["credentials", "mode", "name", "provider"]);
    expect(fieldsOf({ provider: "vtpass" })).toEqual([]);
    expect(fieldsOf({ provider: "Paystack" })).toEqual(["provider"]);
    expect(fieldsOf({ mode: "LIVE" })).toEqual(["mode"]);
  });

  test.each(["", "  ", "x".repeat(201), null])("not with the name %j", (name) => {
    expect(fieldsOf({ name })).toEqual(["name"]);
  });

  test("for every port there is, or for those that are named, but never for none", () => {
    for (const port of ports) expect(fieldsOf({ ports: [port] })).toEqual([]);
    expect(fieldsOf({ ports: [] })).toEqual(["ports"]);
    expect(fieldsOf({ ports: ["fax"] })).toHaveLength(1);
  });

  test("with credentials that are texts of some length", () => {
    expect(fieldsOf({ credentials: { secretKey: "x".repeat(4_000) } })).toEqual([]);
    for (const wrong of ["", "x".repeat(4_001), 7, null]) {
      expect(fieldsOf({ credentials: { secretKey: wrong } })).toHaveLength(1);
    }
    expect(fieldsOf({ credentials: "sk_live_1" })).toEqual(["credentials"]);
  });
});

describe("a connection is changed", () => {
  const complaints = complaintsOf(changeBody);

  test.each([{}, { state: "paused" }, { name: "Other" }, { credentials: { secretKey: "sk_live_2" } }])(
    "by %j",
    (body) => {
      expect(complaints(body)).toEqual({});
    },
  );

  test.each([{ state: "held" }, { state: null }, { name: " " }, { credentials: [] }])("not by %j", (body) => {
    expect(Object.keys(complaints(body))).toEqual(Object.keys(body));
  });

  test("along the arrows of its states only, and never out of retirement", () => {
    const states = Object.keys(connectionTransitions) as (keyof typeof connectionTransitions)[];
    const moves = states.flatMap((from) => states.filter((to) => canMove(from, to)).map((to) => `${from} ${to}`));
    expect(moves).toEqual(["active paused", "active retired", "paused active", "paused retired"]);
  });
});

describe("a connection is shown", () => {
  const complaints = complaintsOf(connectionData);

  test("without its credentials, sealed or not, and without our own counting", () => {
    const text = JSON.stringify(shown());
    expect(text).not.toContain("sealed");
    expect(shown()).not.toHaveProperty("version");
    expect(complaints(shown())).toEqual({});
  });

  test.each(["https://pay.example.com", "https://pay.example.com/", "https://pay.example.com//"])(
    "with the address of its hook under %s",
    (publicUrl) => {
      expect(shown({}, publicUrl).hookUrl).toBe(`https://pay.example.com/rails/${id}/hook`);
    },
  );

  test("with an address for approvals where the provider asks before it pays", () => {
    expect(shown({}, "https://pay.example.com", true).approvalUrl).toBe(`https://pay.example.com/rails/${id}/approval`);
    expect(shown().approvalUrl).toBeNull();
  });

  test.each(Object.keys(holdWords) as HoldReason[])("with what to do about a hold for %s", (reason) => {
    const held = shown({ hold: { reason, message: "No.", since: at } });
    expect(held.hold).toEqual({ reason, message: "No.", advice: holdWords[reason], since: at.toISOString() });
    expect(complaints(held)).toEqual({});
  });

  test("with its float in naira, when it was read", () => {
    const read = shown({ float: { available: kobo(250_050n), readAt: at } });
    expect(read.float).toEqual({ available: 2_500.5, readAt: at.toISOString() });
    expect(shown().float).toBeNull();
    expect(complaints(read)).toEqual({});
  });
});

describe("a check", () => {
  test.each([
    ["ok", true],
    ["warning", true],
    ["failed", false],
  ] as const)("that ends with %s lets the connection be used: %s", (result, ok) => {
    const check = { name: "key mode", result, message: "Said so." };
    expect(presentCheck(check)).toEqual({ ...check, ok });
    expect(hasPassed([{ ...check, result: "ok" }, check])).toBe(ok);
  });

  test("that was never made stands in nobody's way", () => {
    expect(hasPassed([])).toBe(true);
  });
});

test.each([paystack, vtpass])("the provider $name is shown with the credentials that it needs", (provider) => {
  const told = presentProvider(provider);
  expect(told.provider).toBe(provider.name);
  expect(told.ports).toEqual([...provider.ports]);
  expect(told.credentials.some(({ secret, required }) => secret && required)).toBe(true);
  expect(complaintsOf(providerData)(told)).toEqual({});
});
