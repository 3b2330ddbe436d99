import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { keysOf } from "../../platform/keys-of.ts";
import type { WireReply } from "../provider-client.ts";
import { parseWireJson, textOf } from "../wire-json.ts";
import {
  classifyAccountOpening,
  classifyAccounts,
  classifyCredit,
  classifyHolder,
  type Holder,
} from "./classify-inbound.ts";

const email = "wallet-0198f000-0000-7000-8000-000000000001@accounts.example.com";
const holder: Holder = { outcome: "holder", id: "84312", code: "CUS_1" };
const asked = { transactionId: "3012151281", mode: "live" as const };
const answer = (status: number, body: unknown): WireReply => ({ kind: "answer", status, body, headers: {} });
const granted = (data: unknown) => answer(200, { status: true, message: "ok", data });
const refused = (status: number, message: string, more = {}) => answer(status, { status: false, message, ...more });

const row = {
  id: 1,
  account_number: "9930000020",
  account_name: "JARA / MAMA PUT",
  assigned: true,
  active: true,
  currency: "NGN",
  bank: { name: "Paystack-Titan" },
  customer: { id: 84_312, customer_code: "CUS_1" },
};

const credit = {
  id: 3_012_151_281,
  status: "success",
  domain: "live",
  channel: "dedicated_nuban",
  amount: 250_000,
  fees: 2_500,
  currency: "NGN",
  reference: "1691523940636d97c26jll2pohss",
  paid_at: "2026-11-03T09:15:00.000Z",
  metadata: { receiver_account_number: "9930000020" },
  customer: { customer_code: "CUS_1" },
  authorization: { sender_bank_account_number: "XXXXXX4553", sender_name: "ADA\n OBI ", sender_bank: null },
};

describe("a holder", () => {
  test.each([
    ["ours", granted({ id: 84_312, customer_code: "CUS_1", email, domain: "live" }), holder],
    ["ours, in capitals", granted({ id: 84_312, customer_code: "CUS_1", email: email.toUpperCase() }), holder],
    [
      "another's address",
      granted({ id: 1, customer_code: "CUS_1", email: "a@b.example" }),
      { outcome: "unknown", alarm: expect.any(String) },
    ],
    [
      "of the other mode",
      granted({ id: 1, customer_code: "C", email, domain: "test" }),
      { outcome: "unknown", alarm: expect.any(String) },
    ],
    ["without a code", granted({ id: 1, email }), { outcome: "unknown" }],
    ["unheard of", refused(404, "Customer not found"), { outcome: "no_record" }],
    ["unheard of, by code", refused(404, "No", { code: "customer_not_found" }), { outcome: "no_record" }],
    ["an address that is not there", refused(404, "Endpoint not found"), { outcome: "unknown" }],
    ["a page of a proxy", answer(404, undefined), { outcome: "unknown" }],
    ["a name that is not taken", refused(400, "first_name is invalid"), { outcome: "refused", code: "holder_refused" }],
    ["an address that is not taken", refused(400, "Invalid Email Address Passed"), { outcome: "unknown" }],
    ["a wrong key", refused(401, "Invalid key"), { outcome: "unknown", hold: { reason: "keys_refused" } }],
  ])("%s", (_, reply, expected) => {
    expect(classifyHolder(reply, { email, mode: "live" })).toMatchObject(expected);
  });
});

describe("an account", () => {
  const opened = {
    outcome: "active",
    account: { accountNumber: "9930000020", bankName: "Paystack-Titan", holderReference: "CUS_1" },
  };
  test.each([
    ["ready", row, opened],
    ["on its way", { ...row, assigned: false, account_number: null }, { outcome: "unknown", code: "being_assigned" }],
    ["closed", { ...row, assigned: false }, { outcome: "unknown", code: "being_assigned" }],
    ["without a number", { ...row, account_number: "" }, { outcome: "unknown" }],
    ["with a number that is not one", { ...row, account_number: "99300" }, { outcome: "unknown" }],
    ["in another currency", { ...row, currency: "GHS" }, { outcome: "unknown" }],
    ["without a bank", { ...row, bank: {} }, { outcome: "unknown" }],
    ["known by the holder's number only", { ...row, customer: { id: 84_312 } }, opened],
  ])("%s, just opened and listed", (_, data, expected) => {
    expect(classifyAccountOpening(granted(data), holder)).toMatchObject(expected);
    expect(classifyAccounts(granted([data]), holder)).toMatchObject(expected);
  });

  test("of another holder is an alarm when it was opened, and not there when it is listed", () => {
    const other = { ...row, customer: { id: 1, customer_code: "CUS_2" } };
    expect(classifyAccountOpening(granted(other), holder)).toMatchObject({
      outcome: "unknown",
      alarm: expect.any(String),
    });
    expect(classifyAccounts(granted([other]), holder)).toEqual({ outcome: "no_record" });
  });

  test("twice is the first, and an alarm", () => {
    const second = { ...row, account_number: "9930000021" };
    expect(classifyAccounts(granted([row, second]), holder)).toMatchObject({
      ...opened,
      alarm: expect.stringMatching(/more than one/),
    });
  });

  test("none in a list that was read is no record, in one that was not it is unknown", () => {
    expect(classifyAccounts(granted([]), holder)).toEqual({ outcome: "no_record" });
    expect(classifyAccounts(granted(null), holder)).toMatchObject({ outcome: "unknown" });
    expect(classifyAccounts({ kind: "no_answer", why: "x" }, holder)).toMatchObject({ outcome: "unknown" });
  });

  test.each([
    [refused(403, "Dedicated NUBAN is not available for your business"), "not_enabled"],
    [refused(400, "Customer must be validated before an account is assigned"), "identity_wanted"],
  ])("that the business may not have yet is told to people and holds nothing: %#", (reply, code) => {
    expect(classifyAccountOpening(reply, holder)).toEqual({ outcome: "unknown", code, alarm: expect.any(String) });
  });

  test.each([
    refused(400, "Customer already has a dedicated account"),
    refused(500, "first_name is invalid"),
    answer(502, undefined),
  ])("that may be there after all is not refused: %#", (reply) =>
    expect(classifyAccountOpening(reply, holder)).toMatchObject({ outcome: "unknown" }),
  );
});

describe("a credit", () => {
  test("is read to the kobo, with what is known of its sender and nothing more", () => {
    expect(classifyCredit(granted(credit), asked)).toEqual({
      outcome: "credited",
      credit: {
        transactionId: "3012151281",
        amount: 250_000n,
        fee: 2_500n,
        currency: "NGN",
        accountNumber: "9930000020",
        holderReference: "CUS_1",
        senderName: "ADA OBI",
        senderBank: null,
        senderAccount: "4553",
        networkSessionId: null,
        paidAt: new Date("2026-11-03T09:15:00.000Z"),
      },
    });
  });

  test("a reference of 30 digits is the switch's session", () => {
    const reference = "000014261103091500000000000042";
    expect(classifyCredit(granted({ ...credit, reference }), asked)).toMatchObject({
      credit: { networkSessionId: reference },
    });
  });

  test("the account's number is only where Paystack puts it, never where others believed it to be", () => {
    const invented = { account_number: "1111111111", dedicated_account: { account_number: "1111111111" } };
    const told = { ...credit, ...invented, metadata: "", authorization: { account_number: "1111111111" } };
    expect(classifyCredit(granted(told), asked)).toMatchObject({
      credit: { accountNumber: null, holderReference: "CUS_1" },
    });
  });

  test.each([
    ["another id", { id: 1 }, { outcome: "unknown", alarm: expect.any(String) }],
    ["a card's", { channel: "card" }, { outcome: "not_inbound" }],
    ["of the test mode", { domain: "test" }, { outcome: "not_inbound", alarm: expect.any(String) }],
    ["without a mode", { domain: null }, { outcome: "not_inbound" }],
    ["failed", { status: "failed" }, { outcome: "not_inbound" }],
    ["abandoned", { status: "abandoned" }, { outcome: "not_inbound" }],
    ["reversed", { status: "reversed" }, { outcome: "taken_back" }],
    ["pending", { status: "pending" }, { outcome: "unknown", code: "pending" }],
    ["a word of tomorrow", { status: "settled" }, { outcome: "unknown" }],
    ["without an amount", { amount: null }, { outcome: "unknown", alarm: expect.any(String) }],
    ["of nothing", { amount: 0, fees: 0 }, { outcome: "unknown" }],
    ["with half a kobo", { amount: "2500.5" }, { outcome: "unknown" }],
    ["with a fee above it", { fees: 250_001 }, { outcome: "unknown" }],
    ["with a fee that cannot be read", { fees: "1%" }, { outcome: "unknown" }],
    ["without a fee", { fees: null }, { outcome: "credited", credit: { fee: 0n } }],
    ["without a currency", { currency: null }, { outcome: "unknown" }],
    ["in dollars", { currency: "USD" }, { outcome: "credited", credit: { currency: "USD" } }],
    ["at no time", { paid_at: "soon" }, { outcome: "unknown" }],
  ])("%s", (_, change, expected) => {
    expect(classifyCredit(granted({ ...credit, ...change }), asked)).toMatchObject(expected);
  });

  test.each([
    [refused(404, "Transaction ID or reference passed is invalid"), "no_record"],
    [refused(400, "Transaction not found"), "no_record"],
    [refused(404, "Endpoint not found"), "unknown"],
    [refused(500, "Transaction not found"), "unknown"],
    [answer(404, undefined), "unknown"],
  ])("that is not there: %#", (reply, outcome) => expect(classifyCredit(reply, asked).outcome).toBe(outcome));
});

describe("whatever arrives", () => {
  const word = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom("success", "reversed", "dedicated_nuban", "live", true, false, null),
  );
  const like = (known: object) =>
    fc.record(
      Object.fromEntries(Object.entries(known).map(([name, value]) => [name, fc.oneof(word, fc.constant(value))])),
      {
        requiredKeys: [],
      },
    );
  const data = fc.oneof(fc.jsonValue(), like(credit), like(row), fc.array(like(row), { maxLength: 3 }));
  const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => parseWireJson(Buffer.from(array).toString("utf8")));
  const body = fc.oneof(fc.record({ status: word, message: word, code: word, data }, { requiredKeys: [] }), bytes);
  const status = fc.oneof(fc.constantFrom(200, 201, 400, 401, 403, 404, 422, 429, 500, 502), fc.integer());
  const reply: fc.Arbitrary<WireReply> = fc.oneof(
    fc.record({ status, body }).map((arrived) => answer(arrived.status, arrived.body)),
    fc.constantFrom<WireReply>({ kind: "not_sent", why: "x" }, { kind: "no_answer", why: "x" }),
  );

  test("is one of our answers; an account and a credit only with the facts of one", () => {
    fc.assert(
      fc.property(reply, (arrived) => {
        const found = classifyCredit(arrived, asked);
        expect(["credited", "taken_back", "not_inbound", "no_record", "unknown"]).toContain(found.outcome);
        if (found.outcome === "credited") {
          const facts = { id: credit.id, status: "success", channel: "dedicated_nuban", domain: "live" };
          expect(arrived).toMatchObject({ kind: "answer", body: { status: true, data: facts } });
        }
        const accounts = [classifyAccountOpening(arrived, holder), classifyAccounts(arrived, holder)];
        for (const answered of accounts) {
          expect(["active", "refused", "no_record", "unknown"]).toContain(answered.outcome);
          if (answered.outcome === "active") expect(answered.account.accountNumber).toMatch(/^\d{10}$/);
        }
        const outcomes = ["holder", "refused", "no_record", "unknown"];
        expect(outcomes).toContain(classifyHolder(arrived, { email, mode: "live" }).outcome);
      }),
      { numRuns: 3_000 },
    );
  });

  test("a change to one fact of a credit is not a credit of ours", () => {
    const { id, status: state, domain, channel } = credit;
    const facts = { id, status: state, domain, channel };
    fc.assert(
      fc.property(fc.constantFrom(...keysOf(facts)), fc.jsonValue(), (name, value) => {
        fc.pre(textOf(value)?.trim() !== String(facts[name]));
        expect(classifyCredit(granted({ ...credit, [name]: value }), asked).outcome).not.toBe("credited");
      }),
      { numRuns: 1_000 },
    );
  });
});
