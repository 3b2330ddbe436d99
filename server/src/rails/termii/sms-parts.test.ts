import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { smsParts } from "./provider.ts";

describe("in how many parts a text travels", () => {
  test.each([
    ["nothing", "", 1],
    ["one letter", "a", 1],
    ["160 plain letters", "a".repeat(160), 1],
    ["161 plain letters", "a".repeat(161), 2],
    ["306 plain letters", "a".repeat(306), 2],
    ["307 plain letters", "a".repeat(307), 3],
    ["80 letters that take two places", "€".repeat(80), 1],
    ["81 letters that take two places", "€".repeat(81), 2],
    ["one of them at the end", `${"a".repeat(159)}€`, 2],
    ["70 letters of Yoruba", `ẹ${"a".repeat(69)}`, 1],
    ["71 letters of Yoruba", `ẹ${"a".repeat(70)}`, 2],
    ["134 letters of Yoruba", `ẹ${"a".repeat(133)}`, 2],
    ["135 letters of Yoruba", `ẹ${"a".repeat(134)}`, 3],
    ["a naira sign", "₦".repeat(70), 1],
    ["faces, which take two places each", "😀".repeat(35), 1],
    ["one face more", "😀".repeat(36), 2],
  ])("%s", (_, text, parts) => {
    expect(smsParts(text)).toBe(parts);
  });

  test("never falls when a text grows", () => {
    const letter = fc.constantFrom("a", "€", "ẹ", "\n", "😀");
    fc.assert(
      fc.property(fc.array(letter, { maxLength: 400 }), letter, (letters, more) => {
        expect(smsParts([...letters, more].join(""))).toBeGreaterThanOrEqual(smsParts(letters.join("")));
      }),
    );
  });

  test("of a code is one, whatever the merchant is called in plain letters", () => {
    const name = "Mama Put Foods and Catering Services Nigeria";
    const text = `${name}: 123456 is your code. It counts for 10 minutes. Tell it to nobody, not even to us.`;
    expect(smsParts(text)).toBe(1);
  });
});
