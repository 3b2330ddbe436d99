/** A sandbox that lends, on a clock that stands still, with everything that a test of loan accounts needs. */
import { afterAll, expect } from "vitest";
import { verifyLedger } from "../../src/ledger/verify.ts";
import type { LoanAccount, LoanChange } from "../../src/lending/account/loan-account.ts";
import { approveLoanAccount, disburseLoanAccount } from "../../src/lending/account/move-loan-account.ts";
import { openLoanAccount } from "../../src/lending/account/open-loan-account.ts";
import { type LoanView, readLoanAccount } from "../../src/lending/account/read-loan-account.ts";
import { lendingTasks } from "../../src/lending/collect/age-loan.job.ts";
import { type RecordRepayment, recordRepayment } from "../../src/lending/collect/record-repayment.ts";
import { openLending } from "../../src/lending/lender/open-lending.ts";
import type { LoanProduct, LoanTerms } from "../../src/lending/pricing/product.ts";
import { findProduct, publishProduct } from "../../src/lending/pricing/products.ts";
import { verifyLending } from "../../src/lending/verify-lending.ts";
import { type Kobo, kobo, parseNaira } from "../../src/money/kobo.ts";
import { inEnvironment, type Tx } from "../../src/platform/database/database.ts";
import { type ClockControl, createClockControl } from "../../src/platform/time/clock-control.ts";
import { type ClockChange, setClock } from "../../src/platform/time/clock-setting.ts";
import { createEnvironmentLocks } from "../../src/platform/time/environment-lock.ts";
import { fundWallet } from "../../src/wallets/credit-wallet.ts";
import { createTestDatabase, type TestDatabase } from "../database.ts";
import { createMerchant } from "../factories.ts";
import { silentLog } from "../work.ts";

/** "1,000.00" as kobo. */
export function naira(digits: string): Kobo {
  const amount = parseNaira(digits.replaceAll(",", ""));
  if (amount === undefined) throw new Error(`${digits} is not naira`);
  return amount;
}

export interface TestLender {
  readonly environmentId: string;
  /** What the owner was told, in its order. */
  readonly heard: LoanChange[];
  readonly clock: ClockControl;
  within<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  announce(tx: Tx, changes: readonly LoanChange[]): Promise<void>;
  open(terms: LoanTerms, product?: LoanProduct): Promise<LoanAccount>;
  /** Opened, approved and paid out. */
  lend(terms: LoanTerms, product?: LoanProduct): Promise<LoanAccount>;
  repay(accountId: string, amount: Kobo, change?: Partial<RecordRepayment>): ReturnType<typeof recordRepayment>;
  read(accountId: string): Promise<LoanView>;
  /** Advances the clock to a moment, running what is due. */
  advanceTo(moment: string): Promise<number>;
  /** Proves that the ledger is intact and says of every loan what its position says. */
  verify(): Promise<void>;
}

export async function createTestLender(database: TestDatabase, change: Partial<ClockChange> = {}): Promise<TestLender> {
  const { db } = database;
  const { environment } = await createMerchant(db);
  const environmentId = environment.id;
  const heard: LoanChange[] = [];
  const announce = async (_tx: Tx, told: readonly LoanChange[]): Promise<void> => void heard.push(...told);
  const locks = createEnvironmentLocks({ url: database.appUrl });
  afterAll(() => locks.close());
  const kinds = new Map(lendingTasks({ db, announce }));
  const clock = createClockControl({ db, log: silentLog, locks, kinds });
  const within: TestLender["within"] = (work) => inEnvironment(db, environmentId, work);
  const setting: ClockChange = { mode: "frozen", now: new Date("2026-01-31T09:00:00Z"), seed: "s", ...change };
  await within((tx) => setClock(tx, environmentId, setting));
  await within(async (tx) => {
    await openLending(tx);
    await fundWallet(tx, { amount: kobo(1_000_000_000n) });
  });
  const open: TestLender["open"] = (terms, product) =>
    within(async (tx) => {
      const owner = { kind: "loan_request", id: tx.environment.clock.newId() } as const;
      return openLoanAccount(tx, { owner, terms, product: product ?? (await findProduct(tx)) });
    });
  let references = 0;
  return {
    environmentId,
    heard,
    clock,
    within,
    announce,
    open,
    lend: async (terms, product) => {
      const { id: accountId } = await open(terms, product);
      await within((tx) => approveLoanAccount(tx, { accountId, announce }));
      return within((tx) => disburseLoanAccount(tx, { accountId, announce }));
    },
    repay: (accountId, amount, more = {}) => {
      references += 1;
      const reference = `repayment-${references}`;
      return within((tx) =>
        recordRepayment(tx, { accountId, amount, reference, channel: "wallet", announce, ...more }),
      );
    },
    read: (accountId) => within((tx) => readExisting(tx, accountId)),
    advanceTo: async (moment) => (await clock.advance(environmentId, { to: new Date(moment) })).ran,
    verify: async () => {
      expect(await within(verifyLedger)).toEqual([]);
      expect(await within(verifyLending)).toEqual([]);
    },
  };
}

async function readExisting(tx: Tx, accountId: string): Promise<LoanView> {
  const view = await readLoanAccount(tx, accountId);
  if (view === undefined) throw new Error(`there is no loan account ${accountId}`);
  return view;
}

/** Publishes a product that differs from the standard one, for loans of this sandbox. */
export function publish(lender: TestLender, change: Partial<LoanProduct>): Promise<LoanProduct> {
  return lender.within(async (tx) => {
    const standard = await findProduct(tx);
    return publishProduct(tx, 1, { ...standard, code: "other", ...change });
  });
}

export async function createTestLending(change: Partial<ClockChange> = {}): Promise<TestLender> {
  return createTestLender(await createTestDatabase(), change);
}
