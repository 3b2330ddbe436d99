/**
 * Random commands, many at a time, against a small model: whatever order they end up in, money is neither made nor
 * lost, floors hold, a reference stands for one record, and no session is paid twice.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { heldAccountId, systemAccountId } from "../../server/src/ledger/account.ts";
import { readBalances } from "../../server/src/ledger/balance.ts";
import { createGroupCommit } from "../../server/src/ledger/group-commit.ts";
import { post } from "../../server/src/ledger/post.ts";
import { verifyLedger } from "../../server/src/ledger/verify.ts";
import { kobo } from "../../server/src/money/kobo.ts";
import { inEnvironment } from "../../server/src/platform/database/database.ts";
import { Problem } from "../../server/src/platform/problem.ts";
import { createSealer, generateMasterKey, parseMasterKeys } from "../../server/src/platform/secrets/crypto.ts";
import { acceptTransfer, nothingSaid, type TransferDraft } from "../../server/src/transfers/payouts/accept-transfer.ts";
import { sessionIdOf, type Transfer } from "../../server/src/transfers/payouts/transfer.ts";
import { startSending } from "../../server/src/transfers/payouts/transfer-store.ts";
import { settleTransfer } from "../../server/src/transfers/sending/settle-transfer.ts";
import { rememberTariffs } from "../../server/src/transfers/tariff/remembered-tariffs.ts";
import { totalDebit } from "../../server/src/transfers/tariff/tariff.ts";
import { mainWalletId } from "../../server/src/wallets/wallet.ts";
import { createTestDatabase } from "../../server/testing/database.ts";
import { createMerchant } from "../../server/testing/factories.ts";

const { db } = await createTestDatabase(12);
const tariffs = await rememberTariffs(db)();
const groupCommit = createGroupCommit({
  db,
  sealer: createSealer(parseMasterKeys(generateMasterKey())),
  slots: 4,
  batchSize: 7,
});

type Command =
  | { readonly does: "fund"; readonly amount: number }
  | { readonly does: "pay"; readonly reference: number; readonly amount: number }
  | { readonly does: "settle"; readonly pick: number; readonly to: "completed" | "failed" }
  | { readonly does: "reverse"; readonly pick: number };

const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ does: fc.constant("fund" as const), amount: fc.integer({ min: 1, max: 5_000_000 }) }),
  fc.record({
    does: fc.constant("pay" as const),
    // Few references, so that twins meet.
    reference: fc.integer({ min: 1, max: 40 }),
    amount: fc.integer({ min: 10_000, max: 2_000_000 }),
  }),
  fc.record({
    does: fc.constant("settle" as const),
    pick: fc.nat(50),
    to: fc.constantFrom("completed" as const, "failed" as const),
  }),
  fc.record({ does: fc.constant("reverse" as const), pick: fc.nat(50) }),
);

/** What the answers alone allow us to conclude. */
interface Model {
  funded: bigint;
  readonly accepted: Map<string, Transfer>;
  readonly settled: Map<string, "completed" | "failed" | "reversed">;
}

function draft(wallet: string, reference: string, amount: number): TransferDraft {
  return {
    ...nothingSaid,
    reference,
    sourceAccountId: wallet,
    accountNumber: "0123456789",
    accountName: "ADA OBI",
    bankCode: "058",
    amount: kobo(BigInt(amount)),
  };
}

async function run(environmentId: string, model: Model, step: Command): Promise<void> {
  const wallet = mainWalletId(environmentId);
  if (step.does === "fund") {
    await fund(environmentId, wallet, BigInt(step.amount));
    model.funded += BigInt(step.amount);
  } else if (step.does === "pay") {
    await pay(environmentId, model, draft(wallet, `ref-${step.reference}`, step.amount));
  } else {
    const to = step.does === "reverse" ? "reversed" : step.to;
    await settle(environmentId, model, [...model.accepted.values()][step.pick], to);
  }
}

function fund(environmentId: string, wallet: string, amount: bigint): Promise<void> {
  return inEnvironment(db, environmentId, async (tx) => {
    const id = tx.environment.clock.newId();
    await post(tx, {
      id,
      kind: "test.funded",
      resource: { type: "test", id, reference: null },
      narration: null,
      legs: [
        { accountId: systemAccountId(environmentId, "outside"), amount: kobo(-amount) },
        { accountId: wallet, amount: kobo(amount) },
      ],
    });
  });
}

async function pay(environmentId: string, model: Model, wanted: TransferDraft): Promise<void> {
  try {
    const outcome = await groupCommit.submit(environmentId, acceptTransfer, {
      draft: wanted,
      tariffs,
      enquiryExpiresAt: null,
      starting: null,
    });
    if (!("accepted" in outcome)) return;
    expect(model.accepted.has(wanted.reference), `${wanted.reference} was accepted twice`).toBe(false);
    const { id } = outcome.accepted;
    model.accepted.set(wanted.reference, outcome.accepted);
    const sessionId = sessionIdOf(outcome.accepted, "000000");
    await inEnvironment(db, environmentId, (tx) =>
      startSending(tx, [{ id, accountName: "ADA OBI", sessionId, connectionId: null }]),
    );
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "insufficient_funds") throw error;
  }
}

async function settle(
  environmentId: string,
  model: Model,
  transfer: Transfer | undefined,
  to: "completed" | "failed" | "reversed",
): Promise<void> {
  if (transfer === undefined) return;
  const from = to === "reversed" ? "completed" : "processing";
  const step = { id: transfer.id, environment: "SANDBOX", from, to, failure: null } as const;
  const outcome = await groupCommit.submit(environmentId, settleTransfer, step);
  if (outcome === null) return;
  const before = model.settled.get(transfer.id);
  expect(before, `${transfer.reference} was settled twice`).toBe(to === "reversed" ? "completed" : undefined);
  model.settled.set(transfer.id, to);
}

async function compare(environmentId: string, model: Model): Promise<void> {
  const wallet = mainWalletId(environmentId);
  const held = heldAccountId(wallet);
  const settlement = systemAccountId(environmentId, "bank_settlement");
  const { balances, differences } = await inEnvironment(db, environmentId, async (tx) => ({
    balances: await readBalances(tx, [wallet, held, settlement]),
    differences: await verifyLedger(tx),
  }));
  expect(differences).toEqual([]);
  const of = (wanted: (state: string | undefined) => boolean, value: (transfer: Transfer) => bigint): bigint =>
    [...model.accepted.values()]
      .filter((transfer) => wanted(model.settled.get(transfer.id)))
      .reduce((sum, transfer) => sum + value(transfer), 0n);
  const open = of((state) => state === undefined, totalDebit);
  const spent = of((state) => state === "completed", totalDebit);
  expect(balances.get(held)).toBe(open);
  expect(balances.get(wallet)).toBe(model.funded - open - spent);
  expect(balances.get(settlement)).toBe(
    of(
      (state) => state === "completed",
      (transfer) => transfer.amount,
    ),
  );
}

test("any commands in any company leave books that add up and agree with every answer", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(command, { minLength: 1, maxLength: 25 }), { minLength: 1, maxLength: 6 }),
      async (waves) => {
        const { environment } = await createMerchant(db);
        const model: Model = { funded: 0n, accepted: new Map(), settled: new Map() };
        for (const wave of waves) {
          await Promise.all(wave.map((step) => run(environment.id, model, step)));
          await compare(environment.id, model);
        }
      },
    ),
    { numRuns: 40 },
  );
});

test("as long as there is enough for everybody, nobody is refused", async () => {
  const { environment } = await createMerchant(db);
  const wallet = mainWalletId(environment.id);
  await fund(environment.id, wallet, 60n * 1_010_75n);
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      groupCommit.submit(environment.id, acceptTransfer, {
        draft: draft(wallet, `fits-${index}`, 100_000),
        tariffs,
        enquiryExpiresAt: null,
        starting: null,
      }),
    ),
  );
  expect(answers.every((answer) => "accepted" in answer)).toBe(true);
  const left = await inEnvironment(db, environment.id, (tx) => readBalances(tx, [wallet]));
  expect(left.get(wallet)).toBe(0n);
});
