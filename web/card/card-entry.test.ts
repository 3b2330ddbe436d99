import { describe, expect, test } from "vitest";
import { brandOf, groupExpiry, groupNumber, passesLuhn, readCard } from "./card-entry.ts";

const now = "2026-11-15T10:00:00.000Z";
const good = { number: "4084 0840 8408 4081", expiry: "11 / 26", cvv: "408" };

test.each([
  ["", ""],
  ["4084", "4084"],
  ["40840", "4084 0"],
  ["4084 0840-8408 4081", "4084 0840 8408 4081"],
  ["5060666666666666666", "5060 6666 6666 6666 666"],
  ["50606666666666666669999", "5060 6666 6666 6666 666"],
])("the number %j is shown as %j", (typed, shown) => {
  expect(groupNumber(typed)).toBe(shown);
});

test.each([
  ["12", "12"],
  ["122", "12 / 2"],
  ["12/29", "12 / 29"],
  ["8", "08"],
  ["829", "08 / 29"],
  ["12 / ", "12"],
  ["1", "1"],
  ["1/", "01"],
  ["1/29", "01 / 29"],
  ["01/2029", "01 / 29"],
  ["8 / 2029 ", "08 / 29"],
  ["12 / 20", "12 / 20"],
  ["12 / 2", "12 / 2"],
  ["/", ""],
  ["/2", "02"],
  [" / 8/29", "08 / 29"],
  ["/12/2029", "12 / 29"],
  ["1229", "12 / 29"],
])("the expiry %j is shown as %j", (typed, shown) => {
  expect(groupExpiry(typed)).toBe(shown);
});

test.each([
  ["4084084084084081", "Visa"],
  ["5060666666666666666", "Verve"],
  ["5531886652142950", "Mastercard"],
  ["9", null],
])("%s is recognised as %s", (number, brand) => {
  expect(brandOf(number)).toBe(brand);
});

test("the test cards of the sandbox pass the check, and a slip in any one digit does not", () => {
  for (const number of ["4084084084084081", "4084080000005408", "5060666666666666666"]) {
    expect(passesLuhn(number)).toBe(true);
    for (let place = 0; place < number.length; place += 1) {
      const slipped = (Number(number[place]) + 1) % 10;
      expect(passesLuhn(`${number.slice(0, place)}${slipped}${number.slice(place + 1)}`)).toBe(false);
    }
  }
});

describe("a card is read", () => {
  test("into what the vault takes, up to the last month that it holds", () => {
    expect(readCard(good, now)).toEqual({ number: "4084084084084081", expMonth: 11, expYear: 2026, cvv: "408" });
  });

  test.each([
    ["an empty number", { number: "" }, "number"],
    ["a short number", { number: "4084 0840" }, "number"],
    ["a wrong digit", { number: "4084 0840 8408 4082" }, "number"],
    ["a month that passed", { expiry: "10 / 26" }, "expiry"],
    ["a thirteenth month", { expiry: "13 / 29" }, "expiry"],
    ["half a date", { expiry: "12" }, "expiry"],
    ["two digits of a code", { cvv: "40" }, "cvv"],
  ])("and complained about: %s", (_name, change, field) => {
    expect(Object.keys(readCard({ ...good, ...change }, now))).toEqual([field]);
  });

  test("with every complaint at once", () => {
    expect(Object.keys(readCard({ number: "", expiry: "", cvv: "" }, now))).toEqual(["number", "expiry", "cvv"]);
  });
});
