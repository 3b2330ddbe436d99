import { describe, expect, test } from "vitest";
import { issueKeyFor, issueLiveKeyFor } from "../../../testing/keys.ts";
import { createPayingApp, freshReference } from "../../../testing/payments/paying-app.ts";
import { mainWalletId } from "../../wallets/wallet.ts";

const { call, pay, balance, merchant, otherMerchant, db } = await createPayingApp();

describe("a payout is refused", () => {
  test.each([
    ["an amount of 0", { amount: 0 }, "amount"],
    ["a negative amount", { amount: -100 }, "amount"],
    ["three decimals", { amount: 100.001 }, "amount"],
    ["an amount of 1e21", { amount: 1e21 }, "amount"],
    ["an amount in a string", { amount: "2500" }, "amount"],
    ["no amount", { amount: undefined }, "amount"],
    ["a nine-digit account", { accountNumber: "069000003" }, "accountNumber"],
    ["an account with a letter", { accountNumber: "069000003x" }, "accountNumber"],
    ["no account", { accountNumber: undefined }, "accountNumber"],
    ["no bank", { bankCode: undefined }, "bankCode"],
    ["dollars", { currency: "USD" }, "currency"],
    ["no currency", { currency: undefined }, "currency"],
    ["an empty reference", { reference: "" }, "reference"],
    ["a reference of 101 characters", { reference: "r".repeat(101) }, "reference"],
    ["no reference at all", { reference: undefined }, "reference"],
    ["a numeric reference", { reference: 42 }, "reference"],
    ["an empty externalReference", { externalReference: "" }, "externalReference"],
    ["a narration of 101 characters", { narration: "n".repeat(101) }, "narration"],
    ["nested metadata", { metadata: { a: { b: 1 } } }, "metadata.a"],
    [
      "21 keys of metadata",
      { metadata: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, n])) },
      "metadata",
    ],
  ])("for %s, naming the field", async (_, body, field) => {
    const before = await balance();
    const reply = await pay(body);
    expect(reply.statusCode).toBe(422);
    expect(reply.json()).toMatchObject({ status: false, code: "validation_failed" });
    expect(reply.json().errors.map((error: { field: string }) => error.field)).toContain(field);
    expect(await balance()).toEqual(before);
  });

  test("with all bad fields at once", async () => {
    const reply = await call("POST", "/transfers", { body: { amount: "x", currency: "USD" } });
    const fields = reply.json().errors.map((error: { field: string }) => error.field);
    expect(fields.sort()).toEqual(["accountNumber", "amount", "bankCode", "currency", "reference"]);
  });

  test.each([
    ["99.99", { amount: 99.99 }, 422, "amount_below_minimum"],
    ["10,000,000.01", { amount: 10_000_000.01 }, 422, "amount_above_maximum"],
    ["an unknown bank", { bankCode: "000" }, 422, "unknown_bank"],
    ["a bank code that is a word", { bankCode: "access" }, 422, "unknown_bank"],
    ["an account that the bank does not have", { accountNumber: "0000000000" }, 404, "account_not_found"],
    ["a bank that is away", { bankCode: "999" }, 503, "bank_unavailable"],
    ["another holder", { accountName: "Somebody Else" }, 422, "account_name_mismatch"],
    ["an id that is not a wallet", { sourceAccountId: "nothing" }, 422, "source_account_not_found"],
    ["a made-up enquiry", { nameEnquiryReference: "AAAA" }, 422, "name_enquiry_invalid"],
  ])("for %s", async (_, body, status, code) => {
    const before = await balance();
    const reference = freshReference();
    const reply = await pay({ ...body, reference });
    expect([reply.statusCode, reply.json().code]).toEqual([status, code]);
    if (status === 503) expect(Number(reply.headers["retry-after"])).toBeGreaterThan(0);
    expect(await balance()).toEqual(before);
    // The reference is free for another try.
    expect((await pay({ reference })).statusCode).toBe(201);
  });

  test("for another merchant's wallet, as for one that does not exist", async () => {
    const reply = await pay({ sourceAccountId: mainWalletId(otherMerchant.environment.id) });
    expect(reply.json().code).toBe("source_account_not_found");
  });

  test("at once for lack of funds, with nothing held and the reference free", async () => {
    const reference = freshReference();
    const poor = { key: otherMerchant.secretKey };
    const reply = await pay({ reference }, poor);
    expect([reply.statusCode, reply.json().code]).toEqual([422, "insufficient_funds"]);
    const left = await call("GET", "/wallets/balance", poor);
    expect(left.json().data).toMatchObject({ available: 0, held: 0 });
    expect((await call("GET", `/transfers/verify?reference=${reference}`, poor)).statusCode).toBe(404);
    await call("POST", "/sandbox/wallets/fund", { body: { amount: 2511.25 }, ...poor });
    expect((await pay({ reference }, poor)).statusCode).toBe(201);
  });

  test("with both names when the holder is another", async () => {
    const found = await call("GET", "/transfers/name-enquiry?bankCode=044&accountNumber=0690000032");
    const { accountName } = found.json().data;
    const reply = await pay({ accountName: "Somebody Else" });
    expect(reply.json().data).toEqual({ expectedName: "Somebody Else", accountName });
    expect((await pay({ accountName: accountName.toUpperCase() })).statusCode).toBe(201);
  });

  test("with a key that may only read", async () => {
    const key = await issueKeyFor(db, merchant.environment.id, { scopes: ["transfers:read"] });
    const reply = await pay({}, { key });
    expect([reply.statusCode, reply.json().code]).toEqual([403, "scope_missing"]);
  });

  test("in a live environment without a rail", async () => {
    const key = await issueLiveKeyFor(db, merchant.merchant.id);
    const reply = await pay({}, { key });
    expect([reply.statusCode, reply.json().code]).toEqual([503, "rail_not_configured"]);
    const sandboxBank = await pay({ bankCode: "998" }, { key });
    expect(sandboxBank.json().code).toBe("unknown_bank");
  });

  test("for a wrong check digit where the operator wants that", async () => {
    const strict = await createPayingApp({ nubanCheck: "refuse" });
    const reply = await strict.pay({ accountNumber: "0690000031" });
    expect([reply.statusCode, reply.json().code]).toEqual([422, "account_number_invalid"]);
    const asked = await strict.call("GET", "/transfers/name-enquiry?bankCode=044&accountNumber=0690000031");
    expect(asked.json().code).toBe("account_number_invalid");
    expect((await strict.pay({ accountNumber: "0690000032" })).statusCode).toBe(201);
  });
});
