import { describe, expect, test } from "vitest";
import { readReturnAddress, withOutcome } from "./return-address.ts";

const verdict = (text: string, kind: "SANDBOX" | "LIVE") => readReturnAddress(text, kind);

describe("an address to return to", () => {
  test.each([
    ["https://shop.example.com/orders/1?from=jara#top", "LIVE"],
    ["https://shop.example.com:8443/", "LIVE"],
    ["http://localhost:4000/shop", "SANDBOX"],
    ["http://shop.localhost/", "SANDBOX"],
    ["http://127.0.0.1:3000/", "SANDBOX"],
    ["http://[::1]:3000/", "SANDBOX"],
  ] as const)("may be %s in %s", (text, kind) => {
    expect(verdict(text, kind)).toEqual({ url: text });
  });

  test.each([
    ["http://localhost:4000/shop", "LIVE"],
    ["http://127.0.0.1/", "LIVE"],
    ["http://shop.example.com/", "SANDBOX"],
    ["http://127.0.0.1.example.com/", "SANDBOX"],
    ["http://notlocalhost/", "SANDBOX"],
    ["javascript:alert(1)", "SANDBOX"],
    ["data:text/html,hello", "SANDBOX"],
    ["//shop.example.com/", "SANDBOX"],
    ["/orders", "SANDBOX"],
    ["shop.example.com", "SANDBOX"],
    ["", "SANDBOX"],
    ["https://", "SANDBOX"],
    ["https:shop.example.com", "SANDBOX"],
    ["https://user:secret@shop.example.com/", "SANDBOX"],
    ["https://shop.example.com/a b", "SANDBOX"],
    ["https://shop.example.com\\@evil.example", "SANDBOX"],
    ["https://shop.example.com/\u0000", "SANDBOX"],
    [`https://shop.example.com/${"x".repeat(2_048)}`, "SANDBOX"],
  ] as const)("may not be %s in %s", (text, kind) => {
    expect(verdict(text, kind)).toHaveProperty("refusal");
  });

  test("is told what happened, and keeps what the merchant wrote", () => {
    const outcome = { session_id: "s1", status: "completed" };
    expect(withOutcome("https://a.example/b", outcome)).toBe("https://a.example/b?session_id=s1&status=completed");
    expect(withOutcome("https://a.example/?q=b%20c&status=x#top", outcome)).toBe(
      "https://a.example/?q=b%20c&status=x&session_id=s1&status=completed#top",
    );
  });
});
