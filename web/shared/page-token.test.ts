import { expect, test } from "vitest";
import { readPageAddress } from "./page-token.ts";

function memory() {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
  };
}

test("the token comes from behind the # and is remembered for this page", () => {
  const place = memory();
  const read = (pathname: string, hash: string) => readPageAddress({ pathname, hash }, () => place);
  expect(read("/checkout/a", "#secret")).toEqual({ id: "a", token: "secret" });
  expect(read("/checkout/a", "")).toEqual({ id: "a", token: "secret" });
  expect(read("/checkout/b", "")).toEqual({ id: "b", token: null });
  expect(read("/card-links/a", "")).toEqual({ id: "a", token: null });
  expect(read("/checkout/a", "#newer")).toEqual({ id: "a", token: "newer" });
});

test("a browser that forbids storage still opens the page from its address", () => {
  const forbidden = () => {
    throw new Error("storage is off");
  };
  expect(readPageAddress({ pathname: "/checkout/a", hash: "#secret" }, forbidden).token).toBe("secret");
  expect(readPageAddress({ pathname: "/checkout/a", hash: "" }, forbidden).token).toBeNull();
});
