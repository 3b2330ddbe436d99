import { expect, test } from "vitest";
import { mobilePrefix, parseMobileNumber } from "./phone-number.ts";

test.each([["08031234567"], ["2348031234567"], ["+2348031234567"], ["0803 123 4567"], ["+234 803-123-4567"]])(
  "%s is a Nigerian mobile number",
  (text) => {
    expect(parseMobileNumber(text)).toBe("+2348031234567");
  },
);

test.each([
  ["8031234567", "without the leading zero"],
  ["0803123456", "a digit short"],
  ["080312345678", "a digit long"],
  ["+447911123456", "another country's"],
  ["012345678", "a landline"],
  ["09001234567", "of a range that nobody gave out"],
  ["0803123456x", "with a letter"],
  ["tel:08031234567", "as an address"],
  ["", "empty"],
])("%s is not a mobile number: %s", (text) => {
  expect(parseMobileNumber(text)).toBeUndefined();
});

test("the prefix is read as it is dialled", () => {
  expect(mobilePrefix("+2348031234567")).toBe("0803");
});
