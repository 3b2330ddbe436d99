/** A money command of the simplest kind, for tests of group commit: it takes money out of a purse. */
import { sql } from "kysely";
import { expect } from "vitest";
import { derivedAccountId, systemAccountId } from "../../src/ledger/account.ts";
import { readBalances } from "../../src/ledger/balance.ts";
import type { CommandKind } from "../../src/ledger/command.ts";
import { createGroupCommit, type GroupCommit, type GroupCommitOptions } from "../../src/ledger/group-commit.ts";
import { openFloorAccounts } from "../../src/ledger/open-accounts.ts";
import { type Posting, post } from "../../src/ledger/post.ts";
import { verifyLedger } from "../../src/ledger/verify.ts";
import { kobo } from "../../src/money/kobo.ts";
import { type Database, inEnvironment, type Tx } from "../../src/platform/database/database.ts";
import { commonProblem } from "../../src/platform/problem.ts";
import { createSealer, generateMasterKey, parseMasterKeys } from "../../src/platform/secrets/crypto.ts";
import { createMerchant } from "../factories.ts";

export interface Spend {
  readonly amount: bigint;
  /** What goes wrong on the way. */
  readonly trouble?: "refused" | "bug in plan" | "bug in write" | "connection lost";
}

export interface Batch {
  readonly environment: string;
  /** How many commands shared the transaction. */
  readonly size: number;
}

export interface Spending {
  readonly kind: CommandKind<Spend, bigint, Spend>;
  /** One for each transaction that was begun. */
  readonly batches: Batch[];
  /** Makes transactions wait before they post, until the answer is called. */
  hold(): () => void;
  groupCommit(options?: Partial<GroupCommitOptions>): GroupCommit;
  /** A new environment with this much in its purse. */
  openPurse(amount: bigint): Promise<string>;
  fill(environmentId: string, amount: bigint): Promise<void>;
  /** What is left, after the whole ledger of the environment was verified. */
  leftIn(environmentId: string): Promise<bigint | undefined>;
}

export function createSpending(db: Database): Spending {
  const batches: Batch[] = [];
  const gate = { opened: Promise.resolve() };
  const sealer = createSealer(parseMasterKeys(generateMasterKey()));
  const fill = (id: string, amount: bigint) => inEnvironment(db, id, (tx) => post(tx, spending(tx, -amount)));
  return {
    kind: spendingKind(batches, gate),
    batches,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate.opened = promise;
      return resolve;
    },
    groupCommit: (options = {}) => createGroupCommit({ db, sealer, slots: 6, ...options }),
    async openPurse(amount) {
      const { id } = (await createMerchant(db)).environment;
      await inEnvironment(db, id, (tx) => openFloorAccounts(tx, "wallet", [purseOf(id)]));
      await fill(id, amount);
      return id;
    },
    fill,
    async leftIn(id) {
      expect(await inEnvironment(db, id, verifyLedger)).toEqual([]);
      return (await inEnvironment(db, id, (tx) => readBalances(tx, [purseOf(id)]))).get(purseOf(id));
    },
  };
}

function spendingKind(batches: Batch[], gate: { readonly opened: Promise<void> }): Spending["kind"] {
  return {
    name: "test.spend",
    async plan(tx, inputs) {
      batches.push({ environment: tx.environment.id, size: inputs.length });
      await gate.opened;
      if (inputs.some(({ trouble }) => trouble === "bug in plan")) throw new TypeError("a bug in plan");
      if (inputs.some(({ trouble }) => trouble === "connection lost")) {
        await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx);
      }
      return inputs.map((input) =>
        input.trouble === "refused"
          ? { next: "refuse", problem: commonProblem("invalid_state") }
          : { next: "post", posting: spending(tx, input.amount), record: input },
      );
    },
    async write(_tx, inputs) {
      if (inputs.some(({ trouble }) => trouble === "bug in write")) throw new TypeError("a bug in write");
      return inputs.map(({ amount }) => amount);
    },
  };
}

function spending(tx: Tx, amount: bigint): Posting {
  const id = tx.environment.clock.newId();
  return {
    id,
    kind: "test.spent",
    resource: { type: "test", id, reference: null },
    narration: null,
    legs: [
      { accountId: purseOf(tx.environment.id), amount: kobo(-amount) },
      { accountId: systemAccountId(tx.environment.id, "outside"), amount: kobo(amount) },
    ],
  };
}

function purseOf(environmentId: string): string {
  return derivedAccountId(environmentId, "purse");
}
