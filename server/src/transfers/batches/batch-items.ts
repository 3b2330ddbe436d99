/**
 * The items of a bulk request, each judged on its own: an item that cannot be paid does not have to spoil the others.
 * Nothing here looks at the database; references taken by earlier transfers show when they are claimed.
 */

import { type Static, Type } from "typebox";
import { type Kobo, nairaFromNumber, nairaNumber } from "../../money/kobo.ts";
import type { EnvironmentKind } from "../../platform/database/database.ts";
import { named } from "../../platform/http/named-schema.ts";
import { compileFind } from "../../platform/http/request/validation.ts";
import { commonProblem, type FieldError, Problem } from "../../platform/problem.ts";
import { findBank } from "../../rails/bank-directory.ts";
import type { NubanCheck } from "../../rails/nuban.ts";
import { AccountName, AccountNumber, Amount, BankCode, Narration, Reference } from "../payouts/fields.ts";
import { checkNuban, checkPayout, payoutRules, requireBank } from "../payouts/payout-rules.ts";
import { type ItemRecipient, nobodyNamed, type RejectedItem } from "./batch.ts";
import { batchProblem } from "./errors.ts";

export const batchItemInput = named(
  "NewBulkTransferItem",
  Type.Object({
    accountNumber: AccountNumber,
    bankCode: BankCode,
    amount: Amount,
    narration: Type.Optional(Narration),
    reference: Reference,
    accountName: Type.Optional(AccountName),
  }),
);

export interface PayableItem {
  /** Its place in the request, from 0. */
  readonly index: number;
  readonly reference: string;
  readonly accountNumber: string;
  /** The CBN code. */
  readonly bankCode: string;
  readonly amount: Kobo;
  readonly narration: string | null;
  readonly expectedName: string | null;
}

export interface UnpayableItem {
  readonly index: number;
  readonly reference: string;
  readonly problem: Problem;
  readonly recipient: ItemRecipient;
}

export interface JudgedItems {
  readonly payable: readonly PayableItem[];
  readonly unpayable: readonly UnpayableItem[];
}

const findMistakes = compileFind(batchItemInput, "body");

/** Throws validation_failed with every bad field, also those that only have the right form. */
function checkShape(item: unknown, kind: EnvironmentKind): void {
  const found = findMistakes(item);
  if (found.length === 0) return;
  const told = new Set(found.map(({ field }) => field));
  const broken = payoutRules(Object(item), kind).filter(({ field }) => !told.has(field));
  throw commonProblem("validation_failed", { errors: [...found, ...broken] });
}

/** What all items of a batch are judged by, and what they share. */
export interface BatchRules {
  readonly kind: EnvironmentKind;
  readonly nubanCheck: NubanCheck;
  /** For items that have none of their own. */
  readonly narration: string | null;
}

export function judgeItems(items: readonly unknown[], rules: BatchRules): JudgedItems {
  const payable: PayableItem[] = [];
  const unpayable: UnpayableItem[] = [];
  const firstWith = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    try {
      const judged = judgeItem(item, index, rules);
      refuseRepeated(judged, firstWith);
      payable.push(judged);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      unpayable.push({ index, reference: referenceOf(item), problem: error, recipient: recipientOf(item) });
    }
  }
  return { payable, unpayable };
}

function judgeItem(item: unknown, index: number, rules: BatchRules): PayableItem {
  const { kind, nubanCheck } = rules;
  checkShape(item, kind);
  const read = readItem(item as Static<typeof batchItemInput>, index, rules);
  checkPayout(read, kind);
  checkNuban(nubanCheck, requireBank(read.bankCode, kind), read.accountNumber);
  return read;
}

/** An item that has passed its schema, whatever the rules say about it. */
export function readItem(
  item: Static<typeof batchItemInput>,
  index: number,
  { kind, narration }: Pick<BatchRules, "kind" | "narration">,
): PayableItem {
  const amount = nairaFromNumber(item.amount);
  if (amount === undefined) throw new Error("an amount passed its schema but is not one");
  return {
    index,
    reference: item.reference,
    accountNumber: item.accountNumber,
    bankCode: findBank(item.bankCode, kind)?.code ?? item.bankCode,
    amount,
    narration: item.narration ?? narration,
    expectedName: item.accountName ?? null,
  };
}

function refuseRepeated({ reference, index }: PayableItem, firstWith: Map<string, number>): void {
  const first = firstWith.get(reference);
  if (first === undefined) firstWith.set(reference, index);
  else throw batchProblem("duplicate_reference", { data: { firstIndex: first } });
}

function referenceOf(item: unknown): string {
  const reference = typeof item === "object" && item !== null && "reference" in item ? item.reference : "";
  return typeof reference === "string" ? reference.slice(0, 100) : "";
}

const longestShown = 200;

/** Whom an item names, as far as it does: it may have any shape. */
export function recipientOf(item: unknown): ItemRecipient {
  if (typeof item !== "object" || item === null) return nobodyNamed;
  const fields: Readonly<Record<string, unknown>> = { ...item };
  const text = (value: unknown) => (typeof value === "string" && value !== "" ? value.slice(0, longestShown) : null);
  const { amount } = fields;
  return {
    accountNumber: text(fields["accountNumber"]),
    accountName: text(fields["accountName"]),
    bankCode: text(fields["bankCode"]),
    amount: typeof amount === "number" && nairaFromNumber(amount) !== undefined ? amount : null,
  };
}

/** A payable item's, in the same words. */
export function recipientOfPayable(item: PayableItem): ItemRecipient {
  const { accountNumber, bankCode, expectedName, amount } = item;
  return { accountNumber, bankCode, accountName: expectedName, amount: nairaNumber(amount) };
}

const fieldOfCode: Readonly<Record<string, string>> = { account_number_invalid: "accountNumber" };

const mostReported = 100;

/** The refusal of a whole batch: names each bad field of each bad item, as far as a reply can. */
export function refuseBatch(unpayable: readonly UnpayableItem[]): Problem {
  const errors = unpayable.flatMap(errorsOf).slice(0, mostReported);
  const data = {
    rejectedCount: unpayable.length,
    rejected: unpayable.slice(0, mostReported).map(rejectedItem),
  };
  const misshapen = unpayable.some(({ problem }) => problem.code === "validation_failed");
  const detail = { errors, data };
  return misshapen ? commonProblem("validation_failed", detail) : batchProblem("batch_refused", detail);
}

/** What the merchant is told about an item; a list of fields does not fit there, so a sentence names them. */
export function rejectedItem({ index, reference, problem }: UnpayableItem): RejectedItem {
  const { code, errors } = problem;
  const sentence = errors.map(({ field, message }) => `${field} ${message}`).join("; ");
  return { index, reference, code, message: errors.length === 0 ? problem.message : sentence };
}

function errorsOf({ index, problem }: UnpayableItem): FieldError[] {
  const place = `transfers[${index}]`;
  if (problem.errors.length === 0) {
    return [{ field: `${place}.${fieldOfCode[problem.code] ?? "reference"}`, message: problem.message }];
  }
  return problem.errors.map(({ field, message }) => ({ field: `${place}.${field}`, message }));
}
