import { expect, test } from "vitest";
import { isOtherName } from "./approval.ts";
import { limitText } from "./approvals-page.tsx";

test.each([
  [null, "There is no limit: whoever may pay, pays alone."],
  [0, "Every payment needs a second person. You have paid ₦1,250.50 of it. Programs with keys are not limited."],
  [50_000, "At most ₦50,000.00 within 24 hours. You have paid ₦1,250.50 of it. Programs with keys are not limited."],
])("a limit of %s is told as %s", (amount, text) => {
  expect(limitText({ amount, spent: 1_250.5 })).toBe(text);
});

test.each([
  [{ name: "OBI, Ada", bankName: "Access Bank", isOther: false }, false],
  [{ name: "CHIDI OKAFOR", bankName: "Access Bank", isOther: true }, true],
  [{ refusal: "No account has this number." }, true],
  [undefined, false],
])("the bank says %o: another name is %s", (answer, isOther) => {
  expect(isOtherName(answer)).toBe(isOther);
});
