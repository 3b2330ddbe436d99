/**
 * Random vends, outcomes and reversals, many at a time, against a small model: the wallet, what it holds and the
 * commission agree with every answer, whatever order they end up in.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { rememberRates } from "../../server/src/bills/slice.ts";
import { acceptBill } from "../../server/src/bills/vending/accept-bill.ts";
import { type Bill, totalHeld } from "../../server/src/bills/vending/bill.ts";
import { startSending } from "../../server/src/bills/vending/bill-store.ts";
import { settleBill } from "../../server/src/bills/vending/settle-bill.ts";
import { heldAccountId, systemAccountId } from "../../server/src/ledger/account.ts";
import { readBalances } from "../../server/src/ledger/balance.ts";
import { createGroupCommit } from "../../server/src/ledger/group-commit.ts";
import { verifyLedger } from "../../server/src/ledger/verify.ts";
import { kobo } from "../../server/src/money/kobo.ts";
import { inEnvironment } from "../../server/src/platform/database/database.ts";
import { Problem } from "../../server/src/platform/problem.ts";
import { createSealer, generateMasterKey, parseMasterKeys } from "../../server/src/platform/secrets/crypto.ts";
import { fundWallet } from "../../server/src/wallets/credit-wallet.ts";
import { mainWalletId } from "../../server/src/wallets/wallet.ts";
import { createTestDatabase } from "../../server/testing/database.ts";
import { createMerchant } from "../../server/testing/factories.ts";

const { db } = await createTestDatabase(12);
const rates = await rememberRates(db)();
const sealer = createSealer(parseMasterKeys(generateMasterKey()));
const groupCommit = createGroupCommit({ db, sealer, slots: 4, batchSize: 7 });

type End = "successful" | "failed" | "reversed";
type Command =
  | { readonly does: "fund"; readonly amount: number }
  | { readonly does: "vend"; readonly reference: number; readonly amount: number }
  | { readonly does: "end"; readonly pick: number; readonly to: End };

const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ does: fc.constant("fund" as const), amount: fc.integer({ min: 1, max: 5_000_000 }) }),
  fc.record({
    does: fc.constant("vend" as const),
    // Few references, so that twins meet.
    reference: fc.integer({ min: 1, max: 40 }),
    amount: fc.integer({ min: 5_000, max: 1_000_000 }),
  }),
  fc.record({
    does: fc.constant("end" as const),
    pick: fc.nat(50),
    to: fc.constantFrom<End>("successful", "failed", "reversed"),
  }),
);

interface Model {
  funded: bigint;
  readonly accepted: Map<string, Bill>;
  readonly ended: Map<string, End>;
}

async function run(environmentId: string, model: Model, step: Command): Promise<void> {
  if (step.does === "fund") {
    await inEnvironment(db, environmentId, (tx) => fundWallet(tx, { amount: kobo(BigInt(step.amount)) }));
    model.funded += BigInt(step.amount);
  } else if (step.does === "vend") {
    await vend(environmentId, model, `ref-${step.reference}`, step.amount);
  } else {
    await end(environmentId, model, [...model.accepted.values()][step.pick], step.to);
  }
}

async function vend(environmentId: string, model: Model, reference: string, amount: number): Promise<void> {
  const terms = {
    category: "airtime",
    provider: "MTN",
    product: { code: "MTN", name: "MTN airtime" },
    customer: { identifier: "+2348031234567", name: null },
    phoneNumber: null,
    meterType: null,
    subscriptionType: null,
    amount: kobo(BigInt(amount)),
    catalogueVersion: 1,
  } as const;
  try {
    const outcome = await groupCommit.submit(environmentId, acceptBill, {
      reference,
      sourceAccountId: mainWalletId(environmentId),
      terms,
      rates,
      validUntil: null,
      starting: null,
    });
    if (!("accepted" in outcome)) return;
    expect(model.accepted.has(reference), `${reference} was accepted twice`).toBe(false);
    model.accepted.set(reference, outcome.accepted);
    const start = { id: outcome.accepted.id, connectionId: null, requestIds: "uuid" } as const;
    await inEnvironment(db, environmentId, (tx) => startSending(tx, [start]));
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "insufficient_funds") throw error;
  }
}

async function end(environmentId: string, model: Model, bill: Bill | undefined, to: End): Promise<void> {
  if (bill === undefined) return;
  const delivery = to === "successful" ? { token: null, units: null, receiptNumber: "R1" } : null;
  const from = to === "reversed" ? "successful" : "processing";
  const step = { id: bill.id, environment: "SANDBOX", from, to, failure: null, delivery } as const;
  if ((await groupCommit.submit(environmentId, settleBill, step)) === null) return;
  expect(model.ended.get(bill.id), `${bill.reference} ended twice`).toBe(to === "reversed" ? "successful" : undefined);
  model.ended.set(bill.id, to);
}

async function compare(environmentId: string, model: Model): Promise<void> {
  const wallet = mainWalletId(environmentId);
  const held = heldAccountId(wallet);
  const settlement = systemAccountId(environmentId, "bills_settlement");
  const { balances, differences } = await inEnvironment(db, environmentId, async (tx) => ({
    balances: await readBalances(tx, [wallet, held, settlement]),
    differences: await verifyLedger(tx),
  }));
  expect(differences).toEqual([]);
  const of = (state: End | undefined, value: (bill: Bill) => bigint): bigint =>
    [...model.accepted.values()]
      .filter((bill) => model.ended.get(bill.id) === state)
      .reduce((sum, bill) => sum + value(bill), 0n);
  const open = of(undefined, totalHeld);
  const spent = of("successful", (bill) => totalHeld(bill) - bill.commission);
  expect(balances.get(held)).toBe(open);
  expect(balances.get(wallet)).toBe(model.funded - open - spent);
  expect(balances.get(settlement)).toBe(of("successful", (bill) => bill.amount));
}

test("any vends and outcomes in any company leave books that agree with every answer", async () => {
  const waves = fc.array(fc.array(command, { minLength: 1, maxLength: 25 }), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(waves, async (played) => {
      const { environment } = await createMerchant(db);
      const model: Model = { funded: 0n, accepted: new Map(), ended: new Map() };
      for (const wave of played) {
        await Promise.all(wave.map((step) => run(environment.id, model, step)));
        await compare(environment.id, model);
      }
    }),
    { numRuns: 25 },
  );
});
