import { expect, test } from "vitest";
import { isOtherName } from "./approval.ts";
import { limitText } from "./approvals-page.tsx";

test.each([
  [null, "There is no limit: whoever may pay, pays alone."],
  [0, "Nobody pays alone. You have paid ₦1,250.50 of it. Programs with keys are not limited."],
  [50_000, "At most ₦50,000.00 within 24 hours. You have paid ₦1,250.50 of it. Programs with keys are not limited."],
])("a limit of %s is told as %s", (amount, text) => {
  expect(limitText({ amount, spent: 1_250.5 })).toBe(text);
});

test.each([
  ["ADA OBI", { name: "OBI, Ada" }, false],
  ["ADA OBI", { name: "ADA OBI NGOZI" }, true],
  ["ADA OBI", { refusal: "No account has this number." }, true],
  ["ADA OBI", undefined, false],
  [null, { name: "ADA OBI" }, false],
])("expected %s, the bank says %o: another name is %s", (expected, answer, isOther) => {
  expect(isOtherName(expected, answer)).toBe(isOther);
});
