import { expect, test } from "vitest";
import { lagosDay, lagosTime, lastFour, masked, naira, span, typedNaira, utcMoment, words } from "./figures.ts";

test.each([
  [0, "₦0.00"],
  [2500, "₦2,500.00"],
  ["100000.00", "₦100,000.00"],
  [120104.25, "₦120,104.25"],
  [0.01, "₦0.01"],
  ["0.10", "₦0.10"],
  [1e13, "₦10,000,000,000,000.00"],
  [199.99, "₦199.99"],
  [-0.75, "-₦0.75"],
  [9_007_199_254_740.99, "₦9,007,199,254,740.99"],
])("%s is written with every kobo", (amount, text) => {
  expect(naira(amount)).toBe(text);
});

test.each([
  ["2500", 2500],
  ["₦1,234.50", 1234.5],
  [" 99.99 ", 99.99],
  ["1.234", Number.NaN],
  ["-5", Number.NaN],
  ["", Number.NaN],
  ["1e5", Number.NaN],
  ["0", 0],
  ["0.01", 0.01],
  ["10,000,000,000,000", 1e13],
  [".5", Number.NaN],
  ["5.", Number.NaN],
  ["٣٠", Number.NaN],
  ["1_000", Number.NaN],
  ["2500,50", Number.NaN],
  ["2,5", Number.NaN],
  ["1,00,000", Number.NaN],
])("%j that was typed is %d", (text, amount) => {
  expect(typedNaira(text)).toBe(amount);
});

test("a moment is told in Lagos, and its UTC is at hand", () => {
  const moment = "2026-11-16T23:45:31.284Z";
  expect(`${lagosDay(moment)} ${lagosTime(moment)}`).toBe("17 Nov 2026 00:45:31");
  expect(utcMoment(moment)).toBe("2026-11-16 23:45:31.284 UTC");
  expect(lagosDay("2026-09-01T00:00:00Z")).toBe("1 Sep 2026");
});

test.each([
  ["2028-02-28T22:59:59.999Z", "28 Feb 2028 23:59:59"],
  ["2028-02-28T23:00:00.000Z", "29 Feb 2028 00:00:00"],
  ["2026-12-31T23:00:00.000Z", "1 Jan 2027 00:00:00"],
  ["2026-03-29T01:30:00.000Z", "29 Mar 2026 02:30:00"],
])("%s is %s in Lagos, which has no summer time", (moment, told) => {
  expect(`${lagosDay(moment)} ${lagosTime(moment)}`).toBe(told);
});

test.each([
  [0, "0 ms"],
  [38, "38 ms"],
  [2_062, "2.1 s"],
  [10_000, "10 s"],
  [999.6, "1 s"],
  [9_999, "10 s"],
  [59_999, "59 s"],
  [60_000, "1 min"],
  [3_599_999, "59 min 59 s"],
  [86_399_999, "23 h 59 min"],
  [86_400_000, "1 d"],
  [245_000, "4 min 5 s"],
  [86_400_000 * 2 + 3_600_000 * 3 + 5_000, "2 d 3 h"],
  [-5, "0 ms"],
])("%s milliseconds are told as %s", (milliseconds, text) => {
  expect(span(milliseconds)).toBe(text);
});

test.each([
  ["written_off", "Written off"],
  ["loan.disbursed", "Loan disbursed"],
  ["kycStatus", "Kyc status"],
])("%s becomes words", (name, text) => {
  expect(words(name)).toBe(text);
});

test("what identifies a person is cut wherever it stands, and the rest is left alone", () => {
  const record = {
    amount: "100000.00",
    daas_user: { nin: "12345678902", bvn: "22123456782", phone: "+2348031234563" },
    cards: [{ cardNumber: "4084084084084081", last4: "4081" }],
    nothing: null,
  };
  expect(masked(record)).toEqual({
    amount: "100000.00",
    daas_user: { nin: "••••8902", bvn: "••••6782", phone: "+2348031234563" },
    cards: [{ cardNumber: "••••4081", last4: "4081" }],
    nothing: null,
  });
  expect(lastFour("123")).toBe("••••");
});

test("a number or a list of what identifies a person is cut too, and another name is not", () => {
  expect(masked({ bvn: 22123456782, token: ["sk_live_1234"], keys: 3, PAN: "4084", monkey: "free" })).toEqual({
    bvn: "••••6782",
    token: ["••••1234"],
    keys: 3,
    PAN: "••••",
    monkey: "free",
  });
});
