import { describe, expect, test } from "vitest";
import { Problem } from "../../platform/problem.ts";
import { isExpired, readCard } from "./read-card.ts";

const now = new Date("2026-11-15T12:00:00.000Z");
const good = { number: "4084084084084081", expMonth: 12, expYear: 2028, cvv: "408" };

function faultsOf(body: unknown): { readonly fields: string[]; readonly text: string } {
  try {
    readCard(body, now);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "validation_failed") throw error;
    return { fields: error.errors.map(({ field }) => field), text: JSON.stringify(error) };
  }
  return { fields: [], text: "" };
}

describe("a card that is taken", () => {
  test.each([
    ["4084084084084081", "visa", "4081", "links"],
    ["4084 0840 8408 4081", "visa", "4081", "links"],
    ["4084-0840-8408-4081", "visa", "4081", "links"],
    ["4084080000005408", "visa", "5408", "declines_link"],
    ["5060 6666 6666 6666 666", "verve", "6666", "declines_charges"],
    ["4242424242424242", "visa", "4242", "links"],
    ["4222222222222", "visa", "2222", "links"],
    ["5555555555554444", "mastercard", "4444", "links"],
    ["2223003122003222", "mastercard", "3222", "links"],
    ["6500029998887773", "verve", "7773", "links"],
  ])("%s is known by brand, last digits and what it does", (number, brand, last4, behaviour) => {
    const card = readCard({ ...good, number }, now);
    expect(card).toMatchObject({ brand, last4, behaviour, expMonth: 12, expYear: 2028, bank: expect.any(String) });
    expect(JSON.stringify(card)).not.toContain(number.replaceAll(/\D/g, "").slice(0, 12));
  });

  test("has the same bank every time", () => {
    expect(readCard(good, now).bank).toBe(readCard({ ...good, cvv: "111" }, now).bank);
  });

  test.each([
    [11, 2026, "2026-11-30T22:59:59.999Z", false],
    [11, 2026, "2026-11-30T23:00:00.000Z", true],
    [12, 2026, "2026-12-31T22:59:59.999Z", false],
    [12, 2026, "2026-12-31T23:00:00.000Z", true],
  ])("that is good to %s/%s has expired at %s in Lagos: %s", (expMonth, expYear, at, expired) => {
    expect(isExpired({ expMonth, expYear }, new Date(at))).toBe(expired);
  });
});

describe("a card that is refused", () => {
  test.each<[string, unknown, string[]]>([
    ["nothing", {}, ["number", "expMonth", "expYear", "cvv"]],
    ["no object", "4084084084084081", ["number", "expMonth", "expYear", "cvv"]],
    ["null", null, ["number", "expMonth", "expYear", "cvv"]],
    ["a list", [good], ["number", "expMonth", "expYear", "cvv"]],
    ["a number that is a number", { ...good, number: 4084084084084081 }, ["number"]],
    ["a number that fails the check", { ...good, number: "4084084084084082" }, ["number"]],
    ["a number that is too short", { ...good, number: "408408408408" }, ["number"]],
    ["a number that is too long", { ...good, number: "40840840840840810000" }, ["number"]],
    ["a number with letters", { ...good, number: "4084084084084081x" }, ["number"]],
    ["a number with two blanks in a row", { ...good, number: "4084  084084084081" }, ["number"]],
    ["zeros", { ...good, number: "0000000000000000" }, ["number"]],
    ["a network that is not taken", { ...good, number: "378282246310005" }, ["number"]],
    ["an empty number", { ...good, number: "" }, ["number"]],
    ["a month that does not exist", { ...good, expMonth: 13 }, ["expMonth"]],
    ["a month as text", { ...good, expMonth: "12" }, ["expMonth"]],
    ["half a month", { ...good, expMonth: 1.5 }, ["expMonth"]],
    ["a year of two digits", { ...good, expYear: 28 }, ["expYear"]],
    ["last month", { ...good, expMonth: 10, expYear: 2026 }, ["expYear"]],
    ["a code of two digits", { ...good, cvv: "40" }, ["cvv"]],
    ["a code as a number", { ...good, cvv: 408 }, ["cvv"]],
    ["everything wrong", { number: "1", expMonth: 0, expYear: 1, cvv: "" }, ["number", "expMonth", "expYear", "cvv"]],
  ])("for %s names the fields and repeats nothing", (_, body, fields) => {
    const faults = faultsOf(body);
    expect(faults.fields).toEqual(fields);
    expect(faults.text).not.toMatch(/4084|3782/);
  });

  test("this month is still good", () => {
    expect(faultsOf({ ...good, expMonth: 11, expYear: 2026 }).fields).toEqual([]);
  });
});
