/**
 * When a provider's refusal is about our account, and when it is about one order. Taken for the one it stops every
 * payout; taken for the other it fails payouts that were good.
 */
import { describe, expect, test } from "vitest";
import { holdIn as monnifyHold, refusalIn as monnifyRefusal } from "./monnify/reply.ts";
import { holdIn as paystackHold, refusalIn as paystackRefusal } from "./paystack/refusal.ts";
import type { WireReply } from "./provider-client.ts";

const answer = (status: number, body: unknown): WireReply => ({ kind: "answer", status, body, headers: {} });
const lost: WireReply[] = [
  { kind: "no_answer", why: "time" },
  { kind: "not_sent", why: "no address" },
];

describe("Paystack", () => {
  const says = (status: number, message: string, more: object = {}) =>
    answer(status, { status: false, message, ...more });

  test.each([
    [says(401, "Invalid key"), "keys_refused"],
    [says(403, "Your IP address is not allowed to make this call"), "address_refused"],
    [answer(403, undefined), "address_refused"],
    [says(403, "This feature is disabled for your integration"), "not_enabled"],
    [says(400, "Your balance is not enough to fulfil this request"), "float_empty"],
    [says(400, "Refused", { code: "insufficient_balance" }), "float_empty"],
    [says(400, "You cannot initiate third party payouts as a starter business"), "not_enabled"],
    [says(400, "Refused", { code: "transfer_unavailable" }), "not_enabled"],
  ])("%j holds the connection: %s", (reply, reason) => {
    expect(paystackHold(reply)?.reason).toBe(reason);
    expect(paystackHold(reply)?.message).not.toBe("");
  });

  test.each([
    ["one recipient", says(400, "Account number is invalid")],
    ["a recipient's own balance", says(400, "The balance of the recipient is above its limit")],
    ["a fault of theirs", says(500, "Your balance is not enough")],
    ["a success", answer(200, { status: true, message: "Balance is not enough", data: { id: 1 } })],
    ["a refusal with a record in it", says(400, "Your balance is not enough", { data: { id: 1 } })],
    ["a proxy's page", answer(502, undefined)],
    ["no answer", lost[0] as WireReply],
    ["nothing sent", lost[1] as WireReply],
  ])("%s holds nothing", (_, reply) => {
    expect(paystackHold(reply)).toBeUndefined();
  });

  test("a refusal is one only in their envelope, without a record", () => {
    expect(paystackRefusal(says(400, "No", { code: "x", type: "validation_error" }))).toEqual({
      status: 400,
      code: "x",
      type: "validation_error",
      words: "No",
    });
    for (const body of [null, "No", [], { status: true }, { message: "No" }, { status: false, data: {} }]) {
      expect(paystackRefusal(answer(400, body)), JSON.stringify(body)).toBeUndefined();
    }
  });
});

describe("Monnify", () => {
  const says = (status: number, responseMessage: string, more: object = {}) =>
    answer(status, { requestSuccessful: false, responseMessage, responseCode: "99", ...more });

  test.each([
    [says(401, "Unauthorized"), "keys_refused"],
    [says(403, ""), "address_refused"],
    [says(403, "Merchant may not use this"), "not_enabled"],
    [says(400, "Request from IP 1.2.3.4 is not permitted"), "address_refused"],
    [says(400, "Insufficient balance in source account"), "float_empty"],
    [says(400, "Disbursement is not enabled for this merchant"), "not_enabled"],
  ])("%j holds the connection: %s", (reply, reason) => {
    expect(monnifyHold(reply)?.reason).toBe(reason);
  });

  test.each([
    ["one recipient", says(400, "Account number is invalid")],
    ["a word that only contains ip", says(400, "The recipient's account was not found")],
    ["a fault of theirs", says(500, "Insufficient balance")],
    ["a refusal with a record in it", says(400, "Insufficient balance", { responseBody: { status: "PENDING" } })],
    ["no answer", lost[0] as WireReply],
  ])("%s holds nothing", (_, reply) => {
    expect(monnifyHold(reply)).toBeUndefined();
  });

  test("a refusal with an empty record is one, and with anything in it is not", () => {
    expect(monnifyRefusal(says(400, "No", { responseBody: {} }))).toEqual({ status: 400, code: "99", words: "No" });
    expect(monnifyRefusal(says(400, "No", { responseBody: { reference: "x" } }))).toBeUndefined();
    expect(monnifyRefusal(says(400, "No", { requestSuccessful: true }))).toBeUndefined();
  });
});
