/** What a person may type into the fields of a card, over random keys: groups, brands, dates and complaints. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { brandOf, groupCvv, groupExpiry, groupNumber, passesLuhn, readCard } from "./card-entry.ts";

const now = "2026-11-15T10:00:00.000Z";
const digits = (least: number, most: number) => fc.stringMatching(new RegExp(`^[0-9]{${least},${most}}$`));
const typed = fc.oneof(fc.string(), fc.stringMatching(/^[-0-9 /.]{0,24}$/));
const bare = (text: string) => text.replaceAll(/\D/g, "");

/** The digits with the one behind them that makes the sum right. */
function withCheckDigit(body: string): string {
  const last = [..."0123456789"].find((digit) => passesLuhn(body + digit));
  return body + last;
}

test("a number keeps its first nineteen digits in order, in groups of four", () => {
  fc.assert(
    fc.property(typed, (text) => {
      const shown = groupNumber(text);
      expect(bare(shown)).toBe(bare(text).slice(0, 19));
      expect(shown).toMatch(/^(\d{4} )*\d{0,4}$/);
      expect(shown).not.toMatch(/ $/);
    }),
  );
});

test("what is grouped stays as it is when it is grouped again", () => {
  fc.assert(
    fc.property(typed, (text) => {
      expect(groupNumber(groupNumber(text))).toBe(groupNumber(text));
      expect(groupExpiry(groupExpiry(text))).toBe(groupExpiry(text));
      expect(groupCvv(groupCvv(text))).toBe(groupCvv(text));
    }),
  );
});

test("an expiry is never more than two and two digits, with a slash only between them", () => {
  fc.assert(
    fc.property(typed, (text) => {
      expect(groupExpiry(text)).toMatch(/^(\d{0,2}|\d\d \/ \d{1,2})$/);
    }),
  );
});

test("every month and year comes out the same, in each of the ways in which people write them", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 26, max: 99 }), (month, year) => {
      const padded = String(month).padStart(2, "0");
      const shown = `${padded} / ${year}`;
      for (const text of [`${padded}${year}`, `${padded}/${year}`, `${month}/${year}`, `${month} / 20${year}`])
        expect(groupExpiry(text)).toBe(shown);
    }),
  );
});

test("deleting from the end always comes to an empty field", () => {
  fc.assert(
    fc.property(digits(4, 4), (text) => {
      let shown = groupExpiry(text);
      for (let presses = 0; shown !== "" && presses < 12; presses += 1) shown = groupExpiry(shown.slice(0, -1));
      expect(shown).toBe("");
    }),
  );
});

test.each([
  ["5060", "Verve"],
  ["5061", "Verve"],
  ["5062", null],
  ["5078", "Verve"],
  ["5079", "Verve"],
  ["6500", "Verve"],
  ["6501", null],
  ["50", null],
  ["51", "Mastercard"],
  ["55", "Mastercard"],
  ["56", null],
  ["22", "Mastercard"],
  ["27", "Mastercard"],
  ["28", null],
  ["4", "Visa"],
  ["", null],
  ["abc", null],
])("a number that begins with %j is one of %s", (beginning, brand) => {
  expect(brandOf(beginning)).toBe(brand);
});

test("the brand does not depend on how a number is grouped", () => {
  fc.assert(
    fc.property(digits(1, 19), (number) => {
      expect(brandOf(groupNumber(number))).toBe(brandOf(number));
    }),
  );
});

test("of the ten numbers that differ in their last digit, exactly one is right", () => {
  fc.assert(
    fc.property(digits(12, 18), (body) => {
      expect([..."0123456789"].filter((digit) => passesLuhn(body + digit))).toHaveLength(1);
    }),
  );
});

test("two neighbours that changed places are noticed, unless they are nine and nought or the same", () => {
  fc.assert(
    fc.property(digits(12, 18), fc.nat(), (body, pick) => {
      const number = withCheckDigit(body);
      const at = pick % (number.length - 1);
      const [one, other] = [number[at] ?? "", number[at + 1] ?? ""];
      fc.pre(one !== other && `${one}${other}` !== "90" && `${one}${other}` !== "09");
      expect(passesLuhn(`${number.slice(0, at)}${other}${one}${number.slice(at + 2)}`)).toBe(false);
    }),
  );
});

test("a whole card is read as it was meant, however it was typed", () => {
  const dates = fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 2027, max: 2099 }));
  fc.assert(
    fc.property(digits(12, 18), dates, digits(3, 4), (body, [expMonth, expYear], cvv) => {
      const number = withCheckDigit(body);
      const expiry = groupExpiry(`${expMonth}/${expYear}`);
      expect(readCard({ number: groupNumber(number), expiry, cvv }, now)).toEqual({ number, expMonth, expYear, cvv });
    }),
  );
});

test("whatever is typed is a card for the vault, or a sentence for each wrong field", () => {
  fc.assert(
    fc.property(typed, typed, typed, (number, expiry, cvv) => {
      const read = readCard({ number, expiry, cvv }, now);
      if ("expMonth" in read) expect(read.number).toBe(bare(number));
      else for (const text of Object.values(read)) expect(text).toMatch(/^[A-Z].*\.$/);
    }),
  );
});

test.each([
  ["2026-11-30T23:59:59.999Z", "11 / 26", true],
  ["2026-12-01T00:00:00.000Z", "11 / 26", false],
  ["2026-12-31T23:59:59.999Z", "12 / 26", true],
  ["2027-01-01T00:00:00.000Z", "12 / 26", false],
  ["2027-01-01T00:00:00.000Z", "01 / 27", true],
])("at %s a card of %s can be used: %s", (moment, expiry, good) => {
  const read = readCard({ number: "4084084084084081", expiry, cvv: "408" }, moment);
  expect(read).toEqual(good ? expect.objectContaining({ cvv: "408" }) : { expiry: expect.stringContaining("expired") });
});
