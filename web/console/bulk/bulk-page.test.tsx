/** From a file to a batch: what is brought, which column is which, and what is sent in the end. */
import { expect, test } from "vitest";
import { button, describedBy, field, press, settle, shown, type } from "../../testing/draw.tsx";
import { type Asked, refuse, replyWith } from "../../testing/replies.ts";
import { door, drawInConsole } from "../testing/in-console.tsx";
import { BulkPage } from "./bulk-page.tsx";
import { sampleSpreadsheet } from "./sample-spreadsheet.ts";

const calm = {
  [`GET ${door}/transfers/name-enquiry`]: () => ({ accountName: "ADA OBI" }),
  [`GET ${door}/wallets/balance`]: () => ({ available: 1_000_000 }),
};

async function open(replies: Readonly<Record<string, (asked: Asked) => unknown>> = {}) {
  const asked = replyWith({ ...calm, ...replies });
  const place = await drawInConsole(<BulkPage />);
  return { asked, place };
}

async function bring(name: string, content: BlobPart) {
  const input = document.querySelector<HTMLInputElement>("input[type=file]");
  if (input === null) throw new Error("nothing can be brought here");
  const file = new File([content], name);
  Object.defineProperty(input, "files", { value: [file], configurable: true });
  await settle(() => input.dispatchEvent(new Event("change", { bubbles: true })));
  await settle();
}
const mistake = () => document.querySelector("[role=alert]")?.textContent;

const file = "Account number,Bank code,Amount,Reference,Narration\n0123456789,058,2500.50,may-1,Salary\n";

test("at first the page shows how a file looks", async () => {
  await open();
  expect(shown()).toContain("account number,bank code,amount,reference,narration");
  expect(document.querySelector("input[type=file]")?.getAttribute("accept")).toContain(".xlsx");
});

test("columns with usual titles are known at once, with an example of each", async () => {
  await open();
  await bring("may.csv", file);
  expect(shown()).toContain("Which column is which?");
  expect(field("Account number").value).toBe("0");
  expect(describedBy(field("Amount"))).toBe("Such as 2500.50");
  expect(button("Check 1 rows")).toHaveProperty("disabled", false);
});

test("strange titles are told apart by the person, and nothing goes on before what is needed is told", async () => {
  await open();
  await bring("staff.csv", "who,how much,where,what\n0123456789,2500,058,Ada\n");
  expect(describedBy(field("Account number"))).toBe("Needed.");
  expect(describedBy(field("Narration"))).toBe("May be left out.");
  expect(button("Check 1 rows")).toHaveProperty("disabled", true);
  await type("Account number", "0");
  await type("Amount", "1");
  expect(button("Check 1 rows")).toHaveProperty("disabled", true);
  await type("Bank code", "2");
  expect(button("Check 1 rows")).toHaveProperty("disabled", false);
  await type("Bank code", "");
  expect(button("Check 1 rows")).toHaveProperty("disabled", true);
});

test("the whole way: the batch is named after its file and sent once", async () => {
  const { asked, place } = await open({ [`POST ${door}/transfers/bulk`]: () => ({ batchId: "b-1" }) });
  await bring("Staff of May (final).csv", file);
  await press("Check 1 rows");
  await expect.poll(shown).toContain("Everything was checked");
  await press("Pay ₦2,500.50 to 1 of 1");
  await expect.poll(place).toBe("/env-1/bulk/b-1");
  const [order] = asked.filter(({ method }) => method === "POST");
  expect(order?.body).toEqual({
    batchReference: expect.stringMatching(/^Staff-of-May-final--[0-9a-f]{8}$/),
    currency: "NGN",
    transfers: [
      {
        accountNumber: "0123456789",
        bankCode: "058",
        amount: 2_500.5,
        reference: "may-1",
        narration: "Salary",
        accountName: "ADA OBI",
      },
    ],
  });
});

test("rows without a reference get one of the batch's, so that a second press pays nobody twice", async () => {
  const { asked } = await open({ [`POST ${door}/transfers/bulk`]: () => refuse(503, "unavailable") });
  await bring("may.csv", "account,bank,amount\n0123456789,058,1\n0123456780,058,2\n");
  await press("Check 2 rows");
  await expect.poll(shown).toContain("Everything was checked");
  await press("Pay ₦3.00 to 2 of 2");
  await press("Pay ₦3.00 to 2 of 2");
  const orders = asked.filter(({ method }) => method === "POST");
  expect(orders).toHaveLength(2);
  expect(orders[1]?.body).toEqual(orders[0]?.body);
  expect(orders[1]?.headers["idempotency-key"]).toBe(orders[0]?.headers["idempotency-key"]);
  const batch = orders[0]?.headers["idempotency-key"];
  expect(orders[0]?.body).toMatchObject({
    batchReference: batch,
    transfers: [{ reference: `${batch}-1` }, { reference: `${batch}-2` }],
  });
});

test.each([
  ["an empty file", "", "The file has no rows below its titles."],
  ["titles alone", "account,bank,amount\n", "The file has no rows below its titles."],
  ["more rows than a batch takes", `a\n${"1\n".repeat(1_001)}`, "The file has more than 1000 rows. Divide it."],
])("%s is refused in a sentence, and another file can be brought", async (_case, content, words) => {
  await open();
  await bring("may.csv", content);
  expect(mistake()).toBe(words);
  await bring("may.csv", file);
  expect(mistake()).toBeUndefined();
  expect(shown()).toContain("Which column is which?");
});

test("exactly a thousand rows are taken", async () => {
  await open();
  await bring("may.csv", `account,bank,amount\n${"0123456789,058,1\n".repeat(1_000)}`);
  expect(button("Check 1000 rows")).toBeDefined();
});

test("a spreadsheet is read like a file of text", async () => {
  await open();
  await bring("staff.xlsx", sampleSpreadsheet);
  await expect.poll(shown).toContain("Which column is which?");
});

test("what only calls itself a spreadsheet is refused with a way out", async () => {
  await open();
  await bring("staff.xlsx", "no spreadsheet");
  await expect.poll(mistake).toBe("The spreadsheet cannot be read. Save it as CSV, and bring that.");
});

test("whoever wants another file begins again, and nothing of the first is left", async () => {
  const { asked } = await open();
  await bring("may.csv", file);
  await press("Check 1 rows");
  await expect.poll(shown).toContain("Everything was checked");
  await press("Another file");
  expect(document.querySelector("input[type=file]")).not.toBeNull();
  expect(shown()).not.toContain("may-1 ");
  expect(asked.some(({ method }) => method === "POST")).toBe(false);
});

test("a batch above what one person may pay is asked of a second person", async () => {
  const { asked, place } = await open({
    [`POST ${door}/transfers/bulk`]: () => refuse(403, "approval_needed", { data: { limit: 1_000, spent: 0 } }),
    [`POST ${door}/approvals`]: () => ({ id: "a-1" }),
  });
  await bring("may.csv", file);
  await press("Check 1 rows");
  await expect.poll(shown).toContain("Everything was checked");
  await press("Pay ₦2,500.50 to 1 of 1");
  await expect.poll(shown).toContain("This needs a second person.");
  await press("Ask for approval");
  await expect.poll(place).toBe("/env-1/approvals/a-1");
  const [order, question] = asked.filter(({ method }) => method === "POST");
  expect(question?.body).toEqual({ batch: order?.body });
});

test("a mistake names the line that its person finds in the file, empty lines counted", async () => {
  await open();
  await bring("may.csv", "account,bank,amount\n\n0123456789,058,1\n,,\n0123456789,058,nothing\n");
  await press("Check 2 rows");
  await expect.poll(shown).toContain("Everything was checked");
  const rows = [...document.querySelectorAll("li")].map((row) => row.textContent ?? "");
  expect(rows.map((row) => /Line \d+/.exec(row)?.[0])).toEqual(["Line 3", "Line 5"]);
  expect(rows[1]).toContain("The amount is no naira with at most two decimals.");
});
