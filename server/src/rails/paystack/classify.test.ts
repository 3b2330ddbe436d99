import { describe, expect, test } from "vitest";
import { kobo } from "../../money/kobo.ts";
import type { WireReply } from "../provider-client.ts";
import { classifyAccount, classifyQuery, classifyRecipient, classifySend, type Expected } from "./classify.ts";

const sessionId = "999201261116091500000000000001";
const expected: Expected = { sessionId, amount: kobo(250_000n), mode: "live" };
const account = { bankCode: "058", accountNumber: "0123456789" };

const answer = (status: number, body: unknown): WireReply => ({ kind: "answer", status, body, headers: {} });
const record = {
  id: 14938500001,
  transfer_code: "TRF_1",
  reference: sessionId,
  amount: 250_000,
  currency: "NGN",
  domain: "live",
  status: "success",
};
const told = (changes: object = {}) =>
  answer(200, { status: true, message: "Transfer has been queued", data: { ...record, ...changes } });
const refused = (status: number, message: string, more: object = {}) =>
  answer(status, { status: false, message, ...more });
const validation = { type: "validation_error", code: "invalid_params", meta: { nextStep: "Review" } };

describe("the words of a transfer", () => {
  test.each([
    ["success", "success", "success"],
    ["failed", "failure", "failure"],
    ["abandoned", "failure", "failure"],
    ["blocked", "failure", "failure"],
    ["rejected", "failure", "failure"],
    ["reversed", "failure", "taken_back"],
    ["pending", "unknown", "unknown"],
    ["received", "unknown", "unknown"],
    ["otp", "unknown", "unknown"],
    ["queued_for_the_moon", "unknown", "unknown"],
    ["SUCCESS", "unknown", "unknown"],
    ["constructor", "unknown", "unknown"],
    ["", "unknown", "unknown"],
  ])("%s is %s when sent and %s when asked about", (status, sent, asked) => {
    expect(classifySend(told({ status }), expected).outcome).toBe(sent);
    expect(classifyQuery(told({ status }), expected).outcome).toBe(asked);
  });

  test("a one-time password holds the connection and raises an alarm", () => {
    const asked = classifyQuery(told({ status: "otp" }), expected);
    expect(asked).toMatchObject({ outcome: "unknown", code: "otp", hold: { reason: "otp_required" } });
    expect(asked).toHaveProperty("alarm", expect.stringContaining("one-time password"));
  });

  test("an answer carries what the payment can be traced by", () => {
    const session = { provider: "nip", id: "100004261116091512345678901234" };
    expect(classifyQuery(told({ session, fee_charged: 2_500 }), expected)).toEqual({
      outcome: "success",
      trace: { providerReference: "TRF_1", networkSessionId: session.id, fee: 2_500n },
    });
    const { transfer_code: _, ...bare } = record;
    const without = answer(200, { status: true, data: { ...bare, session: { provider: null, id: null } } });
    expect(classifyQuery(without, expected)).toEqual({
      outcome: "success",
      trace: { providerReference: "14938500001" },
    });
  });
});

describe("a record that is not our order is unknown, with an alarm", () => {
  const doubts = [
    { reference: "999201261116091500000000000002" },
    { amount: 250_001 },
    { amount: "250000.5" },
    { amount: -250_000 },
    { currency: "GHS" },
    { domain: "test" },
  ];
  const words = ["success", "failed", "reversed", "pending"];
  test.each(words.flatMap((status) => doubts.map((doubt) => ({ status, ...doubt }))))("%j", (changes) => {
    const answers = [classifySend(told(changes), expected), classifyQuery(told(changes), expected)];
    expect(answers).toMatchObject(answers.map(() => ({ outcome: "unknown", alarm: expect.any(String) })));
  });

  test.each(["reference", "amount", "currency", "domain"])("a record without %s ends nothing", (name) => {
    expect(classifyQuery(told({ [name]: undefined }), expected)).toMatchObject({
      outcome: "unknown",
      alarm: expect.any(String),
    });
    const open = classifyQuery(told({ [name]: null, status: "pending" }), expected);
    expect(open).toMatchObject({ outcome: "unknown" });
    expect(open).not.toHaveProperty("alarm");
  });

  test("a test connection takes test records only", () => {
    const inTest: Expected = { ...expected, mode: "test" };
    expect(classifySend(told({ domain: "test" }), inTest).outcome).toBe("success");
    expect(classifySend(told(), inTest).outcome).toBe("unknown");
  });
});

describe("a refusal of a transfer", () => {
  const duplicate = "Please provide a unique reference. Reference already exists on a transfer";
  test.each<[string, WireReply, string]>([
    ["an invalid recipient", refused(400, "Recipient specified is invalid", validation), "failure"],
    ["an old error about the recipient", refused(400, "Recipient specified is invalid"), "failure"],
    ["a watch list", refused(400, "Recipient is on a fraud watchlist"), "failure"],
    ["illegal characters", refused(400, "Transfer reference contains illegal characters"), "failure"],
    ["200 without data", refused(200, "Transfer could not be made"), "failure"],
    ["200 with null data", refused(200, "Transfer could not be made", { data: null }), "failure"],
    ["200 with data", refused(200, "Transfer could not be made", { data: record }), "unknown"],
    ["200 without a status", answer(200, { message: "Transfer has been queued" }), "unknown"],
    ["200 with success as a word", answer(200, { status: "success", data: record }), "unknown"],
    ["a list for a record", answer(200, { status: true, data: [record] }), "unknown"],
    ["an error without anything", refused(400, ""), "unknown"],
    ["an error nobody has seen", refused(400, "The moon is not full"), "unknown"],
    ["an error of the bank", refused(400, "Bank error, this transfer should be retried", validation), "unknown"],
    ["an API error", refused(400, "Something broke", { type: "api_error", code: "unknown" }), "unknown"],
    ["a used reference, 400", refused(400, duplicate, { code: "duplicate_transfer_reference" }), "unknown"],
    ["a used reference, 404", refused(404, duplicate, { code: "duplicate_transfer_reference" }), "unknown"],
    ["a used reference, validation", refused(400, duplicate, validation), "unknown"],
    ["a used reference, no code", refused(400, duplicate), "unknown"],
    ["a used reference, 200", refused(200, "Duplicate reference(s) found: x"), "unknown"],
    ["not found", refused(404, "Transfer not found"), "unknown"],
    ["429", refused(429, "Too many requests", validation), "unknown"],
    ["500", refused(500, "Recipient specified is invalid", validation), "unknown"],
    ["a page", answer(502, undefined), "unknown"],
    ["a redirect", answer(302, undefined), "unknown"],
    ["never left", { kind: "not_sent", why: "ECONNREFUSED" }, "unknown"],
    ["no answer", { kind: "no_answer", why: "UND_ERR_SOCKET" }, "unknown"],
  ])("%s", (_, reply, outcome) => {
    expect(classifySend(reply, expected).outcome).toBe(outcome);
  });

  test.each<[WireReply, string]>([
    [refused(401, "Invalid key"), "keys_refused"],
    [answer(401, undefined), "keys_refused"],
    [refused(403, "Your IP address is not allowed to make this call"), "address_refused"],
    [answer(403, undefined), "address_refused"],
    [refused(403, "Transfers are not available for your business"), "not_enabled"],
    [refused(400, "Your balance is not enough to fulfil this request"), "float_empty"],
    [refused(400, "Your balance is not enough to fulfil this request", validation), "float_empty"],
    [refused(400, "No", { code: "insufficient_balance", type: "validation_error" }), "float_empty"],
    [
      refused(400, "You cannot initiate third party payouts as a starter business", { code: "transfer_unavailable" }),
      "not_enabled",
    ],
  ])("%j holds the connection", (reply, reason) => {
    expect(classifySend(reply, expected)).toMatchObject({ outcome: "unknown", hold: { reason } });
    expect(classifyRecipient(reply, account)).toMatchObject({ outcome: "unknown", hold: { reason } });
  });
});

describe("a question about a transfer", () => {
  test.each<[string, WireReply, string]>([
    ["Paystack's own words", refused(404, "Transfer not found"), "no_record"],
    ["a proxy's page", answer(404, undefined), "unknown"],
    ["another 404", refused(404, "Endpoint not found"), "unknown"],
    ["the words with data", refused(404, "Transfer not found", { data: {} }), "unknown"],
    ["the words with 400", refused(400, "Transfer not found"), "unknown"],
    ["the words with 500", refused(500, "Transfer not found"), "unknown"],
    ["the words in passing", refused(404, "Recipient of transfer not found"), "unknown"],
    ["401", refused(401, "Transfer not found"), "unknown"],
    ["a refusal", refused(400, "Recipient specified is invalid", validation), "unknown"],
    ["200 without data", refused(200, "No"), "unknown"],
    ["no answer", { kind: "no_answer", why: "UND_ERR_SOCKET" }, "unknown"],
  ])("%s", (_, reply, outcome) => {
    expect(classifyQuery(reply, expected).outcome).toBe(outcome);
  });
});

describe("a recipient", () => {
  const details = { account_number: "0123456789", bank_code: "058" };
  const made = (data: object) => answer(201, { status: true, data });
  test.each<[string, WireReply, string]>([
    ["made", made({ recipient_code: "RCP_1", details }), "recipient"],
    ["of another account", made({ recipient_code: "RCP_1", details: { ...details, account_number: "1" } }), "unknown"],
    ["of another bank", made({ recipient_code: "RCP_1", details: { ...details, bank_code: "044" } }), "unknown"],
    ["without details", made({ recipient_code: "RCP_1" }), "unknown"],
    ["without a code", made({ details }), "unknown"],
    ["of an invalid account", refused(400, "Account number is invalid"), "failure"],
    ["that cannot be resolved", refused(400, "Cannot resolve account", validation), "failure"],
    ["of an invalid bank", refused(400, "Bank is invalid", validation), "failure"],
    ["to be tried again", refused(400, "Could not resolve account. Try again later", validation), "unknown"],
    ["without a name", refused(400, "Name is required", validation), "unknown"],
    ["refused by 422", refused(422, "Account number is invalid"), "unknown"],
    ["refused by 500", refused(500, "Account number is invalid"), "unknown"],
  ])("%s", (_, reply, outcome) => {
    expect(classifyRecipient(reply, account).outcome).toBe(outcome);
  });

  test("of another account raises an alarm that does not name it", () => {
    const other = made({ recipient_code: "RCP_1", details: { ...details, account_number: "9876543210" } });
    const found = classifyRecipient(other, account);
    expect(found).toHaveProperty("alarm", expect.any(String));
    expect(JSON.stringify(found)).not.toMatch(/9876543210|0123456789/);
  });
});

describe("the holder of an account", () => {
  const named = (account_name: unknown, account_number = "0123456789") =>
    answer(200, { status: true, data: { account_name, account_number } });
  const couldNot = "Could not resolve account name. Check parameters or try again.";
  test.each<[string, WireReply, string]>([
    ["named", named("ADAEZE  OKAFOR "), "yes"],
    ["named with one word", named("JUMIA"), "yes"],
    ["nameless", named("  "), "unavailable"],
    ["null", named(null), "unavailable"],
    ["a filler", named(" OK "), "unavailable"],
    ["digits", named("0123456789"), "unavailable"],
    ["of another account", named("ADAEZE OKAFOR", "9876543210"), "unavailable"],
    ["not found", refused(422, couldNot, { code: "invalid_bank_code" }), "no"],
    ["not found, in other words", refused(422, "Bank is down"), "unavailable"],
    ["a bank that they do not have", refused(400, "Unknown bank code: 059", { code: "invalid_params" }), "unavailable"],
    ["the limit of test mode", refused(400, "Test mode daily limit of 3 live bank resolves exceeded."), "unavailable"],
    ["not found by a proxy", answer(404, undefined), "unavailable"],
    ["429", refused(429, couldNot), "unavailable"],
    ["500", refused(500, couldNot), "unavailable"],
    ["no answer", { kind: "no_answer", why: "UND_ERR_SOCKET" }, "unavailable"],
  ])("%s", (_, reply, found) => {
    expect(classifyAccount(reply, account).found).toBe(found);
  });

  test("is given without padding, and a refused key holds the connection", () => {
    expect(classifyAccount(named(" ADAEZE  OKAFOR "), account)).toEqual({
      found: "yes",
      accountName: "ADAEZE OKAFOR",
    });
    expect(classifyAccount(refused(401, "Invalid key"), account)).toEqual({
      found: "unavailable",
      hold: { reason: "keys_refused", message: "Invalid key" },
    });
  });
});
