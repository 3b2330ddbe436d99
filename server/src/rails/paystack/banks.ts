/**
 * Paystack's codes of the banks. We know a bank by its code at the interbank switch; Paystack has codes of its own and
 * tells the switch's on request. The list is read when it is first needed and kept in memory.
 */
import type { Hold } from "../answer.ts";
import { findBank, listBanks } from "../bank-directory.ts";
import { recordAt, textOf, type WireRecord } from "../wire-json.ts";
import { listBanks as askForBanks, type PaystackClient } from "./client.ts";
import { isPage } from "./page.ts";
import { holdIn } from "./refusal.ts";

/** Paystack's code by the switch's. */
export type BankCodes = ReadonlyMap<string, string>;

export type BankList =
  | { readonly isRead: true; readonly codes: BankCodes }
  | { readonly isRead: false; readonly hold?: Hold };

export interface PaystackBanks {
  read(): Promise<BankList>;
  /** Reads the list again, whether it is in memory or not. */
  readAgain(): Promise<BankList>;
}

export function createPaystackBanks(client: PaystackClient): PaystackBanks {
  let known: BankList | undefined;
  let reading: Promise<BankList> | undefined;
  const readAgain = async (): Promise<BankList> => {
    reading ??= readAll(client).finally(() => {
      reading = undefined;
    });
    const list = await reading;
    // A list that could not be read again does not take the place of the one before.
    if (list.isRead) known = list;
    return list;
  };
  return { read: async () => known ?? (await readAgain()), readAgain };
}

const mostPages = 50;

async function readAll(client: PaystackClient): Promise<BankList> {
  const rows: WireRecord[] = [];
  let next: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const reply = await askForBanks(client, next);
    if (!isPage(reply)) return unread(holdIn(reply));
    rows.push(...reply.body.data.map((row) => recordAt(row)));
    next = textOf(recordAt(reply.body, "meta").next);
    // One of Paystack's samples ends with the word.
    if (next === undefined || next === "null") return { isRead: true, codes: codesIn(rows) };
  }
  return unread(undefined);
}

function unread(hold: Hold | undefined): BankList {
  return { isRead: false, ...(hold === undefined ? {} : { hold }) };
}

/**
 * A bank goes by the switch's code that Paystack gives it. Where Paystack gives none, its own code must be the one that
 * our directory has for the bank. A bank about which the two disagree, or which two rows claim, is left out.
 */
function codesIn(rows: readonly WireRecord[]): BankCodes {
  const codes = new Map<string, string>();
  const claimedTwice = new Set<string>();
  for (const row of rows) {
    const code = textOf(row.code);
    const isOpen = row.active !== false && row.is_deleted !== true && (row.currency ?? "NGN") === "NGN";
    const nipCode = code === undefined ? undefined : nipCodeOf(row, code);
    if (code === undefined || nipCode === undefined || !isOpen) continue;
    if (codes.has(nipCode) && codes.get(nipCode) !== code) claimedTwice.add(nipCode);
    codes.set(nipCode, code);
  }
  for (const nipCode of claimedTwice) codes.delete(nipCode);
  return codes;
}

function nipCodeOf(row: WireRecord, code: string): string | undefined {
  const told = textOf(row.nip_sort_code);
  const ours = findBank(code, "LIVE");
  const inDirectory = ours?.code === code ? ours.nipCode : undefined;
  if (told === undefined || !/^\d{6}$/.test(told)) return inDirectory;
  return inDirectory === undefined || inDirectory === told ? told : undefined;
}

/** The banks of our directory that Paystack does not reach. */
export function unreachedBanks(codes: BankCodes): string[] {
  return listBanks("LIVE")
    .filter(({ nipCode }) => !codes.has(nipCode))
    .map(({ name }) => name);
}
