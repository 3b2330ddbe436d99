import { describe, expect, test } from "vitest";
import { readSought } from "./sought.ts";

const id = "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11";

describe("an amount", () => {
  test.each([
    ["2500", 250_000n],
    ["2,500.50", 250_050n],
    ["₦2500", 250_000n],
    ["NGN 1,234,567.8", 123_456_780n],
    ["n500", 50_000n],
  ])("is read from %s", (typed, amount) => expect(readSought(typed)?.amount).toBe(amount));

  test.each(["0690000032", "0", "-5", "2,50", "1.234", "1e3", "9".repeat(40), "ref-2500", "₦"])(
    "is not read from %s",
    (typed) => expect(readSought(typed)?.amount).toBeNull(),
  );
});

describe("a number", () => {
  test("is looked for in each way that it is stored", () => {
    expect(readSought("0803 123 4567")?.forms).toEqual([
      "0803 123 4567",
      "08031234567",
      "+2348031234567",
      "2348031234567",
    ]);
    expect(readSought("+234-803-123-4567")?.forms).toContain("08031234567");
    expect(readSought(" 069 000 0032 ")?.forms).toEqual(["069 000 0032", "0690000032"]);
  });

  test("of few digits, or with letters, stays as it is", () => {
    expect(readSought("12-34")?.forms).toEqual(["12-34"]);
    expect(readSought("ref 069")?.forms).toEqual(["ref 069"]);
  });
});

test("an id is an id in capitals too, and is not looked for inside of texts", () => {
  expect(readSought(id.toUpperCase())).toMatchObject({ id, text: id.toUpperCase(), words: [] });
  expect(readSought(`${id}x`)).toMatchObject({ id: null });
});

test("words are small letters in their composed form, few, and not too short", () => {
  expect(readSought("  Adae\u0301 OKAFOR ")?.words).toEqual(["adaé", "okafor"]);
  expect(readSought("ab")?.words).toEqual([]);
  expect(readSought("a b c d e f g")?.words).toHaveLength(5);
});

test.each(["", "   ", "\t\n"])("nothing is left of %j", (typed) => expect(readSought(typed)).toBeNull());
