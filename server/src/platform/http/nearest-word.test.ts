import { describe, expect, test } from "vitest";
import { editDistance, nearestWord } from "./nearest-word.ts";

describe("the distance of two words", () => {
  test.each([
    ["kitten", "sitting", 3],
    ["", "abc", 3],
    ["same", "same", 0],
    ["amount", "amuont", 2],
  ])("%s and %s", (left, right, distance) => {
    expect(editDistance(left, right, 10)).toBe(distance);
    expect(editDistance(right, left, 10)).toBe(distance);
  });

  test("is not looked for beyond the limit", () => {
    expect(editDistance("kitten", "sitting", 2)).toBe(2);
  });
});

describe("the nearest word", () => {
  const fields = ["sourceAccountId", "amount", "reference", "bank_code"];

  test.each([
    ["sourceAccountID", "sourceAccountId"],
    ["source_account_id", "sourceAccountId"],
    ["bankCode", "bank_code"],
    ["refrence", "reference"],
    ["amt", undefined],
    ["colour", undefined],
    ["a".repeat(1_000), undefined],
  ])("to %s", (word, nearest) => {
    expect(nearestWord(word, fields)).toBe(nearest);
  });
});
