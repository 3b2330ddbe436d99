/** Fields in another casing are refused. Other unknown fields are ignored; a sandbox's reply names them in a header. */
import type { TSchema } from "typebox";
import { describe, expect, test } from "vitest";
import { issueLiveKeyFor } from "../../../../testing/keys.ts";
import { createPayingApp, freshReference } from "../../../../testing/payments/paying-app.ts";
import { appRoutes } from "../../../start/app.ts";
import { compileNames } from "./field-names.ts";

const { call, pay, db, merchant, dependencies } = await createPayingApp();
const liveKey = await issueLiveKeyFor(db, merchant.merchant.id);

const warning = (reply: { headers: Record<string, unknown> }) => reply.headers["jara-warning"];

describe("a sandbox's reply warns of", () => {
  test("a field whose name is a little wrong", async () => {
    const reply = await pay({ sourceAcountId: "x" });
    expect(reply.statusCode).toBe(201);
    expect(warning(reply)).toContain("unknown field sourceAcountId, did you mean sourceAccountId?");
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
    const session = { customer: { firstname_: "Ada", firs_name: "Ada" } };
    expect(warning(await call("POST", "/loans/bnpl/checkout-sessions", { body: session }))).toContain(
      "unknown field customer.firs_name, did you mean first_name?",
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
  const reply = await call("GET", "/transfers?statuss=failed", { key: liveKey });
  expect([reply.statusCode, warning(reply)]).toEqual([200, undefined]);
});

describe("a field in another casing", () => {
  const errorsOf = (reply: { json(): { errors: { field: string; message: string }[] } }) =>
    Object.fromEntries(reply.json().errors.map(({ field, message }) => [field, message]));

  test("is refused with the field that was meant, which then is not also missing", async () => {
    const reply = await call("POST", "/transfers", {
      body: { account_number: "0690000032", bankCode: "044", amount: 0.001, currency: "NGN", reference: "r-cased" },
    });
    expect([reply.statusCode, reply.json().code]).toEqual([422, "validation_failed"]);
    expect(errorsOf(reply)).toEqual({
      accountNumber: "must be spelled accountNumber, not account_number",
      amount: expect.any(String),
    });
  });

  test("is refused where it could have been left out: nothing is paid from another wallet than was meant", async () => {
    const reply = await pay({ source_account_id: "x" });
    expect([reply.statusCode, Object.keys(errorsOf(reply))]).toEqual([422, ["sourceAccountId"]]);
  });

  test("is refused where the handler checks the body, together with what else is wrong", async () => {
    const body = { firstName: "Ada", LastName: "Obi", phone: 1 };
    expect(errorsOf(await call("POST", "/loans/create", { body }))).toMatchObject({
      first_name: "must be spelled first_name, not firstName",
      last_name: "must be spelled last_name, not LastName",
      phone: "must be a string",
      bvn: "is required",
    });
  });

  test("is refused in every item of a list", async () => {
    const item = { accountNumber: "0690000032", bankCode: "044", amount: 100 };
    const transfers = Array.from({ length: 30 }, () => ({ ...item, reference: freshReference() }));
    const body = { batchReference: freshReference(), currency: "NGN", transfers };
    Object.assign(transfers[29] ?? {}, { source_account_id: "x" });
    Object.assign(transfers[28] ?? {}, { Narration: "x" });
    const reply = await call("POST", "/transfers/bulk", { body });
    expect(errorsOf(reply)).toEqual({ "transfers[28].narration": "must be spelled narration, not Narration" });
  });

  test("is refused in a query", async () => {
    const reply = await call("GET", "/transfers/name-enquiry?bank_code=044&accountNumber=0690000032");
    expect(errorsOf(reply)).toEqual({ bankCode: "must be spelled bankCode, not bank_code" });
  });

  test("is refused in LIVE too", async () => {
    const body = { amount: 1, tenure: 1, tenureType: "monthly" };
    const reply = await call("POST", "/loans/quote", { key: liveKey, body });
    expect(errorsOf(reply)).toMatchObject({ tenure_type: "must be spelled tenure_type, not tenureType" });
  });

  test("beside the right one is one more unknown field", async () => {
    expect((await pay({ account_number: "0690000032" })).statusCode).toBe(201);
  });

  test("is known to every body of the API", () => {
    const bodies = appRoutes(dependencies).flatMap(({ method, path, body }) =>
      body === undefined ? [] : [{ name: `${method} ${path}`, body }],
    );
    expect(bodies.length).toBeGreaterThan(100);
    const silent = bodies.flatMap(({ name, body }) => {
      const { findMisspelt } = compileNames(undefined, body);
      const told = (sent: object) => findMisspelt({ query: {}, body: sent }).map(({ field }) => field);
      const names = namesOf(body);
      const missed = names.filter((field) => told({ [inOtherCasing(field)]: 1 })[0] !== field);
      return names.length === 0 ? [`${name} has no names`] : missed.map((field) => `${name}: ${field}`);
    });
    expect(silent).toEqual([]);
  });
});

function namesOf(schema: TSchema): string[] {
  const { properties, anyOf } = schema as { readonly properties?: object; readonly anyOf?: readonly TSchema[] };
  return properties === undefined ? (anyOf ?? []).flatMap(namesOf) : Object.keys(properties);
}

function inOtherCasing(name: string): string {
  if (name.includes("_")) return name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return snake === name ? name.toUpperCase() : snake;
}
