import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { kobo } from "../../money/kobo.ts";
import { keysOf } from "../../platform/keys-of.ts";
import type { WireReply } from "../provider-client.ts";
import { parseWireJson, textOf } from "../wire-json.ts";
import { classifyAccount, classifyQuery, classifySend, type Expected } from "./provider.ts";

const sessionId = "999202261116091500000000000001";
const expected: Expected = { sessionId, amount: kobo(250_050n) };
const account = { bankCode: "058", accountNumber: "0123456789" };
const record = { reference: sessionId, amount: "2500.5", currency: "NGN", status: "SUCCESS" };

const answer = (status: number, body: unknown): WireReply => ({ kind: "answer", status, body, headers: {} });
const told = (changes: object = {}) =>
  answer(200, { requestSuccessful: true, responseCode: "0", responseBody: { ...record, ...changes } });
const refused = (status: number, responseMessage: string, more: object = {}) =>
  answer(status, { requestSuccessful: false, responseMessage, responseCode: "99", ...more });

describe("the words of a disbursement", () => {
  test.each([
    ["SUCCESS", "success", "success"],
    ["COMPLETED", "success", "success"],
    ["FAILED", "failure", "failure"],
    ["EXPIRED", "failure", "failure"],
    ["REVERSED", "failure", "taken_back"],
    ["PENDING", "unknown", "unknown"],
    ["AWAITING_PROCESSING", "unknown", "unknown"],
    ["IN_PROGRESS", "unknown", "unknown"],
    ["PENDING_AUTHORIZATION", "unknown", "unknown"],
    ["OTP_EMAIL_DISPATCH_FAILED", "unknown", "unknown"],
    ["success", "unknown", "unknown"],
    ["toString", "unknown", "unknown"],
    ["", "unknown", "unknown"],
  ])("%s is %s when sent and %s when asked about", (status, sent, asked) => {
    expect(classifySend(told({ status }), expected).outcome).toBe(sent);
    expect(classifyQuery(told({ status }), expected).outcome).toBe(asked);
  });

  test.each(["PENDING_AUTHORIZATION", "OTP_EMAIL_DISPATCH_FAILED"])("%s holds the connection", (status) => {
    expect(classifySend(told({ status }), expected)).toMatchObject({
      outcome: "unknown",
      hold: { reason: "otp_required" },
      alarm: expect.any(String),
    });
  });

  test("an answer carries what the payment can be traced by", () => {
    const traced = { transactionReference: "MFDS1", sessionId: "090405261116091512345678901234", fee: "10.75" };
    expect(classifyQuery(told(traced), expected)).toEqual({
      outcome: "success",
      trace: { providerReference: "MFDS1", networkSessionId: traced.sessionId, fee: 1_075n },
    });
    expect(classifySend(told({ totalFee: 20, currency: undefined }), expected)).toEqual({
      outcome: "success",
      trace: { fee: 2_000n },
    });
  });
});

describe("an amount", () => {
  const sent = (amount: bigint, raw: string) => {
    const responseBody = { status: "SUCCESS", reference: sessionId, amount: parseWireJson(raw) };
    return classifySend(answer(200, { requestSuccessful: true, responseBody }), { sessionId, amount: kobo(amount) })
      .outcome;
  };
  test.each([
    [250_050n, "2500.5", "success"],
    [250_050n, '"2500.50"', "success"],
    [250_050n, '"2,500.50"', "success"],
    [100_000n, "1000", "success"],
    [100_000n, "1000.00", "success"],
    [110n, "1.1", "success"],
    [9_007_199_254_740_99n, "9007199254740.99", "success"],
    [100_000n, "1000.001", "unknown"],
    [100_000n, "1e3", "success"],
    [100_000n, '"1e3"', "unknown"],
    [100_000n, "100000", "unknown"],
    [100_000n, "-1000", "unknown"],
    [100_000n, "null", "unknown"],
  ])("of %s kobo written as %s is %s", (amount, raw, outcome) => {
    expect(sent(amount, raw)).toBe(outcome);
  });
});

describe("a record that is not our order is unknown, with an alarm", () => {
  const doubts = [{ reference: "another" }, { amount: "2500.51" }, { currency: "USD" }];
  const words = ["SUCCESS", "FAILED", "REVERSED", "PENDING"];
  test.each(words.flatMap((status) => doubts.map((doubt) => ({ status, ...doubt }))))("%j", (changes) => {
    const alarm = { outcome: "unknown", alarm: expect.any(String) };
    expect(classifySend(told(changes), expected)).toMatchObject(alarm);
    expect(classifyQuery(told(changes), expected)).toMatchObject(alarm);
  });

  test.each(["reference", "amount"])("a record without %s ends nothing", (name) => {
    expect(classifyQuery(told({ [name]: null }), expected)).toMatchObject({ outcome: "unknown" });
    expect(classifyQuery(told({ [name]: null, status: "PENDING" }), expected)).not.toHaveProperty("alarm");
  });
});

describe("a refusal of a disbursement", () => {
  test.each<[string, WireReply, string]>([
    ["an invalid account", refused(400, "Invalid destination account"), "failure"],
    ["an invalid bank", refused(400, "Invalid bank code"), "failure"],
    ["too small an amount", refused(422, "amount must be at least 20"), "failure"],
    ["200 that refuses", refused(200, "Invalid destination account"), "failure"],
    ["200 that refuses with a body", refused(200, "Invalid account", { responseBody: record }), "unknown"],
    ["the same amount again", refused(400, "A similar transaction was made", { responseCode: "D07" }), "unknown"],
    ["the same amount again, in words", refused(400, "Invalid account", { responseCode: "D07" }), "unknown"],
    ["a used reference", refused(400, "Duplicate transaction reference"), "unknown"],
    ["a used reference, in words", refused(422, "Transaction with this reference already exists"), "unknown"],
    ["our own wallet", refused(404, "Source wallet not found"), "unknown"],
    ["our own wallet, 400", refused(400, "Invalid source account"), "unknown"],
    ["a passing error", refused(400, "Invalid account state, try again later"), "unknown"],
    ["an error nobody has seen", refused(400, "The moon is not full"), "unknown"],
    ["an empty refusal", answer(400, { requestSuccessful: false }), "unknown"],
    ["another envelope", answer(400, { error: "Bad Request" }), "unknown"],
    ["429", refused(429, "Invalid destination account"), "unknown"],
    ["500", refused(500, "Invalid destination account"), "unknown"],
    ["a page", answer(502, undefined), "unknown"],
    ["never left", { kind: "not_sent", why: "log_in" }, "unknown"],
    ["no answer", { kind: "no_answer", why: "UND_ERR_SOCKET" }, "unknown"],
  ])("%s", (_, reply, outcome) => {
    expect(classifySend(reply, expected).outcome).toBe(outcome);
  });

  test.each<[WireReply, string]>([
    [refused(401, "Invalid credentials"), "keys_refused"],
    [answer(401, { error: "invalid_token" }), "keys_refused"],
    [refused(403, "IP address is not whitelisted"), "address_refused"],
    [refused(400, "Request from an IP that is not whitelisted"), "address_refused"],
    [refused(403, "Disbursements are off"), "not_enabled"],
    [refused(400, "Disbursement is not enabled for this merchant"), "not_enabled"],
    [refused(400, "Insufficient balance"), "float_empty"],
  ])("%j holds the connection", (reply, reason) => {
    expect(classifySend(reply, expected)).toMatchObject({ outcome: "unknown", hold: { reason } });
    expect(classifyAccount(reply, account)).toMatchObject({ found: "unavailable", hold: { reason } });
  });
});

describe("a question about a disbursement", () => {
  test.each<[string, WireReply, string]>([
    ["Monnify's own words", refused(404, "Transfer not found"), "no_record"],
    ["a longer form of them", refused(404, "Transaction with reference x was not found"), "no_record"],
    ["a proxy's page", answer(404, undefined), "unknown"],
    ["another 404 in JSON", answer(404, { status: 404, error: "Not Found", message: "Transfer not found" }), "unknown"],
    ["a wallet that is not found", refused(404, "Wallet not found"), "unknown"],
    ["the words with 400", refused(400, "Transfer not found"), "unknown"],
    ["the words with 500", refused(500, "Transfer not found"), "unknown"],
    ["no answer", { kind: "no_answer", why: "UND_ERR_SOCKET" }, "unknown"],
  ])("%s", (_, reply, outcome) => {
    expect(classifyQuery(reply, expected).outcome).toBe(outcome);
  });
});

describe("the holder of an account", () => {
  const named = (accountName: unknown, accountNumber = "0123456789") => told({ accountName, accountNumber });
  test.each<[string, WireReply, string]>([
    ["named", named(" ADAEZE  OKAFOR "), "yes"],
    ["a filler", named("OK"), "unavailable"],
    ["nameless", named(null), "unavailable"],
    ["of another account", named("ADAEZE OKAFOR", "1"), "unavailable"],
    ["not found", refused(400, "Invalid account number provided"), "no"],
    ["not found, 404", refused(404, "Account not found"), "no"],
    ["at a bank that they do not have", refused(400, "Invalid bank code for account"), "unavailable"],
    ["at a bank that is away", refused(400, "Account could not be validated, try again later"), "unavailable"],
    ["500", refused(500, "Invalid account number provided"), "unavailable"],
    ["no answer", { kind: "no_answer", why: "UND_ERR_SOCKET" }, "unavailable"],
  ])("%s", (_, reply, found) => {
    expect(classifyAccount(reply, account).found).toBe(found);
  });
});

describe("whatever arrives", () => {
  const anyField = fc.oneof(fc.jsonValue(), fc.constantFrom("SUCCESS", "FAILED", "REVERSED", true, false));
  const likely = fc.record(
    {
      requestSuccessful: anyField,
      responseMessage: anyField,
      responseCode: anyField,
      responseBody: fc.oneof(
        fc.jsonValue(),
        fc.record(
          {
            status: anyField,
            reference: fc.oneof(anyField, fc.constant(sessionId)),
            amount: fc.oneof(anyField, fc.constant("2500.5")),
            currency: fc.oneof(anyField, fc.constant("NGN")),
            accountName: anyField,
            fee: anyField,
          },
          { requiredKeys: [] },
        ),
      ),
    },
    { requiredKeys: [] },
  );
  const status = fc.oneof(fc.constantFrom(200, 400, 401, 403, 404, 422, 500), fc.integer());
  const reply = fc
    .record({ status, body: fc.oneof({ weight: 6, arbitrary: likely }, fc.jsonValue(), fc.constant(undefined)) })
    .map((made) => answer(made.status, made.body));

  test("is one of our answers, and a success only with our facts", () => {
    fc.assert(
      fc.property(reply, (arrived) => {
        for (const classify of [classifySend, classifyQuery]) {
          const { outcome } = classify(arrived, expected);
          expect(["success", "failure", "unknown", "taken_back", "no_record"]).toContain(outcome);
          if (outcome !== "success") continue;
          expect(arrived).toMatchObject({ body: { requestSuccessful: true, responseBody: { reference: sessionId } } });
        }
        expect(["yes", "no", "unavailable"]).toContain(classifyAccount(arrived, account).found);
      }),
      { numRuns: 2_000 },
    );
  });

  test("a change to one fact of a success is no success", () => {
    fc.assert(
      fc.property(fc.constantFrom(...keysOf(record)), fc.jsonValue(), (name, value) => {
        fc.pre(textOf(value)?.trim() !== record[name] && !(name === "currency" && value === null));
        expect(classifyQuery(told({ [name]: value }), expected).outcome).not.toBe("success");
      }),
      { numRuns: 1_000 },
    );
  });
});
