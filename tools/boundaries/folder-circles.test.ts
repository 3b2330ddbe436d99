import { expect, test } from "vitest";
import { folderCircles, type Import } from "./folder-circles.ts";

/** `a/x > b/y`: a file of server/src imports another. */
const imports = (...lines: readonly string[]): Import[] =>
  lines.map((line) => {
    const [from = "", to = ""] = line.split(" > ").map((path) => `server/src/${path}.ts`);
    return { from, to };
  });

test("two folders that import each other are told by both imports", () => {
  expect(folderCircles(imports("loans/loan > money/kobo", "money/kobo > loans/terms"))).toEqual([
    "server/src/loans/loan.ts → server/src/money/kobo.ts",
    "server/src/money/kobo.ts → server/src/loans/terms.ts",
  ]);
});

test("a circle over three folders is found where no two import each other", () => {
  const found = folderCircles(imports("a/one > b/one", "b/two > c/one", "c/two > a/two"));
  expect(found).toHaveLength(3);
});

test("a way that only leads to a circle is no part of it", () => {
  const found = folderCircles(imports("door/in > a/one", "a/one > b/one", "b/one > a/two"));
  expect(found).toEqual(["server/src/a/one.ts → server/src/b/one.ts", "server/src/b/one.ts → server/src/a/two.ts"]);
});

test.each([
  ["one way only", imports("loans/loan > money/kobo", "bills/bill > money/kobo")],
  ["files of one folder", imports("loans/loan > loans/terms", "loans/terms > loans/loan")],
  ["what a slice collects", imports("loans/slice > loans/store/rows", "loans/store/rows > loans/loan")],
  ["a slice's description", imports("loans/slice-description > money/kobo", "money/kobo > loans/loan")],
  ["what a test imports", imports("money/kobo.test > loans/loan", "loans/loan > money/kobo")],
  ["nothing", []],
])("is no circle: %s", (_case, found) => {
  expect(folderCircles(found)).toEqual([]);
});

test("folders outside the server's sources are not looked at", () => {
  const outside: Import[] = [
    { from: "server/src/a/one.ts", to: "server/testing/b.ts" },
    { from: "server/testing/b.ts", to: "server/src/a/two.ts" },
    { from: "web/a/one.ts", to: "web/b/one.ts" },
    { from: "web/b/one.ts", to: "web/a/two.ts" },
  ];
  expect(folderCircles(outside)).toEqual([]);
});

test("a folder inside another is a folder of its own", () => {
  expect(folderCircles(imports("a/one > a/inner/two", "a/inner/two > a/three"))).toHaveLength(2);
});

test("the circle that is known and has its reason stays quiet, and the same folders another way do not", () => {
  const back = "platform/http/wire > platform/time/days";
  const known = "platform/time/clock-problems > platform/http/wire";
  expect(folderCircles(imports(known, back))).toEqual([]);
  expect(folderCircles(imports("platform/time/clock > platform/http/wire", back))).toHaveLength(2);
});
