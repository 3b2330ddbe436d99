import { describe, expect, test } from "vitest";
import { isMeant } from "./ask.ts";

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
