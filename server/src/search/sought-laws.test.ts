/** What was typed into the search, read in every way that it could be meant. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { kobo, nairaString } from "../money/kobo.ts";
import { readSought } from "./sought.ts";

describe("a number that was typed", () => {
  const mobile = fc.stringMatching(/^(803|806|703|816|903|802)\d{7}$/);

  test("is found as a telephone, in whichever way it is written and stored", () => {
    fc.assert(
      fc.property(mobile, fc.constantFrom("0", "234", "+234", "+234 ", "234-"), (digits, before) => {
        const forms = readSought(before + digits)?.forms ?? [];
        expect(forms).toEqual(expect.arrayContaining([`+234${digits}`, `234${digits}`, `0${digits}`]));
      }),
    );
  });

  test("is found however people group its digits", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{10}$/), fc.constantFrom(" ", "-", "."), (digits, between) => {
        const grouped = [digits.slice(0, 4), digits.slice(4, 7), digits.slice(7)].join(between);
        expect(readSought(grouped)?.forms).toContain(digits);
      }),
    );
  });

  test.each(["12345", "1234-abcd", "+", "()-"])("is no number of ours in %j", (typed) => {
    expect(readSought(typed)?.forms).toEqual([typed]);
  });
});

describe("an amount that was typed", () => {
  test("is read to the kobo, with commas, with a sign before it, or plainly", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 100, max: 1_000_000_000_00 }),
        fc.constantFrom("", "₦", "NGN ", "n"),
        (amount, sign) => {
          const plain = nairaString(kobo(BigInt(amount)));
          const [whole = "", decimals = ""] = plain.split(".");
          const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ",");
          expect(readSought(`${sign}${plain}`)?.amount).toBe(BigInt(amount));
          expect(readSought(`${sign}${grouped}.${decimals}`)?.amount).toBe(BigInt(amount));
        },
      ),
    );
  });

  test.each(["0", "0.00", "-5", "1.005", "0803", "1,00", "ten", "5 6"])("is not %j", (typed) => {
    expect(readSought(typed)?.amount ?? null).toBeNull();
  });
});

describe("whatever was typed", () => {
  test("is looked for as it stands, without blanks around it, and never breaks the search", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 100 }), (typed) => {
        const sought = readSought(typed);
        const text = typed.normalize("NFC").trim();
        fc.pre(text !== "");
        expect(sought?.text).toBe(text);
        expect(sought?.forms[0]).toBe(text);
        expect(sought?.words.length).toBeLessThanOrEqual(5);
        expect(new Set(sought?.forms).size).toBe(sought?.forms.length);
      }),
    );
  });

  test.each(["", "   ", "\t\n", "\u00a0"])("as %j is nothing to look for", (typed) => {
    expect(readSought(typed)).toBeNull();
  });

  test("means the same with marks written as one sign or as two", () => {
    expect(readSought("Ọ̀rẹ́".normalize("NFD"))).toEqual(readSought("Ọ̀rẹ́".normalize("NFC")));
  });

  test("is an id in any case, and is then not looked for inside of texts", () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        expect(readSought(` ${id.toUpperCase()} `)).toMatchObject({ id, words: [] });
      }),
    );
  });

  test.each([
    ["ab", []],
    ["abc", ["abc"]],
    ["Ada  OBI", ["ada", "obi"]],
    ["a b c d e f g", ["a", "b", "c", "d", "e"]],
  ])("as %j is looked for by the words %j", (typed, words) => {
    expect(readSought(typed)?.words).toEqual(words);
  });
});
