import { expect, test } from "vitest";
import { findBank } from "./bank-directory.ts";
import { passesNuban } from "./nuban.ts";

function check(code: string, accountNumber: string): boolean | null {
  const bank = findBank(code, "SANDBOX");
  if (bank === undefined) throw new Error(`no bank has the code ${code}`);
  return passesNuban(bank, accountNumber);
}

test.each([
  ["011", "0000014579"],
  ["044", "0010246780"],
  ["044", "0690000032"],
  ["057", "2085886393"],
  ["058", "0111946768"],
])("%s/%s passes the check digit", (code, accountNumber) => {
  expect(check(code, accountNumber)).toBe(true);
});

test.each([
  ["044", "0690000031"],
  ["058", "0123456789"],
])("%s/%s does not pass", (code, accountNumber) => {
  expect(check(code, accountNumber)).toBe(false);
});

test("a bank is the same by either of its codes", () => {
  expect(check("000014", "0690000032")).toBe(true);
});

test("exactly one last digit passes for each serial number of a five-digit code", () => {
  const passing = Array.from({ length: 10 }, (_, digit) => check("50211", `123456789${digit}`)).filter(Boolean);
  expect(passing).toHaveLength(1);
});

test.each(["999992", "100022", "120001", "327", "998", "999"])("the rule does not apply at %s", (code) => {
  expect(check(code, "8012345678")).toBeNull();
});
