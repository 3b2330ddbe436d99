import { describe, expect, test } from "vitest";
import { accountNameOf } from "./account-name.ts";

describe("a holder's name", () => {
  test.each([
    ["ADAEZE OKAFOR", "ADAEZE OKAFOR"],
    ["  ADAEZE \t OKAFOR\n", "ADAEZE OKAFOR"],
    ["Ọlájídé Ṣóyínká", "Ọlájídé Ṣóyínká"],
    ["Al-Hassan & Sons (Nig) Ltd.", "Al-Hassan & Sons (Nig) Ltd."],
    ["Test Okafor", "Test Okafor"],
    ["Account Services Ltd", "Account Services Ltd"],
    ["1st Choice Ventures", "1st Choice Ventures"],
  ])("%j is %j", (told, name) => {
    expect(accountNameOf(told)).toBe(name);
  });

  test.each([
    "ok",
    "OKAY",
    "Success",
    "SUCCESSFUL",
    "Approved",
    " valid ",
    "N/A",
    "na",
    "nil",
    "None",
    "null",
    "undefined",
    "UNKNOWN",
    "Account",
    "test",
  ])("is not the word %j, which stands where a name should be", (filler) => {
    expect(accountNameOf(filler)).toBeUndefined();
  });

  test.each([undefined, null, "", "   ", "-", "A", "A B", "0123456789", 0, 123456, true, {}, [], ["ADA"]])(
    "is not %j",
    (told) => {
      expect(accountNameOf(told)).toBeUndefined();
    },
  );
});
