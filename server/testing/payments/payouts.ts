/** A sandbox that pays out: group commit, the simulated bank, a worker that tests drive round by round. */

import { sql } from "kysely";
import { afterAll } from "vitest";
import { systemAccountId } from "../../src/ledger/account.ts";
import { readBalances } from "../../src/ledger/balance.ts";
import { createGroupCommit } from "../../src/ledger/group-commit.ts";
import { post } from "../../src/ledger/post.ts";
import { verifyLedger } from "../../src/ledger/verify.ts";
import { addEnvironment } from "../../src/merchants/add-environment.ts";
import { negate } from "../../src/money/arithmetic.ts";
import { type Kobo, kobo } from "../../src/money/kobo.ts";
import {
  createPool,
  type EnvironmentKind,
  inEnvironment,
  operatorScope,
  readEnvironment,
} from "../../src/platform/database/database.ts";
import type { Difference } from "../../src/platform/records/difference.ts";
import { createSealer, generateMasterKey, parseMasterKeys } from "../../src/platform/secrets/crypto.ts";
import { type ClockControl, createClockControl } from "../../src/platform/time/clock-control.ts";
import { createEnvironmentLocks } from "../../src/platform/time/environment-lock.ts";
import type { TaskKinds } from "../../src/platform/work/jobs.ts";
import { type ClaimedOrder, createHandOver, type Rounds } from "../../src/platform/work/rounds.ts";
import type { BankRail } from "../../src/rails/bank.ts";
import type { BankRails } from "../../src/rails/desk.ts";
import { deskOf } from "../../src/rails/desk.ts";
import { paymentReversalKind, paymentReversalTask } from "../../src/sandbox/bank/reverse-payment.ts";
import { createSimulatedBank, type SimulatedBank } from "../../src/sandbox/bank/simulated-bank.ts";
import { booksOf as pageOf } from "../../src/sandbox/in-books.ts";
import { openEnvironment } from "../../src/start/open-environment.ts";
import { nothingSaid } from "../../src/transfers/payouts/accept-transfer.ts";
import { createTransfer } from "../../src/transfers/payouts/create-transfer.ts";
import type { Transfer } from "../../src/transfers/payouts/transfer.ts";
import { findTransfer } from "../../src/transfers/payouts/transfer-store.ts";
import { reverseBySession } from "../../src/transfers/sending/steer-transfer.ts";
import {
  createTransferSender,
  type SenderDependencies,
  transferTasks,
} from "../../src/transfers/sending/transfers.job.ts";
import { rememberTariffs } from "../../src/transfers/tariff/remembered-tariffs.ts";
import { createKnownWallets } from "../../src/wallets/known-wallets.ts";
import { mainWalletId } from "../../src/wallets/wallet.ts";
import { createTestDatabase, type TestDatabase } from "../database.ts";
import { createMerchant, testOrigin } from "../factories.ts";
import { silentLog, workThrough } from "../work.ts";

export interface Payouts extends TestDatabase {
  readonly bank: SimulatedBank;
  /** A fresh sandbox with money in its main wallet. */
  openSandbox(): Promise<PayingSandbox>;
  /** A live environment with money, whose bank is the simulated one. */
  openLive(): Promise<PayingEnvironment>;
  /** A worker's rounds over all environments of a kind. */
  sender(bank: BankRails["bank"], kind: EnvironmentKind): Rounds;
}

export type PayingEnvironment = Pick<PayingSandbox, "environmentId" | "pay" | "read">;

export interface PayOptions {
  readonly amount?: Kobo;
  readonly bankCode?: string;
}

export interface PayingSandbox {
  readonly environmentId: string;
  fund(amount?: Kobo): Promise<void>;
  pay(reference: string, options?: PayOptions): Promise<Transfer>;
  read(id: string): Promise<Transfer>;
  /** A worker of its own, which reaches the bank by `rail`. One round takes what waits as far as it gets. */
  worker(rail: BankRail): { round(): Promise<void> };
  /** Moves the clock; what falls due reaches the bank by `rail`. */
  advance(rail: BankRail, seconds: number): Promise<void>;
  balance(): Promise<Kobo>;
  differences(): Promise<Difference[]>;
  /** What left by our ledger and what left by the bank's books. */
  truths(): Promise<{ readonly ours: Kobo; readonly theirs: Kobo }>;
  events(id: string): Promise<string[]>;
  attempts(transfer: Transfer): Promise<number>;
}

/** Everything closes with the test file. */
export async function createPayouts(): Promise<Payouts> {
  const database = await createTestDatabase(20);
  const bankPool = createPool({ url: database.appUrl, poolSize: 4 });
  const locks = createEnvironmentLocks({ url: database.appUrl });
  const bank = createSimulatedBank({ pool: bankPool, db: database.db, slowAnswerMs: 50, degradedAnswerMs: 5 });
  const sealer = createSealer(parseMasterKeys(generateMasterKey()));
  const groupCommit = createGroupCommit({ db: database.db, sealer, slots: 4 });
  afterAll(async () => {
    await groupCommit.drain();
    await locks.close();
    await bankPool.end();
  });
  const shared = { ...database, bank, groupCommit, sealer };
  const clockFor = (kinds: TaskKinds) => createClockControl({ db: database.db, log: silentLog, locks, kinds });
  return {
    ...database,
    bank,
    async openSandbox() {
      const { environment } = await createMerchant(database.db);
      const sandbox = payingSandbox(shared, environment.id, clockFor);
      await sandbox.fund();
      return sandbox;
    },
    async openLive() {
      const { merchant } = await createMerchant(database.db);
      const { id } = await inEnvironment(database.db, operatorScope, (tx) =>
        addEnvironment(tx, {
          merchantId: merchant.id,
          kind: "LIVE",
          name: "Live",
          origin: testOrigin,
          environmentOpened: openEnvironment,
        }),
      );
      const { fund, read } = payingSandbox(shared, id, clockFor);
      await fund();
      return { environmentId: id, read, pay: (reference, options) => pay(shared, id, reference, options, "LIVE") };
    },
    sender: (rails, kind) =>
      createTransferSender({ ...shared, sendingDesk: createHandOver(), rails: { bank: rails }, log: silentLog }, kind),
  };
}

type Shared = TestDatabase & { readonly bank: SimulatedBank } & Pick<SenderDependencies, "groupCommit"> & {
    readonly sealer: ReturnType<typeof createSealer>;
  };

function payingSandbox(
  shared: Shared,
  environmentId: string,
  clockFor: (kinds: TaskKinds) => ClockControl,
): PayingSandbox {
  const { db, bank } = shared;
  const sendingBy = (rail: BankRail): SenderDependencies => ({
    ...shared,
    sendingDesk: createHandOver(),
    rails: { bank: deskOf({ SANDBOX: rail, LIVE: null }) },
    log: silentLog,
  });
  const read = async (id: string): Promise<Transfer> => {
    const found = await readEnvironment(db, environmentId, (tx) => findTransfer(tx, id));
    if (found === undefined) throw new Error(`transfer ${id} does not exist`);
    return found;
  };
  return {
    environmentId,
    read,
    fund: (amount = kobo(100_000_000n)) => fund(shared, environmentId, amount),
    pay: (reference, options) => pay(shared, environmentId, reference, options),
    worker(rail) {
      const sender = createTransferSender(sendingBy(rail), "SANDBOX");
      return {
        round: () => workThrough({ step: sender.round, drain: sender.drain }),
      };
    },
    async advance(rail, seconds) {
      const deps = sendingBy(rail);
      const takeReversal = (notice: { environmentId: string; sessionId: string }) => reverseBySession(deps, notice);
      const reversal = paymentReversalKind({ db, reverse: bank.reverse, takeReversal });
      await clockFor(new Map([...transferTasks(deps), [paymentReversalTask, reversal]])).advance(environmentId, {
        seconds,
      });
    },
    ...booksOf(shared, environmentId),
  };
}

type Books = Pick<PayingSandbox, "balance" | "differences" | "truths" | "events" | "attempts">;

function booksOf(shared: Shared, environmentId: string): Books {
  const { db, pool } = shared;
  return {
    balance: () => balanceOf(shared, environmentId, mainWalletId(environmentId)),
    differences: () => readEnvironment(db, environmentId, verifyLedger),
    async truths() {
      const ours = await balanceOf(shared, environmentId, systemAccountId(environmentId, "bank_settlement"));
      const paid = await pageOf(pool, environmentId).query<{ paid: bigint }>(
        `select coalesce(sum(amount), 0)::bigint as paid from simulated_bank.payments
         where sandbox = $1 and status = 'paid'`,
        [environmentId],
      );
      return { ours, theirs: kobo(paid.rows[0]?.paid ?? 0n) };
    },
    async events(id) {
      const found = await inEnvironment(db, environmentId, (tx) =>
        sql<{ event: string }>`select event from events
          where environment_id = ${environmentId} and resource_id = ${id} order by resource_version`.execute(tx),
      );
      return found.rows.map((row) => row.event);
    },
    async attempts(transfer) {
      const booked = await pageOf(pool, environmentId).query<{ attempts: number }>(
        "select attempts from simulated_bank.payments where sandbox = $1 and session_id = $2",
        [environmentId, transfer.sessionId],
      );
      return booked.rows[0]?.attempts ?? 0;
    },
  };
}

async function pay(
  shared: Shared,
  environmentId: string,
  reference: string,
  options: PayOptions = {},
  kind: EnvironmentKind = "SANDBOX",
) {
  const { db, bank } = shared;
  const deps = {
    ...shared,
    rails: { bank: deskOf({ SANDBOX: bank.rail, LIVE: bank.rail }) },
    knownWallets: createKnownWallets(db),
    tariffs: rememberTariffs(db),
    sendingDesk: createHandOver<ClaimedOrder<Transfer>>(),
    nubanCheck: "warn" as const,
  };
  const request = {
    ...nothingSaid,
    reference,
    sourceAccountId: null,
    accountNumber: "0123456789",
    bankCode: options.bankCode ?? "058",
    amount: options.amount ?? kobo(100_000n),
    nameEnquiryReference: null,
  };
  const created = await createTransfer(deps, { environmentId, kind }, request, null);
  if ("kept" in created) throw new Error("nothing was kept");
  return created.made;
}

async function fund({ db }: TestDatabase, environmentId: string, amount: Kobo): Promise<void> {
  await inEnvironment(db, environmentId, (tx) => {
    const id = tx.environment.clock.newId();
    return post(tx, {
      id,
      kind: "test.funding",
      resource: { type: "test", id, reference: null },
      narration: null,
      legs: [
        { accountId: mainWalletId(environmentId), amount },
        { accountId: systemAccountId(environmentId, "outside"), amount: negate(amount) },
      ],
    });
  });
}

async function balanceOf({ db }: TestDatabase, environmentId: string, accountId: string): Promise<Kobo> {
  const balances = await readEnvironment(db, environmentId, (tx) => readBalances(tx, [accountId]));
  return balances.get(accountId) ?? kobo(0n);
}
