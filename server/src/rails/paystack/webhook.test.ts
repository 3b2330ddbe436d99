import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { HookRequest } from "../provider.ts";
import type { BankList } from "../provider-banks.ts";
import { readApproval, readTransfers } from "./provider.ts";
import { readHook } from "./webhook.ts";

const key = "sk_live_the_right_one";

function signed(raw: string | Buffer, secret = key): HookRequest {
  const body = Buffer.from(raw);
  const signature = createHmac("sha512", secret).update(body).digest("hex");
  return { body, headers: { "x-paystack-signature": signature } };
}

const event = (name: string, data: unknown) => signed(JSON.stringify({ event: name, data }));
const forged = { about: "forged" };
const walletId = "0198f000-0000-7000-8000-000000000001";
const walletEmail = `Wallet-${walletId}@accounts.example.com`;

describe("a signature", () => {
  const raw = '{ "event" :\t"transfer.success",\r\n "data":{"reference":"ref-1","reason":"owó ilé 🏠 \\u00e9"} }';
  const hint = { about: "bank", id: "ref-1", event: "transfer.success" };

  test("is over the bytes as they arrived, with odd spacing and unicode", () => {
    expect(readHook(key, signed(raw))).toEqual(hint);
  });

  test("in upper-case digits is the same signature", () => {
    const { body, headers } = signed(raw);
    const upper = headers["x-paystack-signature"]?.toUpperCase();
    expect(readHook(key, { body, headers: { "x-paystack-signature": upper } })).toEqual(hint);
  });

  test("does not fit a body that was written again", () => {
    const { headers } = signed(raw);
    const again = Buffer.from(JSON.stringify(JSON.parse(raw)));
    expect(readHook(key, { body: again, headers })).toEqual(forged);
  });

  test.each([
    ["of another key", signed(raw, "sk_live_another").headers],
    ["missing", {}],
    ["empty", { "x-paystack-signature": "" }],
    ["too short", { "x-paystack-signature": signed(raw).headers["x-paystack-signature"]?.slice(2) }],
    ["too long", { "x-paystack-signature": `${signed(raw).headers["x-paystack-signature"]}00` }],
    ["not hexadecimal", { "x-paystack-signature": "z".repeat(128) }],
    ["under another name", { "x-signature": signed(raw).headers["x-paystack-signature"] }],
  ])("%s is forged", (_, headers) => {
    const request = { body: Buffer.from(raw), headers };
    expect(readHook(key, request)).toEqual(forged);
    expect(readTransfers(key, request)).toBeNull();
  });

  test("under an empty key is forged: a connection without a key trusts nobody", () => {
    expect(readHook("", signed(raw, ""))).toEqual(forged);
  });
});

describe("an event", () => {
  test.each([
    ["transfer.success", { reference: "ref-1" }, { about: "bank", id: "ref-1" }],
    ["transfer.failed", { reference: "ref-1" }, { about: "bank", id: "ref-1" }],
    ["transfer.reversed", { reference: "ref-1" }, { about: "bank", id: "ref-1" }],
    ["transfer.success", { id: 5 }, { about: "nothing" }],
    ["charge.success", { id: 5, reference: "ref-1", channel: "card" }, { about: "card", id: "ref-1" }],
    ["charge.success", { id: 5, reference: "1691", channel: "dedicated_nuban" }, { about: "inbound", id: "5" }],
    ["refund.processed", { transaction_reference: "ref-1", amount: "5000" }, { about: "card", id: "ref-1" }],
    ["refund.needs-attention", { transaction_reference: "ref-1" }, { about: "card", id: "ref-1" }],
    ["dedicatedaccount.assign.success", { customer: { email: walletEmail } }, { about: "inbound", id: walletId }],
    ["dedicatedaccount.assign.failed", { customer: { email: walletEmail } }, { about: "inbound", id: walletId }],
    ["assigndedicatedaccount.success", { customer: { email: walletEmail } }, { about: "inbound", id: walletId }],
    ["dedicatedaccount.assign.success", { customer: { email: "ada@example.com" } }, { about: "nothing" }],
    ["customeridentification.success", { customer_id: "1" }, { about: "nothing" }],
    ["subscription.create", {}, { about: "nothing" }],
  ])("%s with %j", (name, data, hint) => {
    expect(readHook(key, event(name, data))).toEqual({ ...hint, event: name });
  });

  test("keeps every digit of a 64-bit id", () => {
    const raw = '{"event":"charge.success","data":{"id":18446744073709551615,"channel":"dedicated_nuban"}}';
    expect(readHook(key, signed(raw))).toEqual({
      about: "inbound",
      id: "18446744073709551615",
      event: "charge.success",
    });
  });

  test("carries no amount, and whatever is signed is read without an error", () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (raw) => {
        expect(Object.keys(readHook(key, signed(raw))).sort()).not.toContain("amount");
        readTransfers(key, signed(raw));
      }),
    );
    expect(readHook(key, signed("not JSON"))).toEqual({ about: "nothing", event: "unreadable" });
  });
});

describe("the question before a transfer", () => {
  const transfer = {
    reference: "ref-1",
    amount: 250_000,
    recipient: { recipient_code: "RCP_1", details: { account_number: "0123456789", bank_code: "058" } },
  };
  const account = { accountNumber: "0123456789", bankCode: "058" };
  const question = { sessionId: "ref-1", amount: 250_000n, ...account };
  const ask = (body: unknown) => readTransfers(key, signed(JSON.stringify(body)));

  test("is read in each of the three forms that were seen", () => {
    expect(ask(transfer)).toEqual([question]);
    expect(ask({ event: "transfer.approval", data: transfer })).toEqual([question]);
    const flat = { recipient: "RCP_2", account_number: "1", bank_code: "044" };
    const second = { ...transfer, reference: "ref-2", amount: "1000", ...flat };
    expect(ask({ event: "transfer.approval", data: { transfers: [transfer, second] } })).toEqual([
      question,
      { sessionId: "ref-2", amount: 1_000n, accountNumber: "1", bankCode: "044" },
    ]);
  });

  test("takes account and bank from one place", () => {
    const recipient = { account_number: "0123456789", bank_code: "058" };
    expect(ask({ ...transfer, recipient })).toEqual([question]);
    expect(ask({ ...transfer, recipient: { account_number: "0123456789" }, bank_code: "058" })).toBeNull();
  });

  test("names the bank by the switch's code, and no bank that Paystack's list does not have", async () => {
    const codes = new Map([["000013", "058"]]);
    const known = async () => ({ isRead: true as const, codes });
    const unread = async () => ({ isRead: false as const });
    const asked = (bank: string, read: () => Promise<BankList> = known) => {
      const details = { account_number: "0123456789", bank_code: bank };
      const raw = JSON.stringify({ ...transfer, recipient: { details } });
      return readApproval(key, { read, readAgain: read }, signed(raw));
    };
    const { bankCode: _, ...named } = question;
    expect(await asked("058")).toEqual([{ ...named, nipCode: "000013" }]);
    expect(await asked("044")).toBeNull();
    expect(await asked("058", unread)).toBeNull();
  });

  test.each([
    ["nothing", {}],
    ["an empty list", { data: { transfers: [] } }],
    ["a list that is none", { data: { transfers: "all" } }],
    ["no reference", { data: { ...transfer, reference: null } }],
    ["no amount", { data: { ...transfer, amount: "12.5" } }],
    ["no recipient", { data: { ...transfer, recipient: undefined } }],
    ["a recipient by its code alone", { data: { ...transfer, recipient: "RCP_1" } }],
    ["no bank", { data: { ...transfer, recipient: { details: { account_number: "0123456789" } } } }],
    ["another currency", { data: { ...transfer, currency: "GHS" } }],
    [
      "another account beside the first one",
      { data: { ...transfer, recipient: { ...transfer.recipient, account_number: "9", bank_code: "044" } } },
    ],
    ["another bank beside the first one", { data: { ...transfer, bank_code: "044" } }],
    ["a transfer beside data", { data: transfer, reference: "ref-2", amount: 1_000 }],
    ["a list beside data", { data: transfer, transfers: [transfer] }],
    ["one that cannot be read among others", { data: { transfers: [transfer, { reference: "ref-2" }] } }],
    ["a text", "transfer"],
  ])("with %s is refused as a whole", (_, body) => {
    expect(ask(body)).toBeNull();
  });
});
