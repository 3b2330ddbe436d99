/** The cookie that shows an order in the browser that made it, and nowhere else. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { madeHere, orderCookie, orderPath } from "./routes.ts";

const signer = { secretKey: "sk_test_7Hq2" };
const id = "01932c5e-8f4b-7c3a-9d2e-5b6a7c8d9e0f";
const other = "01932c5e-8f4b-7c3a-9d2e-000000000001";
/** What a browser sends of what it was given. */
const pairOf = (header: string) => header.split(";")[0] ?? "";
const pair = pairOf(orderCookie(signer, id, { secure: true }));

describe("the cookie", () => {
  test("goes to this one order's address only, no script reads it, and no other site sends it", () => {
    const attributes = orderCookie(signer, id, { secure: true }).split("; ").slice(1);
    const path = `Path=${orderPath}/${id}`;
    expect(attributes).toEqual([path, "Max-Age=172800", "HttpOnly", "SameSite=Strict", "Secure"]);
  });

  test("goes over plain HTTP where the shop is there only", () => {
    const plain = orderCookie(signer, id, { secure: false });
    expect(plain).not.toContain("Secure");
    expect(pairOf(plain)).toBe(pair);
  });

  test("holds neither the key nor the order's id", () => {
    expect(pair).toMatch(/^jara_shop_order=[\w-]{43}$/);
    expect(pair).not.toContain(id);
    expect(pair).not.toContain(signer.secretKey);
  });
});

describe("an order is shown", () => {
  test("to the browser that sends its cookie, alone or among others", () => {
    expect(madeHere(signer, id, pair)).toBe(true);
    expect(madeHere(signer, id, `theme=dark; ${pair}; lang=en`)).toBe(true);
    expect(madeHere(signer, id, `jara_shop_order=stale;${pair}`)).toBe(true);
  });

  test.each([undefined, "", ";", "jara_shop_order", "jara_shop_order=", "=", "theme=dark"])("not for %j", (cookies) => {
    expect(madeHere(signer, id, cookies)).toBe(false);
  });

  test("not for the cookie of another order, of another shop, or of another name", () => {
    expect(madeHere(signer, other, pair)).toBe(false);
    expect(madeHere({ secretKey: "sk_test_other" }, id, pair)).toBe(false);
    expect(madeHere(signer, id, pair.replace("jara_shop_order", "jara_shop_orders"))).toBe(false);
  });

  test("not for a cookie in which one character is another, is missing, or is too many", () => {
    const start = "jara_shop_order=".length;
    fc.assert(
      fc.property(fc.integer({ min: start, max: pair.length - 1 }), fc.constantFrom("", "A", "_", "zz"), (at, put) => {
        const changed = pair.slice(0, at) + put + pair.slice(at + 1);
        expect(madeHere(signer, id, changed)).toBe(changed === pair);
      }),
    );
  });

  test("not for whatever else a browser may send", () => {
    fc.assert(
      fc.property(fc.string(), (cookies) => {
        expect(madeHere(signer, id, cookies)).toBe(false);
        expect(madeHere(signer, id, `jara_shop_order=${cookies}`)).toBe(false);
      }),
    );
  });
});
