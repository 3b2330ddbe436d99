/** Amounts over random naira: what is shown can be typed, and what cannot be meant is no amount. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { formatNaira, formatNairaExactly, plainAmount } from "../../shared/naira.ts";
import { typedNaira } from "./figures.ts";

/** Up to what the API takes: thirteen digits before the point. */
const kobo = fc.bigInt({ min: 0n, max: 999_999_999_999_999n });
const textOf = (amount: bigint) => `${amount / 100n}.${String(amount % 100n).padStart(2, "0")}`;
const nairaOf = (amount: bigint) => Number(textOf(amount));

test("every kobo of every amount is shown, and nothing but digits is added", () => {
  fc.assert(
    fc.property(kobo, (amount) => {
      const shown = formatNairaExactly(nairaOf(amount));
      expect(shown).toMatch(/^₦\d{1,3}(,\d{3})*\.\d{2}$/);
      expect(shown.replaceAll(/[₦,]/g, "")).toBe(textOf(amount));
    }),
  );
});

test("the short form leaves kobo out only where there are none", () => {
  fc.assert(
    fc.property(kobo, (amount) => {
      const [short, long] = [formatNaira(nairaOf(amount)), formatNairaExactly(nairaOf(amount))];
      expect(short).toBe(amount % 100n === 0n ? long.replace(/\.00$/, "") : long);
    }),
  );
});

test("what is shown on a page can be typed into a field as it stands", () => {
  fc.assert(
    fc.property(kobo, fc.constantFrom(formatNaira, formatNairaExactly), (amount, format) => {
      expect(typedNaira(format(nairaOf(amount)))).toBe(nairaOf(amount));
    }),
  );
});

test("blanks and the sign of the naira change no amount, wherever a person puts them", () => {
  const blanks = fc.constantFrom("", " ", "\u00a0", "\t", "\u202f");
  fc.assert(
    fc.property(kobo, blanks, blanks, fc.boolean(), (amount, before, after, signed) => {
      const typed = `${before}${signed ? `₦${after}` : ""}${textOf(amount)}${after}`;
      expect(plainAmount(typed)).toBe(textOf(amount));
    }),
  );
});

test("a comma before one, two or four digits is never taken for one between thousands", () => {
  const digits = (least: number, most: number) => fc.stringMatching(new RegExp(`^[0-9]{${least},${most}}$`));
  const end = fc.oneof(digits(1, 2), digits(4, 6));
  fc.assert(
    fc.property(digits(1, 6), end, (before, after) => {
      expect(typedNaira(`${before},${after}`)).toBeNaN();
    }),
  );
});

test("whatever is typed is an amount of whole kobo, or none", () => {
  const typed = fc.oneof(fc.string(), fc.stringMatching(/^[-+0-9.,e ₦]{0,12}$/));
  fc.assert(
    fc.property(typed, (text) => {
      const amount = typedNaira(text);
      if (Number.isNaN(amount)) return;
      expect(amount).toBeGreaterThanOrEqual(0);
      expect(plainAmount(text)).toMatch(/^\d+(\.\d{1,2})?$/);
    }),
    { numRuns: 500 },
  );
});
