/** Opening wallets: the main one with its environment, sub-accounts when the merchant asks. */

import { createHash } from "node:crypto";
import { openFloorAccounts } from "../ledger/open-accounts.ts";
import type { EnvironmentScope, Tx } from "../platform/database/database.ts";
import { commonProblem } from "../platform/problem.ts";
import { takePositions } from "../platform/records/pagination.ts";
import { claimReferences } from "../platform/records/reference-claims.ts";
import { schedule } from "../platform/work/agenda.ts";
import { openAccountTask, type VirtualAccount } from "./virtual-account.ts";
import { findVirtualAccount, insertVirtualAccount } from "./virtual-account-store.ts";
import { mainWalletId, type ProvidedAccount, subAccountList, type Wallet } from "./wallet.ts";
import { findWallet, insertWallet } from "./wallet-store.ts";

const numberAttempts = 20;

/** Gives a new environment its main wallet. Repeating it changes nothing. */
export async function openWallets(tx: Tx): Promise<void> {
  const id = mainWalletId(tx.environment.id);
  if ((await findWallet(tx, id)) !== undefined) return;
  await open(tx, { id, isMain: true, accountName: "Main wallet", externalId: null, provided: null }, null);
}

export interface OpenSubAccount {
  readonly accountName: string;
  /** The merchant's own name for it, used once in the environment. */
  readonly externalId: string | null;
}

/** Opens a sub-account, or finds the one that the external id stands for already. */
export async function openSubAccount(
  tx: Tx,
  { accountName, externalId }: OpenSubAccount,
): Promise<{ wallet: Wallet; replayed: boolean }> {
  const id = tx.environment.clock.newId();
  if (externalId !== null) {
    const [holder] = await claimReferences(tx, subAccountList, [{ references: [externalId], recordId: id }]);
    const earlier = holder == null ? undefined : await findWallet(tx, holder);
    if (earlier !== undefined) return replay(earlier, accountName);
  }
  const position = await takePositions(tx, subAccountList, 1);
  const wallet = await open(tx, { id, isMain: false, accountName, externalId, provided: null }, position);
  return { wallet, replayed: false };
}

function replay<Known extends { readonly accountName: string }>(wallet: Known, accountName: string) {
  if (wallet.accountName === accountName) return { wallet, replayed: true };
  throw commonProblem("reference_conflict", { data: { fields: ["accountName"] } });
}

export type OrderedSubAccount = { readonly wallet: Wallet } | { readonly order: VirtualAccount };

/** Orders a sub-account of a provider, or finds the one that the external id stands for already. */
export async function orderSubAccount(
  tx: Tx,
  { accountName, externalId }: OpenSubAccount,
): Promise<OrderedSubAccount & { readonly replayed: boolean }> {
  const id = tx.environment.clock.newId();
  if (externalId !== null) {
    const [holder] = await claimReferences(tx, subAccountList, [{ references: [externalId], recordId: id }]);
    const earlier = holder == null ? undefined : await findOrdered(tx, holder);
    if (earlier !== undefined) {
      const known = "wallet" in earlier ? earlier.wallet : earlier.order;
      return { ...earlier, replayed: replay(known, accountName).replayed };
    }
  }
  const order = await insertVirtualAccount(tx, { id, accountName, externalId });
  await schedule(tx, [{ kind: openAccountTask, subject: id }]);
  return { order, replayed: false };
}

/** A sub-account, or the order for one that is not there yet. */
export async function findOrdered(tx: Tx, id: string): Promise<OrderedSubAccount | undefined> {
  const wallet = await findWallet(tx, id);
  if (wallet !== undefined) return { wallet };
  const order = await findVirtualAccount(tx, id);
  return order && { order };
}

/** Opens the wallet that an order stood for, with the number that the provider gave. */
export async function openProvidedWallet(
  tx: Tx,
  { id, accountName, externalId }: Pick<Wallet, "id" | "accountName" | "externalId">,
  { accountNumber, ...provided }: ProvidedAccount & Pick<Wallet, "accountNumber">,
): Promise<Wallet> {
  await openFloorAccounts(tx, "wallet", [id]);
  const { connectionId, bankName, holderReference } = provided;
  const wallet: Wallet = {
    id,
    isMain: false,
    accountName,
    accountNumber,
    externalId,
    provided: { connectionId, bankName, holderReference },
    createdAt: tx.environment.clock.now(),
  };
  // A number that another wallet has violates its index: money must never have two owners.
  await insertWallet(tx, wallet, await takePositions(tx, subAccountList, 1));
  return wallet;
}

/** The account comes first: a wallet without one would be a number that money disappears into. */
async function open(
  tx: Tx,
  wallet: Omit<Wallet, "accountNumber" | "createdAt">,
  position: bigint | null,
): Promise<Wallet> {
  const { clock } = tx.environment;
  await openFloorAccounts(tx, "wallet", [wallet.id]);
  for (let attempt = 0; attempt < numberAttempts; attempt += 1) {
    const numbered = { ...wallet, accountNumber: newAccountNumber(tx.environment), createdAt: clock.now() };
    if (await insertWallet(tx, numbered, position)) return numbered;
  }
  throw commonProblem("unavailable", {
    message: `No free account number was found in ${numberAttempts} attempts. Nothing was changed; send the request again.`,
    headers: { "Retry-After": "1" },
  });
}

/**
 * Virtual account numbers look like any Nigerian account number: nine digits of a serial number and the check digit
 * of the central bank's NUBAN scheme, so that a payer's bank accepts them.
 */

/** No real bank has this code; NUBAN counts it into the check digit, padded to six digits. */
const bankCode = "000997";
const bankWeights = [3, 7, 3, 3, 7, 3] as const;
const serialWeights = [3, 7, 3, 3, 7, 3, 3, 7, 3] as const;
const serials = 999_999_999;

/**
 * A number by chance; seeded when the clock stands still. Whether it is still free, the database knows: numbers are
 * unique over the installation. So the environment is part of the draw. Without it all sandboxes that are frozen with
 * one seed draw the same numbers in the same order, and there are soon more sandboxes than attempts.
 */
export function newAccountNumber({ id, clock }: Pick<EnvironmentScope, "id" | "clock">): string {
  const drawn = createHash("sha256").update(clock.randomBytes(16)).update(id).digest();
  // Serial 0 is left out: the sandbox gives 0000000000 a meaning of its own.
  const serial = 1 + (drawn.readUIntBE(0, 6) % serials);
  const digits = String(serial).padStart(9, "0");
  return digits + checkDigit(digits);
}

export function hasValidCheckDigit(accountNumber: string): boolean {
  return /^\d{10}$/.test(accountNumber) && accountNumber.endsWith(checkDigit(accountNumber.slice(0, 9)));
}

function checkDigit(serial: string): string {
  const sum = weigh(bankCode, bankWeights) + weigh(serial, serialWeights);
  return String((10 - (sum % 10)) % 10);
}

function weigh(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, place) => sum + weight * Number(digits.charAt(place)), 0);
}
