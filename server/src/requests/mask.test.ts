import { describe, expect, test } from "vitest";
import { maskBody, maskText, maskUrl } from "./request-log.ts";

const masked = (body: unknown) => JSON.parse(maskBody(JSON.stringify(body)) ?? "null");
const id = "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11";

describe("a body", () => {
  test("keeps what a developer looks for", () => {
    const body = {
      id,
      customerId: id,
      amount: 2_500_000.5,
      principal: "50000.00",
      reference: "payout-1042",
      bankCode: "044",
      code: "transfer_not_found",
      createdAt: "2026-11-01T08:30:00.000Z",
      dueDate: "2026-12-01",
      paid: null,
      ok: true,
    };
    expect(masked(body)).toEqual(body);
  });

  test.each([
    ["accountNumber", "0690000032", "******0032"],
    ["bank_account_no", 690_000_032, "*****0032"],
    ["customerId", "1234567", "***4567"],
    ["phone", "+2348031234567", "**********4567"],
    ["smartCardNumber", "7023456789", "******6789"],
    ["meterNumber", "45012345678", "*******5678"],
    ["email", "ada@example.com", "a***"],
    ["accountName", "ADAEZE OKAFOR", "A***"],
    ["date_of_birth", "1994-06-21", "1***"],
    ["latitude", 6.5244, "[redacted]"],
    ["bvn", "22123456789", "[redacted]"],
    ["bvn", 22_123_456_789, "[redacted]"],
    ["otp", "123456", "[redacted]"],
    ["otp", 123_456, "[redacted]"],
    ["code", "123456", "[redacted]"],
    ["secret", "whsec_c2VjcmV0", "[redacted]"],
    ["token", { value: "4821" }, "[redacted]"],
    ["text", "123456 is your code for 50,000.00 NGN", "[redacted] is your code for 50,000.00 NGN"],
    ["narration", "for 0690000032, thanks", "for ******0032, thanks"],
    ["narration", "for 0690 000 032", "for ******** 032"],
    ["narration", "sk_test_abcdefghijkl", "[redacted]"],
    ["narration", "card 5060 6666 6666 6666 666", "card [redacted]"],
    ["reference", "bvn-22123456789", "bvn-[redacted]"],
    ["url", "https://shop.example.com/pay/abc?token=1", "https://shop.example.com/…"],
    ["text", "Pay at https://jara.example/plans/AbC-secret today", "Pay at https://jara.example/… today"],
  ])("masks %s %j", (name, value, kept) => {
    expect(masked({ data: [{ [name]: value }] })).toEqual({ data: [{ [name]: kept }] });
  });

  test("masks lists of numbers, and names of fields that are numbers", () => {
    expect(masked({ bvn: ["22123456789"], metadata: { "0690000032": 1 } })).toEqual({
      bvn: "[redacted]",
      metadata: { "******0032": 1 },
    });
    expect(masked(["0690000032"])).toEqual(["******0032"]);
  });

  test("that is not JSON is not kept, and one that is long is cut or not read", () => {
    expect(maskBody('{"otp": "123456"')).toBeNull();
    expect(maskBody(JSON.stringify({ note: "x".repeat(10_000) }))).toHaveLength(4_096);
    expect(maskBody(JSON.stringify({ note: "x".repeat(40_000) }))).toBeNull();
  });
});

test("an address loses what its query and its path tell", () => {
  expect(maskUrl("/banks/resolve?accountNumber=0690000032&bankCode=044")).toBe(
    "/banks/resolve?accountNumber=******0032&bankCode=044",
  );
  expect(maskUrl("/transfers/0690000032")).toBe("/transfers/******0032");
  expect(maskUrl("/transfers?note=sk_test_abcdefghijkl")).toBe("/transfers?note=[redacted]");
  expect(maskUrl(`/transfers/${id}?from=2026-11-01`)).toBe(`/transfers/${id}?from=2026-11-01`);
  expect(maskUrl("/x?a=b?c=0690000032")).not.toContain("0690000032");
});

test("text keeps ids and days whole", () => {
  expect(maskText(`${id} on 2026-11-01 08:30`)).toBe(`${id} on 2026-11-01 08:30`);
});
