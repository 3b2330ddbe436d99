import { expect, test } from "vitest";
import { bankName, bankSlug, findBank, listBanks } from "./bank-directory.ts";

const all = listBanks("SANDBOX");

test("no code stands for two banks: money would go to the wrong one", () => {
  const owners = new Map<string, string>();
  for (const { name, code, nipCode } of all) {
    for (const each of new Set([code, nipCode])) {
      expect(owners.get(each), each).toBeUndefined();
      owners.set(each, name);
    }
  }
});

test("codes are digits, and the switch's have six", () => {
  for (const { name, code, nipCode } of all) {
    expect(code, name).toMatch(/^\d{3,6}$/);
    expect(nipCode, name).toMatch(/^\d{6}$/);
  }
});

test("a bank is found by either of its codes, and by nothing else", () => {
  for (const bank of all) {
    expect(findBank(bank.code, "SANDBOX")).toBe(bank);
    expect(findBank(bank.nipCode, "SANDBOX")).toBe(bank);
  }
  for (const code of ["", "58", "0058", " 058", "058 ", "GTB", "__proto__"])
    expect(findBank(code, "LIVE")).toBeUndefined();
});

test("the simulated banks take nobody's real money", () => {
  expect(listBanks("LIVE").filter(({ simulated }) => simulated)).toEqual([]);
  for (const { code, nipCode } of all.filter(({ simulated }) => simulated)) {
    expect([findBank(code, "LIVE"), findBank(nipCode, "LIVE")]).toEqual([undefined, undefined]);
  }
});

test("a stored code that is not known any more is shown as it is", () => {
  expect([bankName("058"), bankName("000013"), bankName("777")]).toEqual([
    "Guaranty Trust Bank",
    "Guaranty Trust Bank",
    "777",
  ]);
});

test("every bank has an address of its own in the registry", () => {
  const slugs = all.map(bankSlug);
  expect(new Set(slugs).size).toBe(all.length);
  for (const slug of slugs) expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
});
