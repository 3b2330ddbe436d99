import { expect, test } from "vitest";
import { amountInWords } from "./amount-in-words.ts";

test.each([
  [2_000_000, "Two million naira only"],
  [0, "Zero naira only"],
  [1, "One naira only"],
  [0.5, "Fifty kobo only"],
  [2_500.5, "Two thousand, five hundred naira, fifty kobo only"],
  [115, "One hundred and fifteen naira only"],
  [20_042.01, "Twenty thousand and forty-two naira, one kobo only"],
  [1_000_005, "One million and five naira only"],
  [999_999.99, "Nine hundred and ninety-nine thousand, nine hundred and ninety-nine naira, ninety-nine kobo only"],
  [10_000_000_000, "Ten billion naira only"],
])("%s is %s", (amount, words) => {
  expect(amountInWords(amount)).toBe(words);
});
