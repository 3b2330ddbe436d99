import { describe, expect, test } from "vitest";
import { createPayingApp, freshReference } from "../../../testing/payments/paying-app.ts";
import { mainWalletId } from "../../wallets/wallet.ts";

const { call, pay, balance, read, merchant, otherMerchant } = await createPayingApp();

describe("a payout", () => {
  test("is accepted with everything that the contract shows", async () => {
    const before = await balance();
    const reference = freshReference();
    const metadata = { orderId: "1042", priority: 3, gift: true, note: null };
    const reply = await pay({ reference, narration: "October", metadata });
    expect(reply.statusCode).toBe(201);
    expect(reply.headers["jara-warning"]).toBeUndefined();
    expect(reply.json()).toEqual({
      status: true,
      message: "Transfer accepted.",
      data: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        reference,
        externalReference: null,
        batchId: null,
        sourceAccountId: mainWalletId(merchant.environment.id),
        accountNumber: "0690000032",
        accountName: expect.stringMatching(/\S/),
        bankCode: "044",
        bankName: "Access Bank",
        amount: 2500.5,
        fee: 10,
        vat: 0.75,
        stampDuty: 0,
        totalDebit: 2511.25,
        currency: "NGN",
        narration: "October",
        status: "pending",
        sessionId: null,
        failureReason: null,
        metadata,
        environment: "SANDBOX",
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updatedAt: expect.any(String),
        completedAt: null,
      },
    });
    const after = await balance();
    expect(after.available).toBeCloseTo(before.available - 2511.25, 2);
    expect(after.held).toBeCloseTo(before.held + 2511.25, 2);
    expect(await read(reply.json().data.id)).toEqual(reply.json().data);
  });

  test("takes either code of a bank and shows the CBN code", async () => {
    const reply = await pay({ bankCode: "000014" });
    expect(reply.json().data).toMatchObject({ bankCode: "044", bankName: "Access Bank" });
  });

  test("goes by its externalReference when that is all it was given", async () => {
    const externalReference = freshReference();
    const reply = await pay({ reference: undefined, externalReference });
    expect(reply.statusCode).toBe(201);
    expect(reply.json().data).toMatchObject({ reference: externalReference, externalReference });
  });

  test("to an account whose check digit is wrong is accepted with a warning", async () => {
    const reply = await pay({ accountNumber: "0690000031" });
    expect(reply.statusCode).toBe(201);
    expect(reply.headers["jara-warning"]).toBe("nuban_check_digit");
  });

  test("leaves from a sub-account when one is named", async () => {
    const opened = await call("POST", "/wallets/sub-accounts", { body: { accountName: "Ikeja" } });
    const sourceAccountId = opened.json().data.id;
    expect((await pay({ sourceAccountId })).json().code).toBe("insufficient_funds");
    await call("POST", "/sandbox/wallets/fund", { body: { amount: 5000, accountId: sourceAccountId } });
    expect((await pay({ sourceAccountId })).json().data.sourceAccountId).toBe(sourceAccountId);
    const left = await call("GET", `/wallets/balance?accountId=${sourceAccountId}`);
    expect(left.json().data).toMatchObject({ available: 2488.75, held: 2511.25 });
  });

  test("is done in a frozen sandbox before the answer comes", async () => {
    const frozen = await createPayingApp();
    await frozen.call("PUT", "/sandbox/clock", { body: { mode: "frozen", seed: "lesson-1" } });
    const reply = await frozen.pay({ reference: "frozen-1" });
    expect(reply.json().data.status).toBe("pending");
    expect(await frozen.read(reply.json().data.id)).toMatchObject({ status: "completed" });
  });
});

describe("a name enquiry's reference", () => {
  const enquire = async (accountNumber = "0690000032") =>
    (await call("GET", `/transfers/name-enquiry?bankCode=044&accountNumber=${accountNumber}`)).json().data;

  test("saves the second look-up", async () => {
    const { nameEnquiryReference, accountName } = await enquire();
    await call("PUT", "/sandbox/banks/044/health", { body: { status: "down" } });
    const reply = await pay({ nameEnquiryReference });
    await call("PUT", "/sandbox/banks/044/health", { body: { status: "up" } });
    expect(reply.statusCode).toBe(201);
    expect(reply.json().data.accountName).toBe(accountName);
  });

  test("is good for its account only", async () => {
    const { nameEnquiryReference } = await enquire("0010246780");
    expect((await pay({ nameEnquiryReference })).json().code).toBe("name_enquiry_invalid");
  });

  test("is good for its environment only", async () => {
    const { nameEnquiryReference } = await enquire();
    const reply = await pay({ nameEnquiryReference }, { key: otherMerchant.secretKey });
    expect(reply.json().code).toBe("name_enquiry_invalid");
  });

  test("runs out after half an hour", async () => {
    const { nameEnquiryReference } = await enquire();
    await call("POST", "/sandbox/clock/advance", { body: { seconds: 1_801 } });
    const reply = await pay({ nameEnquiryReference });
    expect([reply.statusCode, reply.json().code]).toEqual([422, "name_enquiry_invalid"]);
  });
});

describe("reading", () => {
  test("finds a payout by either reference and by id", async () => {
    const [reference, externalReference] = [freshReference(), freshReference()];
    const { id } = (await pay({ reference, externalReference })).json().data;
    for (const path of [`verify?reference=${reference}`, `verify?reference=${externalReference}`, id]) {
      const reply = await call("GET", `/transfers/${path}`);
      expect([reply.statusCode, reply.json().data.id]).toEqual([200, id]);
    }
  });

  test("answers another merchant as if the payout did not exist", async () => {
    const reference = freshReference();
    const { id } = (await pay({ reference })).json().data;
    const nobodys = "01932c70-4d5e-7f60-8a1b-2c3d4e5f6071";
    for (const [path, absent] of [
      [`/transfers/${id}`, `/transfers/${nobodys}`],
      [`/transfers/verify?reference=${reference}`, "/transfers/verify?reference=nobodys"],
    ] as const) {
      const [theirs, none] = await Promise.all([
        call("GET", path, { key: otherMerchant.secretKey, headers: { "x-request-id": "same-for-both" } }),
        call("GET", absent, { key: otherMerchant.secretKey, headers: { "x-request-id": "same-for-both" } }),
      ]);
      expect([theirs.statusCode, theirs.json().code]).toEqual([404, "transfer_not_found"]);
      expect(theirs.body).toBe(none.body);
    }
  });

  test.each(["nothing", "123", "00000000"])("the id %s is nobody's", async (id) => {
    const reply = await call("GET", `/transfers/${id}`);
    expect([reply.statusCode, reply.json().code]).toEqual([404, "transfer_not_found"]);
  });

  test("verify without a reference says what is missing", async () => {
    const reply = await call("GET", "/transfers/verify");
    expect([reply.statusCode, reply.json().errors[0].field]).toEqual([422, "reference"]);
  });
});
