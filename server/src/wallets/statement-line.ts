/** A line of a wallet's statement as the merchant sees it: in JSON, in CSV, and as what an event carries. */
import type { StatementLine } from "../ledger/statement.ts";
import type { StatementPart } from "../ledger/statement-file.ts";
import { negate } from "../money/arithmetic.ts";
import { type Kobo, kobo, nairaNumber, nairaString } from "../money/kobo.ts";
import { csvCell, csvRow, foreignText } from "../platform/http/csv.ts";

export function presentLine(line: StatementLine) {
  return {
    id: line.transactionId,
    accountId: line.accountId,
    type: line.kind,
    direction: directionOf(line),
    amount: nairaNumber(sizeOf(line)),
    balanceAfter: nairaNumber(line.balanceAfter),
    currency: "NGN" as const,
    narration: line.narration,
    resource: line.resource,
    createdAt: line.postedAt.toISOString(),
  };
}

export const csvHeader = csvRow([
  "id",
  "accountId",
  "type",
  "direction",
  "amount",
  "balanceAfter",
  "currency",
  "narration",
  "resourceType",
  "resourceId",
  "reference",
  "createdAt",
]);

/** Lines that PostgreSQL has written, with what strangers wrote in its place. */
export function csvOf({ pieces, cells }: StatementPart): string {
  const [text = ""] = pieces;
  return cells.reduce((made, cell, place) => made + csvCell(foreignText(cell)) + (pieces[place + 1] ?? ""), text);
}

/** One line as the file has it. */
export function csvLine(line: StatementLine): string {
  return csvRow([
    line.transactionId,
    line.accountId,
    line.kind,
    directionOf(line),
    nairaString(sizeOf(line)),
    nairaString(line.balanceAfter),
    "NGN",
    foreignText(line.narration ?? ""),
    line.resource.type,
    line.resource.id,
    foreignText(line.resource.reference ?? ""),
    line.postedAt.toISOString(),
  ]);
}

function directionOf({ amount }: StatementLine): "debit" | "credit" {
  return amount < 0n ? "debit" : "credit";
}

function sizeOf({ amount }: StatementLine): Kobo {
  return amount < 0n ? negate(amount) : amount;
}

/** What the documents show. */
export const exampleLine: StatementLine = {
  transactionId: "01932c61-2b3c-7d4e-8f50-617283940a5b",
  accountId: "01932c60-1d2e-7a3b-8c4d-5e6f70819203",
  kind: "wallet.credited",
  amount: kobo(1_250_000n),
  balanceAfter: kobo(3_750_050n),
  narration: "Transfer from Ada Obi",
  resource: { type: "wallet_movement", id: "01932c61-2b3c-7d4e-8f50-617283940a5b", reference: null },
  postedAt: new Date("2026-11-03T09:15:00.000Z"),
  number: 12n,
};
