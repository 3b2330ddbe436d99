/** What a customer types as an amount, over random texts and balances. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { formatNaira } from "../shared/naira.ts";
import { readAmount } from "./choose-amount.ts";

const textOf = (amount: bigint) => `${amount / 100n}.${String(amount % 100n).padStart(2, "0")}`;
const nairaOf = (amount: bigint) => Number(textOf(amount));

test("a customer pays more than nothing and no more than is left, or reads why not", () => {
  const typed = fc.oneof(fc.string(), fc.stringMatching(/^₦?[0-9]{1,7}(\.[0-9]{0,3})?$/));
  fc.assert(
    fc.property(typed, fc.integer({ min: 1, max: 9_999_999 }), (text, balance) => {
      const read = readAmount(text, balance);
      if (typeof read === "number") {
        expect(read).toBeGreaterThan(0);
        expect(read).toBeLessThanOrEqual(balance);
      } else expect(read.complaint).toMatch(/^(Type|That is more than) .+[^.]\.$/);
    }),
    { numRuns: 500 },
  );
});

test("what is left to pay can be paid to the last kobo, and not a kobo more", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 99_999_999_998n }), (left) => {
      expect(readAmount(textOf(left), nairaOf(left))).toBe(nairaOf(left));
      expect(readAmount(textOf(left + 1n), nairaOf(left))).toEqual({
        complaint: `That is more than the ${formatNaira(nairaOf(left))} left to pay.`,
      });
    }),
  );
});
