import { expect, test } from "vitest";
import { accountHolder } from "./account-holder.ts";

test("an account has the same holder every time, in every process", () => {
  expect(accountHolder("000013", "0123456789")).toBe(accountHolder("000013", "0123456789"));
  expect([accountHolder("000013", "0123456789"), accountHolder("000014", "0690000031")]).toMatchInlineSnapshot(`
    [
      "Itohan Joy Wike",
      "Ebunoluwa Oluwaseun Fasasi",
    ]
  `);
});

test("the same number at another bank is somebody else's", () => {
  expect(accountHolder("000013", "0123456789")).not.toBe(accountHolder("000014", "0123456789"));
});

test("there are thousands of names, each of three different words", () => {
  const names = Array.from({ length: 10_000 }, (_, n) => accountHolder("000013", String(n).padStart(10, "0")));
  expect(new Set(names).size).toBeGreaterThan(9_000);
  expect(names.filter((name) => new Set(name.split(" ")).size !== 3)).toEqual([]);
});
