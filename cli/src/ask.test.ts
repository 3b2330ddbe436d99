import { describe, expect, test } from "vitest";
import { isMeant, readNaira } from "./ask.ts";

const gtb = { value: "058", label: "Guaranty Trust Bank", hint: "058" };

describe("a bank is meant by", () => {
  for (const typed of [
    "",
    "trust",
    "GUARANTY",
    "058",
    " 05",
    "gtb",
    "GT",
    "gua ba",
    "trust b",
    "guaranty trust bank",
  ]) {
    test(JSON.stringify(typed), () => expect(isMeant(typed, gtb)).toBe(true));
  }
});

describe("a bank is not meant by", () => {
  for (const typed of ["access", "tbg", "bank trust", "gua gua", "gtbank x", "059"]) {
    test(JSON.stringify(typed), () => expect(isMeant(typed, gtb)).toBe(false));
  }
});

test("words may be parted by anything that is no letter", () => {
  expect(isMeant("fcmb", { value: "214", label: "First City Monument Bank (FCMB)" })).toBe(true);
  expect(isMeant("9psb", { value: "120001", label: "9 Payment Service Bank" })).toBe(true);
});

test.each([
  ["2500", "2500"],
  ["2,500.50", "2500.50"],
  ["₦500", "500"],
  ["NGN 1,250,000", "1250000"],
  [" 70 ", "70"],
  ["25,00", "25,00"],
  ["1e3", "1e3"],
  ["-5", "-5"],
])("%s is read as %s naira", (typed, read) => expect(readNaira(typed)).toBe(read));
