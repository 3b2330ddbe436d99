import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isSensitiveName, redacted, redactLine, redactText } from "./redact.ts";

describe("the name of a field", () => {
  test.each([
    "bvn",
    "BVN",
    "customerBvn",
    "customer_bvn",
    "guarantor-nin",
    "otp",
    "otpCode",
    "otp_code",
    "pin",
    "cardPin",
    "cvv2",
    "password",
    "newPassword",
    "secret",
    "webhookSecret",
    "token",
    "accessToken",
    "apiKey",
    "api_key",
    "APIKEY",
    "secretKey",
    "master-key",
    "private_key",
    "cardNumber",
    "card_number",
    "Authorization",
    "set-cookie",
    "credentials",
    "x-paystack-signature",
  ])("%s says that its value is nobody's business", (name) => {
    expect(isSensitiveName(name)).toBe(true);
    expect(redactLine(`{"${name}":"abc"}`)).toBe(`{"${name}":"${redacted}"}\n`);
  });

  test.each([
    "smartCardNumber",
    "smart_card_number",
    "spinner",
    "shopping",
    "finance",
    "opinion",
    "company",
    "tokenize",
    "secretary",
    "keyId",
    "cardBrand",
    "reference",
    "requestId",
    "passengers",
  ])("%s says nothing of the kind", (name) => {
    expect(isSensitiveName(name)).toBe(false);
  });

  test("is judged at any depth, and whether there was a value stays visible", () => {
    const line = JSON.stringify({ a: [{ b: { otp: null, token: true, pin: 1234, cvv: ["1"] } }] });
    expect(JSON.parse(redactLine(line))).toEqual({
      a: [{ b: { otp: null, token: true, pin: redacted, cvv: redacted } }],
    });
  });
});

describe("a text", () => {
  test.each([
    ["a secret key", "called with sk_live_9fK2mPq7Rt4V", `called with ${redacted}`],
    ["a public key", "pk_test_abcdef123456 was used", `${redacted} was used`],
    ["an operator's token", "op_9fK2mPq7Rt4V", redacted],
    ["a webhook's secret", "whsec_MfKQ9r8GKYqr", redacted],
    ["a bearer", "Bearer eyJhbGciOi.e30.x", `Bearer ${redacted}`],
    ["basic credentials", "basic dXNlcjpwYXNz", `basic ${redacted}`],
    ["a password in an address", "postgres://jara:hunter2@db:5432/x", `postgres://jara:${redacted}@db:5432/x`],
    ["a master key", `v12:${"A".repeat(43)}=`, redacted],
    ["a named value", "otp=135790&x=1", `otp=${redacted}&x=1`],
    ["a database's detail", "Key (nin)=(70123456789) already exists", `Key (nin)=(${redacted}) already exists`],
    ["a spoken value", "Your OTP is 135790.", `Your OTP is ${redacted}.`],
    ["a BVN without a name", "looked up 22212345678", `looked up ${redacted}`],
    ["a card", "charged 4084084084084081 today", `charged ${redacted} today`],
    ["a card in groups", "charged 4084 0840 8408 4081", `charged ${redacted}`],
  ])("loses %s", (_, text, clean) => {
    expect(redactText(text)).toBe(clean);
  });

  test.each([
    ["a telephone number", "called 08031234567"],
    ["a telephone number of the world", "called +2348031234567"],
    ["an amount", "moved 12345678.90 NGN"],
    ["an id", "order 01932c61-2b3c-7d4e-8f50-617283940a5b"],
    ["an id that is all digits", "order 11932061-2030-7040-8050-617283940050"],
    ["a session of the switch", "session 999001261103101500000000000042"],
    ["an account number", "account 0123456789"],
    ["words that only sound like it", "spinning tokens of appreciation"],
  ])("keeps %s", (_, text) => {
    expect(redactText(text)).toBe(text);
  });
});

describe("a line of the log", () => {
  test("that holds nothing suspicious returns as it came, byte for byte", () => {
    const line = '{"level":30, "msg":"started","port":4000}\n';
    expect(redactLine(line)).toBe(line);
  });

  test("that is not JSON is searched as a text", () => {
    expect(redactLine("panic: otp=135790")).toBe(`panic: otp=${redacted}`);
  });

  test("keeps a long number's digits, unless they are a card's", () => {
    expect(redactLine('{"token":1,"value":18446744073709551615}')).toBe(
      `{"token":"${redacted}","value":"18446744073709551615"}\n`,
    );
    expect(redactLine('{"value":4084084084084081}')).toBe(`{"value":"${redacted}"}\n`);
  });

  test("never shows a personal number, wherever in it that stands", () => {
    const bvn = fc.stringMatching(/^[1-9]\d{10}$/);
    const place = fc.constantFrom(
      (number: string) => ({ bvn: number }),
      (number: string) => ({ deep: [{ customerNin: number }] }),
      (number: string) => ({ msg: `no person has NIN ${number}` }),
      (number: string) => ({ err: { detail: `Key (bvn)=(${number})` } }),
      (number: string) => ({ body: JSON.stringify({ person: { bvn: number } }) }),
    );
    fc.assert(
      fc.property(bvn, place, (number, put) => {
        expect(redactLine(JSON.stringify(put(number)))).not.toContain(number);
      }),
    );
  });

  test("stays a line of JSON, whatever was logged", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
        const line = `${JSON.stringify({ token: "x", value })}\n`;
        const cleaned = redactLine(line);
        expect(() => JSON.parse(cleaned)).not.toThrow();
        expect(cleaned.endsWith("\n")).toBe(true);
      }),
    );
  });

  test("is the same after it was cleaned twice", () => {
    const line = '{"msg":"Bearer abcdef123 for sk_live_abcdef123","otp":"1"}\n';
    expect(redactLine(redactLine(line))).toBe(redactLine(line));
  });
});
