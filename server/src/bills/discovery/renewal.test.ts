/** Renewing the package that a customer has, and what a change leaves on the card. */
import { describe, expect, test } from "vitest";
import { createBillsApp, freshReference } from "../../../testing/payments/bills-app.ts";

const { call, vend, read, work, advance } = await createBillsApp();

let cards = 0;

function freshCard(): string {
  cards += 1;
  return `70${String(cards).padStart(8, "0")}`;
}

const validate = async (smartCardNumber: string) =>
  (await call("POST", "/bills/tv/validate", { body: { provider: "dstv", smartCardNumber } })).json().data;
const change = (smartCardNumber: string, packageCode: string, reference = freshReference()) =>
  vend("tv", { smartCardNumber, packageCode, reference });
const renew = (smartCardNumber: string, body = {}) =>
  vend("tv", { smartCardNumber, packageCode: undefined, subscriptionType: "renew", ...body });

describe("a renewal", () => {
  test("buys the card's own package at its price and adds a month", async () => {
    const card = freshCard();
    const { currentPackage, renewalAmount, dueDate } = await validate(card);
    const reply = await renew(card);
    expect(reply.statusCode).toBe(201);
    expect(reply.json().data).toMatchObject({ product: { code: currentPackage }, amount: renewalAmount });
    await work();
    expect(await read(reply.json().data.id)).toMatchObject({ status: "successful" });
    const after = await validate(card);
    expect(after.currentPackage).toBe(currentPackage);
    expect(after.dueDate).toBe(String(Temporal.PlainDate.from(dueDate).add({ months: 1 })));
  });

  test("may name the package, in any case", async () => {
    const card = freshCard();
    const { currentPackage } = await validate(card);
    const reply = await renew(card, { packageCode: currentPackage.toUpperCase() });
    expect(reply.json().data).toMatchObject({ product: { code: currentPackage } });
  });

  test("of another package is refused with the one that runs, and takes nothing", async () => {
    const card = freshCard();
    const { currentPackage, renewalAmount } = await validate(card);
    const other = currentPackage === "dstv-padi" ? "dstv-premium" : "dstv-padi";
    const reply = await renew(card, { packageCode: other });
    expect(reply.statusCode).toBe(422);
    expect(reply.json()).toMatchObject({
      code: "package_not_current",
      message: expect.stringContaining(currentPackage),
      data: { currentPackage, renewalAmount },
    });
  });

  test("replays under its reference, with and without the package's code", async () => {
    const card = freshCard();
    const { currentPackage } = await validate(card);
    const reference = freshReference();
    await renew(card, { reference });
    expect((await renew(card, { reference })).statusCode).toBe(200);
    expect((await renew(card, { reference, packageCode: currentPackage })).statusCode).toBe(200);
  });

  test("needs a validation, and a package that the provider named", async () => {
    expect((await renew(freshCard())).json().code).toBe("validation_required");
    expect((await renew(freshCard(), { provider: "nobody" })).json().code).toBe("unknown_provider");
  });
});

describe("a change", () => {
  test("needs a package, told beside every other bad field", async () => {
    const reply = await vend("tv", { packageCode: undefined, smartCardNumber: "1" });
    const fields = reply.json().errors.map(({ field }: { field: string }) => field);
    expect(fields.sort()).toEqual(["packageCode", "smartCardNumber"]);
  });

  test("shows in the next validation, and is what a renewal renews", async () => {
    const card = freshCard();
    await validate(card);
    await change(card, "dstv-yanga");
    await work();
    for (const reply of [await renew(card), await change(card, "dstv-padi")]) {
      expect(reply.json().code).toBe("validation_required");
      expect(reply.json().message).toContain("ends as soon as a vend has changed its package");
    }
    expect(await validate(card)).toMatchObject({ currentPackage: "dstv-yanga", renewalAmount: 6000 });
    expect((await renew(card)).json().data).toMatchObject({ product: { code: "dstv-yanga" }, amount: 6000 });
  });

  test("that failed leaves the card as it was", async () => {
    const card = freshCard();
    const before = await validate(card);
    await change(card, "dstv-yanga", freshReference("_FAIL"));
    await work();
    expect(await validate(card)).toMatchObject({ currentPackage: before.currentPackage, dueDate: before.dueDate });
    expect((await renew(card)).statusCode).toBe(201);
  });

  test("that was reversed gives the card its package back", async () => {
    const card = freshCard();
    const before = await validate(card);
    const { id } = (await change(card, before.currentPackage === "dstv-padi" ? "dstv-yanga" : "dstv-padi")).json().data;
    await work();
    await call("POST", `/sandbox/bills/${id}/reverse`);
    expect(await validate(card)).toMatchObject({ currentPackage: before.currentPackage });
  });

  test("that was decided by hand counts from the sandbox's time of the decision", async () => {
    const card = freshCard();
    await validate(card);
    const { id } = (await change(card, "dstv-yanga", freshReference("_PENDING"))).json().data;
    await work();
    await advance(3600);
    const { now } = (await call("GET", "/sandbox/clock")).json().data;
    await call("POST", `/sandbox/bills/${id}/complete`);
    const { currentPackage, dueDate } = await validate(card);
    const today = Temporal.Instant.from(now).toZonedDateTimeISO("Africa/Lagos").toPlainDate();
    expect({ currentPackage, dueDate }).toEqual({
      currentPackage: "dstv-yanga",
      dueDate: String(today.add({ months: 1 })),
    });
  });
});
