import { expect, test } from "vitest";
import { cleanWords, wordsAt } from "./provider-words.ts";

test.each([
  ["Invalid key sk_live_abc123DEF", "Invalid key …"],
  ["MK_PROD_ABCDEF refused", "… refused"],
  ["Account 0123456789 of ada@example.com", "Account … of …"],
  ["Call 0803 123 4567\n now", "Call … now"],
  ["Balance 100 is not enough for 25000", "Balance 100 is not enough for 25000"],
])("%j is shown as %j", (text, shown) => {
  expect(cleanWords(text)).toBe(shown);
});

test("words are short, and missing ones are empty", () => {
  expect(cleanWords("word ".repeat(100)).length).toBe(160);
  expect(wordsAt({ message: " Transfer  not found " }, "message")).toBe("Transfer not found");
  for (const body of [undefined, null, [], "text", { message: {} }, { message: " " }]) {
    expect(wordsAt(body, "message")).toBe("");
  }
});
