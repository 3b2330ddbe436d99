/** Fields that nobody looks at are ignored; a sandbox says so in a header, live says nothing. */
import { describe, expect, test } from "vitest";
import { issueLiveKeyFor } from "../../../testing/keys.ts";
import { createPayingApp, freshReference } from "../../../testing/payments/paying-app.ts";

const { call, pay, db, merchant } = await createPayingApp();

const warning = (reply: { headers: Record<string, unknown> }) => reply.headers["jara-warning"];

describe("a sandbox's reply warns of", () => {
  test("a field whose name is a little wrong", async () => {
    const reply = await pay({ sourceAccountID: "x" });
    expect(reply.statusCode).toBe(201);
    expect(warning(reply)).toContain("unknown field sourceAccountID, did you mean sourceAccountId?");
  });

  test("a field without anything near, and no field that is known", async () => {
    expect(warning(await call("POST", "/loans/quote", { body: { colour: 1 } }))).toBe("unknown field colour");
    const metadata = { anything: "goes" };
    expect(String(warning(await pay({ metadata })))).not.toContain("unknown");
  });

  test("a query parameter, also where none is known", async () => {
    expect(warning(await call("GET", "/transfers?statuss=failed"))).toBe(
      "unknown parameter statuss, did you mean status?",
    );
    expect(warning(await call("GET", "/wallets/sub-accounts/1?expand=all"))).toBe("unknown parameter expand");
  });

  test("nested fields, by their path", async () => {
    const item = {
      accountNumber: "0690000032",
      bankCode: "044",
      amount: 100,
      reference: freshReference(),
      naration: "x",
    };
    const body = { batchReference: freshReference(), currency: "NGN", transfers: [item] };
    expect(warning(await call("POST", "/transfers/bulk", { body }))).toContain(
      "unknown field transfers[0].naration, did you mean narration?",
    );
    const session = { customer: { firstName: "Ada" } };
    expect(warning(await call("POST", "/loans/bnpl/checkout-sessions", { body: session }))).toBe(
      "unknown field customer.firstName, did you mean first_name?",
    );
  });

  test("several at once, and not of more than a header bears", async () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`zz${index}${"y".repeat(500)}`, 1]));
    const text = String(warning(await call("POST", "/bills/status", { body: { reference: "r", ...many } })));
    expect(text.split("; ")).toHaveLength(6);
    expect(text).toMatch(/; and more$/);
    expect(text.length).toBeLessThan(600);
  });

  test("a name that would break the header, made harmless", async () => {
    const body = { reference: "r", "a\r\nSet-Cookie: x=1": 1, "naïve ✓": 2 };
    const reply = await call("POST", "/bills/status", { body });
    expect(reply.headers["set-cookie"]).toBeUndefined();
    expect(warning(reply)).toBe("unknown field a??Set-Cookie:?x=1; unknown field na?ve??");
  });

  test("what else there is to warn of, in the same header", async () => {
    const reply = await pay({ accountNumber: "0690000033", sourceAccount: "x" });
    expect(warning(reply)).toMatch(/^unknown field sourceAccount.*; nuban_check_digit$/);
  });
});

test("a live reply says nothing of it", async () => {
  const key = await issueLiveKeyFor(db, merchant.merchant.id);
  const reply = await call("GET", "/transfers?statuss=failed", { key });
  expect([reply.statusCode, warning(reply)]).toEqual([200, undefined]);
});
