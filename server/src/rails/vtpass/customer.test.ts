import { expect, test } from "vitest";
import type { WireReply } from "../provider-client.ts";
import { classifyCustomer } from "./biller.ts";

const answer = (body: unknown, status = 200): WireReply => ({ kind: "answer", status, body, headers: {} });
const content = { Customer_Name: "ADA OBI", Address: "5 Allen Avenue", WrongBillersCode: false };

test.each([
  ["a customer", { code: "000", content }, "yes"],
  [
    "a wrong number, under 000",
    { code: "000", content: { error: "This meter is not correct. Please check and try again" } },
    "no",
  ],
  ["a wrong number with a name", { code: "000", content: { ...content, WrongBillersCode: true } }, "no"],
  [
    "a provider that is down, under 000",
    { code: "000", content: { error: "Service temporarily unavailable" } },
    "unavailable",
  ],
  ["no name", { code: "000", content: { ...content, Customer_Name: "" } }, "unavailable"],
  ["a filler for a name", { code: "000", content: { ...content, Customer_Name: "N/A" } }, "unavailable"],
  ["wrong arguments", { code: "011", content: [] }, "no"],
  ["no such product", { code: "012" }, "no"],
  ["a provider that cannot be reached", { code: "030" }, "unavailable"],
  ["an unknown code", { code: "0ZZ", content }, "unavailable"],
  ["no code", { content }, "unavailable"],
  ["nothing", undefined, "unavailable"],
])("%s", (_, body, found) => {
  expect(classifyCustomer(answer(body), "electricity").found).toBe(found);
});

test("an error of the server is not about the customer", () => {
  expect(classifyCustomer(answer({ code: "011" }, 500), "tv")).toEqual({ found: "unavailable" });
  expect(classifyCustomer({ kind: "no_answer", why: "x" }, "tv")).toEqual({ found: "unavailable" });
});

test.each([
  ["dstv-padi", "2026-12-01T00:00:00", { packageCode: "dstv-padi", dueDate: "2026-12-01" }],
  ["DSTV79", "2026-12-01", { packageCode: "dstv79", dueDate: "2026-12-01" }],
  ["dstv79, extraview-access", "2026-12-01", null],
  ["N/A", "2026-12-01", null],
  [undefined, "2026-12-01", null],
  ["dstv-padi", "November 24th, 2026", null],
])("the package %s that ends on %s", (Current_Bouquet_Code, Due_Date, subscription) => {
  const body = { code: "000", content: { ...content, Current_Bouquet_Code, Due_Date } };
  expect(classifyCustomer(answer(body), "tv")).toEqual({
    found: "yes",
    customer: { name: "ADA OBI", address: "5 Allen Avenue", subscription, renewalAmount: null },
  });
  expect(classifyCustomer(answer(body), "electricity")).toMatchObject({ customer: { subscription: null } });
});

test.each([
  [4400, 440_000n],
  ["4400.50", 440_050n],
  ["4,400", 440_000n],
  ["N/A", null],
  ["", null],
  [0, null],
  [-1, null],
  ["4400.505", null],
  [undefined, null],
])("the renewal amount %j, whatever runs on the card", (Renewal_Amount, renewalAmount) => {
  const body = {
    code: "000",
    content: { ...content, Current_Bouquet_Code: "dstv79, extraview-access", Renewal_Amount },
  };
  expect(classifyCustomer(answer(body), "tv")).toMatchObject({ customer: { subscription: null, renewalAmount } });
  expect(classifyCustomer(answer(body), "electricity")).toMatchObject({ customer: { renewalAmount: null } });
});
