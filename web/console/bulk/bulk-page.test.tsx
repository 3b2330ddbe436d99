/** From a file to a batch: what is brought, which column is which, and what is sent in the end. */
import { expect, test } from "vitest";
import { button, describedBy, field, press, settle, shown, type } from "../../testing/draw.tsx";
import { type Asked, held, refuse, replyWith } from "../../testing/replies.ts";
import { door, drawInConsole } from "../testing/in-console.tsx";
import { savedFiles } from "../testing/lists.ts";
import { BulkPage } from "./bulk-page.tsx";

const calm = {
  [`GET ${door}/transfers/name-enquiry`]: () => ({ accountName: "ADA OBI", bankName: "GTBank", nameMatches: null }),
  [`POST ${door}/transfers/bulk/review`]: () => ({
    reference: "abc123",
    payableCount: 1,
    totalAmount: 2_500.5,
    totalFee: 10.75,
    totalDebit: 2_511.25,
    available: 1_000_000,
    availableAfter: 997_488.75,
    rejected: [],
    repeated: null,
  }),
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

test("at first the page names the columns and gives templates", async () => {
  const files = savedFiles();
  await open();
  expect(shown()).toContain("Required columns: account number, bank code, amount.");
  expect(document.querySelector("input[type=file]")?.getAttribute("accept")).toContain(".xlsx");
  await press("Excel template");
  await press("CSV template");
  expect([...files.keys()]).toEqual(["bulk-payout.xlsx", "bulk-payout.csv"]);
});

test("a file with usual titles is checked at once", async () => {
  await open();
  await bring("may.csv", file);
  await expect.poll(shown).toContain("1 ready");
});

test("a file that is dropped is taken like one that is chosen", async () => {
  await open();
  const zone = document.querySelector("label");
  const event = new Event("drop", { bubbles: true, cancelable: true });
  Object.defineProperty(event, "dataTransfer", { value: { files: [new File([file], "may.csv")] } });
  await settle(() => zone?.dispatchEvent(event));
  await expect.poll(shown).toContain("1 ready");
});

test("strange titles are told apart by the person, and nothing goes on before what is needed is told", async () => {
  await open();
  await bring("staff.csv", "who,how much,where,what\n0123456789,2500,058,Ada\n");
  expect(describedBy(field("Account number"))).toBe("Required.");
  expect(describedBy(field("Narration"))).toBe("Optional.");
  expect(button("Check 1 rows")).toHaveProperty("disabled", true);
  await type("Account number", "0");
  await type("Amount", "1");
  expect(button("Check 1 rows")).toHaveProperty("disabled", true);
  await type("Bank code", "2");
  expect(button("Check 1 rows")).toHaveProperty("disabled", false);
  await press("Check 1 rows");
  await expect.poll(shown).toContain("1 ready");
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
  await expect.poll(shown).toContain("1 ready");
});

test("exactly a thousand rows are taken", async () => {
  await open({ [`GET ${door}/transfers/name-enquiry`]: () => held().reply });
  await bring("may.csv", `account,bank,sum\n${"0123456789,058,1\n".repeat(1_000)}`);
  expect(button("Check 1000 rows")).toBeDefined();
});

test("what only calls itself a spreadsheet is refused with a way out", async () => {
  await open();
  await bring("staff.xlsx", "no spreadsheet");
  await expect.poll(mistake).toBe("The spreadsheet cannot be read. Save it as CSV, and bring that.");
});

test("whoever wants another file begins again, and nothing of the first is left", async () => {
  const { asked } = await open();
  await bring("may.csv", file);
  await expect.poll(shown).toContain("1 ready");
  await press("Another file");
  expect(document.querySelector("input[type=file]")).not.toBeNull();
  expect(shown()).not.toContain("may-1 ");
  expect(asked.some(({ method, path }) => method === "POST" && path.endsWith("/bulk"))).toBe(false);
});

test("a batch above what one person may pay is asked of a second person", async () => {
  const { asked, place } = await open({
    [`POST ${door}/transfers/bulk`]: ({ path }: Asked) =>
      path.endsWith("/bulk") && refuse(403, "approval_needed", { data: { limit: 1_000, spent: 0 } }),
    [`POST ${door}/approvals`]: () => ({ id: "a-1" }),
  });
  await bring("Staff of May (final).csv", file);
  await expect.poll(() => (button("Review and pay 1 of 1") as HTMLButtonElement).disabled).toBe(false);
  await press("Review and pay 1 of 1");
  await press("Pay ₦2,500.50");
  await expect.poll(shown).toContain("This needs a second person.");
  await press("Ask for approval");
  await expect.poll(place).toBe("/env-1/approvals/a-1");
  const posts = asked.filter(({ method, path }) => method === "POST" && !path.endsWith("/review"));
  const [order, question] = posts;
  expect(order?.body).toMatchObject({
    batchReference: "Staff-of-May-final-abc123",
    transfers: [{ reference: "may-1" }],
  });
  expect(question?.body).toEqual({ batch: order?.body });
});

test("a mistake names the line that its person finds in the file, empty lines counted", async () => {
  await open();
  await bring("may.csv", "account,bank,amount\n\n0123456789,058,1\n,,\n0123456789,058,nothing\n");
  await expect.poll(shown).toContain("1 to correct, 1 ready");
  const rows = [...document.querySelectorAll("li")].map((row) => row.textContent ?? "");
  expect(rows.map((row) => /Line \d+/.exec(row)?.[0])).toEqual(["Line 5", "Line 3"]);
});
