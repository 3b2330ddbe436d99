/**
 * A provider's codes of the banks. We know a bank by its code at the interbank switch (NIP); a provider has codes of
 * its own, and some tell the switch's, too. The list is read when it is first needed and kept in memory.
 */
import type { Hold, Unknown } from "./answer.ts";
import { findBank, listBanks } from "./bank-directory.ts";
import type { ConnectionCheck } from "./provider.ts";

/** The provider's code by the switch's. */
export type BankCodes = ReadonlyMap<string, string>;

export type BankList =
  | { readonly isRead: true; readonly codes: BankCodes }
  | { readonly isRead: false; readonly hold?: Hold };

export interface ProviderBanks {
  read(): Promise<BankList>;
  /** Reads the list again, whether it is in memory or not. */
  readAgain(): Promise<BankList>;
}

export function rememberBanks(readAll: () => Promise<BankList>): ProviderBanks {
  let known: BankList | undefined;
  let reading: Promise<BankList> | undefined;
  const readAgain = async (): Promise<BankList> => {
    reading ??= readAll().finally(() => {
      reading = undefined;
    });
    const list = await reading;
    // A list that could not be read again does not take the place of the one before.
    if (list.isRead) known = list;
    return list;
  };
  return { read: async () => known ?? (await readAgain()), readAgain };
}

export function unreadBanks(hold: Hold | undefined): BankList {
  return { isRead: false, ...(hold === undefined ? {} : { hold }) };
}

/** A bank as a provider lists it. */
export interface ListedBank {
  readonly code: string;
  /** What the provider says of the switch's code. */
  readonly nipCode: string | undefined;
}

/**
 * A bank goes by the switch's code that the provider gives it. Where it gives none, its own code must be the one that
 * our directory has for the bank. A bank about which the two disagree, or which two rows claim, is left out: money sent
 * to the wrong bank is gone.
 */
export function bankCodesIn(rows: readonly ListedBank[]): BankCodes {
  const codes = new Map<string, string>();
  const claimedTwice = new Set<string>();
  for (const row of rows) {
    const nipCode = nipCodeOf(row);
    if (nipCode === undefined) continue;
    if (codes.has(nipCode) && codes.get(nipCode) !== row.code) claimedTwice.add(nipCode);
    codes.set(nipCode, row.code);
  }
  for (const nipCode of claimedTwice) codes.delete(nipCode);
  return codes;
}

function nipCodeOf({ code, nipCode }: ListedBank): string | undefined {
  const inDirectory = findBank(code, "LIVE")?.nipCode;
  if (nipCode === undefined || !/^\d{6}$/.test(nipCode)) return inDirectory;
  return inDirectory === undefined || inDirectory === nipCode ? nipCode : undefined;
}

export type BankCode =
  | { readonly code: string }
  /** `unsent` is the answer to an order for the bank, `held` what a question about an account adds to its answer. */
  | { readonly code: null; readonly held: { readonly hold?: Hold }; readonly unsent: Unknown };

export async function codeOfBank(banks: ProviderBanks, nipCode: string): Promise<BankCode> {
  const list = await banks.read();
  if (!list.isRead) {
    const held = list.hold === undefined ? {} : { hold: list.hold };
    return { code: null, held, unsent: { outcome: "unknown", code: "banks_not_read", ...held } };
  }
  const code = list.codes.get(nipCode);
  if (code !== undefined) return { code };
  const alarm = `The provider has no bank with the NIP code ${nipCode}`;
  return { code: null, held: {}, unsent: { outcome: "unknown", code: "bank_not_reached", alarm } };
}

/** The bank at the switch that a code of the provider's means; undefined where its list does not tell. */
export async function nipCodeOfBank(banks: ProviderBanks, code: string): Promise<string | undefined> {
  const list = await banks.read();
  return list.isRead ? [...list.codes].find(([, own]) => own === code)?.[0] : undefined;
}

export async function checkBanks(banks: ProviderBanks): Promise<ConnectionCheck> {
  const name = "banks";
  const list = await banks.readAgain();
  if (!list.isRead) return { name, result: "failed", message: "The list of banks could not be read; try again." };
  const missing = listBanks("LIVE").filter(({ nipCode }) => !list.codes.has(nipCode));
  if (missing.length === 0) return { name, result: "ok", message: "The provider reaches every bank of ours." };
  const names = missing.map((bank) => bank.name).join(", ");
  return { name, result: "warning", message: `Payouts to these banks wait or go by another connection: ${names}.` };
}
