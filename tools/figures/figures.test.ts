import { join } from "node:path";
import { expect, test } from "vitest";
import { figureTable, measure } from "./measure.ts";
import { readRevision } from "./source-tree.ts";

const sqlFunction = (name: string) => `
CREATE OR REPLACE FUNCTION public.${name}(at_most integer)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
begin
  return 1;
end
$function$;
`;

const schema = `
create table accounts (
  id uuid not null
);
${["claim_bills", "claim_transfers", "ledger_post", "ledger_post"].map(sqlFunction).join("")}
CREATE OR REPLACE FUNCTION public.minute_of(moment timestamptz)
 RETURNS integer
RETURN 1;
`;

const files: Readonly<Record<string, string>> = {
  "server/schema.sql": schema,
  "server/migrations/0001-tenancy.sql": "select 1;\nselect 2;\n",
  "server/src/main.ts": 'import { take } from "./platform/work/take.ts";\ntake();\n',
  "server/src/platform/work/take.ts": "export function take() {}\n",
  "server/src/platform/work/idle.ts": "export const idle = 1;\n",
  "server/src/rails/bank.ts": 'import "./paystack/pay.ts";\nimport "../platform/work/take.ts";\n',
  "server/src/rails/paystack/pay.ts": "export const pay = 1;\n",
  "server/src/transfers/routes.ts":
    'import type { Bank } from "../rails/bank.ts";\n  method: "POST",\n  path: "/transfers",\n',
  "server/src/transfers/send-transfers.job.ts": "x();\n",
  "server/src/transfers/payouts/transfer-store.ts": [
    "/** Payouts. */",
    'import { a } from "a";',
    "export function createTransfer() {",
    "  const transferId = one();",
    "  return sessionId;",
    "}",
  ].join("\n"),
  "server/src/bills/bill-store.ts": [
    "export function createBill() {",
    "  return requestId;",
    "",
    "  // The end.",
    "}",
  ].join("\n"),
  "server/src/bills/bill.test.ts": "left out\n",
  "server/src/bills/words.gen.ts": "left out\n",
};

test("each figure counts what its name says, without tests and generated files", () => {
  const figures = measure(new Map(Object.entries(files)));
  expect(Object.fromEntries(figures.map(({ name, value }) => [name, value]))).toEqual({
    migrations: 1,
    "migrations, lines": 2,
    "SQL functions": 5,
    "SQL functions, lines": 4 * 8 + 3,
    "SQL functions, one for each table of orders": 2,
    "SQL functions, one for each table of orders, lines": 16,
    "source files of server/src": 9,
    "source files, under 20 lines": 9,
    "source files, imported by one other": 2,
    "source files, directly in server/src": 1,
    "source lines of server/src": 22,
    "files behind POST /transfers and its worker": 4,
    "files behind POST /transfers and its worker, lines": 7,
    "twins transfers ~ bills, equal lines": 3,
    "twins transfers ~ bills, share": 75,
  });
});

test("a commit is read as it was", () => {
  const tree = readRevision(join(import.meta.dirname, "..", ".."), "HEAD");
  expect(tree.get("server/src/main.ts")).toContain("import");
  expect([...tree.keys()]).toContain("server/schema.sql");
});

test("commits stand side by side", () => {
  const column = (title: string, value: number) => ({ title, figures: [{ name: "files", value }] });
  expect(figureTable([column("before", 1_234), column("here", 7)])).toBe(
    ["| figure | before | here |", "| ------ | -----: | ---: |", "| files  |  1,234 |    7 |"].join("\n"),
  );
});
