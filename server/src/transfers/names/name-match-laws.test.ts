/** Laws of comparing names: what never matters, and what always does. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { accountHolder } from "../../sandbox/account-holder.ts";
import { namesMatch } from "./name-match.ts";

/** Words that are nobody's title and no company's form. */
const word = fc.stringMatching(/^[BCDFGKLN][aeiou]{2}[bdgklmn][aeiou]{1,3}$/);
const name = fc.uniqueArray(word, { minLength: 2, maxLength: 4, selector: (one) => one.toUpperCase() });
const shuffled = (words: readonly string[]) => fc.shuffledSubarray([...words], { minLength: words.length });

describe("two spellings of one holder", () => {
  test("are the same in any order and any case", () => {
    const pair = name.chain((words) => fc.tuple(fc.constant(words), shuffled(words)));
    fc.assert(
      fc.property(pair, fc.boolean(), ([words, turned], isUpper) => {
        const other = turned.join(" ");
        expect(namesMatch(words.join(" "), isUpper ? other.toUpperCase() : other.toLowerCase())).toBe(true);
      }),
    );
  });

  test("are the same whichever is asked about first", () => {
    fc.assert(
      fc.property(name, name, (one, other) => {
        const [left, right] = [one.join(" "), other.join(" ")];
        expect(namesMatch(left, right)).toBe(namesMatch(right, left));
        expect(namesMatch(left, left)).toBe(true);
      }),
    );
  });

  test("are the same with a title, with dots and dashes, and with marks on the letters", () => {
    const title = fc.constantFrom("Mr", "MRS.", "Dr", "Chief", "Alhaji", "Engr.", "Prof");
    fc.assert(
      fc.property(name, title, fc.constantFrom(" ", "-", ", ", ". ", "  "), (words, before, between) => {
        const plain = words.join(" ");
        expect(namesMatch(`${before} ${plain}`, plain)).toBe(true);
        expect(namesMatch(words.join(between), plain)).toBe(true);
        expect(namesMatch(plain.replaceAll("a", "á").replaceAll("o", "ọ").normalize("NFC"), plain)).toBe(true);
      }),
    );
  });

  test("are the same without a middle name, and not with a single name left", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(word, { minLength: 3, maxLength: 3, selector: (one) => one.toUpperCase() }),
        (words) => {
          const [first = "", , last = ""] = words;
          expect(namesMatch(`${first} ${last}`, words.join(" "))).toBe(true);
          expect(namesMatch(first, words.join(" "))).toBe(false);
        },
      ),
    );
  });
});

const trade = fc.constantFrom("Ltd", "LIMITED", "Plc", "Enterprises", "Ventures", "Foods", "Nig", "& Sons", "Stores");
const ownTrade = fc.constantFrom("Enterprises", "Ventures", "Foods", "Stores", "& Sons");
const trades = fc.array(trade, { minLength: 1, maxLength: 3 });

describe("a business", () => {
  test("is the same in any order and any case", () => {
    const pair = fc.tuple(name, trades).chain(([words, more]) => {
      const whole = [...words, ...more];
      return fc.tuple(fc.constant(whole), shuffled(whole));
    });
    fc.assert(
      fc.property(pair, ([words, turned]) => {
        expect(namesMatch(words.join(" "), turned.join(" ").toUpperCase())).toBe(true);
      }),
    );
  });

  test("is nobody's name who is called like it, whichever is asked about first", () => {
    fc.assert(
      fc.property(name, trades, (words, more) => {
        const [person, business] = [words.join(" "), [...words, ...more].join(" ")];
        expect([namesMatch(person, business), namesMatch(business, person)]).toEqual([false, false]);
      }),
    );
  });

  test("has no middle name that could be missing, nor any of its trades", () => {
    fc.assert(
      fc.property(name, fc.array(ownTrade, { minLength: 1, maxLength: 3 }), fc.nat(6), (words, more, place) => {
        const whole = [...words, ...more];
        const without = whole.filter((_, index) => index !== place % whole.length);
        expect(namesMatch(without.join(" "), whole.join(" "))).toBe(false);
      }),
    );
  });

  test("may leave its form out where the rest says that it is a business", () => {
    const forms = fc.array(fc.constantFrom("Ltd", "LIMITED", "Plc", "(Nig)", "& Co"), { minLength: 1, maxLength: 2 });
    fc.assert(
      fc.property(name, ownTrade, forms, (words, one, more) => {
        const [short, whole] = [[...words, one].join(" "), [...words, one, ...more].join(" ")];
        expect([namesMatch(short, whole), namesMatch(whole, short)]).toEqual([true, true]);
        expect(namesMatch(words.join(" "), whole)).toBe(false);
      }),
    );
  });
});

test("of no person in Nigeria whom a sandbox makes up is a name taken for a trade", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9]{10}$/), (accountNumber) => {
      const [first = "", , last = ""] = accountHolder("000013", accountNumber).split(" ");
      expect(namesMatch(`${last} ${first}`, accountHolder("000013", accountNumber))).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

describe("two holders", () => {
  test("are told apart by one word that only one of them has, where the other has one too", () => {
    const stranger = fc.stringMatching(/^X[aeiou]{2}z[aeiou]{1,3}$/);
    fc.assert(
      fc.property(name, stranger, fc.nat(3), (words, other, place) => {
        const changed = words.map((one, index) => (index === place % words.length ? other : one));
        expect(namesMatch(words.join(" "), changed.join(" "))).toBe(false);
      }),
    );
  });

  test("are told apart by a name that one of them has twice", () => {
    fc.assert(
      fc.property(word, word, (one, other) => {
        fc.pre(one.toUpperCase() !== other.toUpperCase());
        expect(namesMatch(`${one} ${one}`, `${one} ${other}`)).toBe(false);
      }),
    );
  });

  test.each(["", "   ", "Mr", "Chief Dr", "...", "🙂"])("are never the same where one is %j", (nobody) => {
    expect(namesMatch(nobody, "Adaeze Okafor")).toBe(false);
    expect(namesMatch(nobody, nobody)).toBe(false);
  });

  test("never make the comparison break, whatever they are called", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), fc.string({ unit: "grapheme" }), (one, other) => {
        expect(typeof namesMatch(one, other)).toBe("boolean");
      }),
    );
  });
});
