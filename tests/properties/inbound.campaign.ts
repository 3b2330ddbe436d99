/**
 * Money comes in while everything goes wrong: webhooks are lost, doubled, early and forged, replies are lost, workers
 * die with work in their hands, lines to the database are cut, operators assign at once. When all is quiet again, the
 * provider's books and ours agree to the kobo, each payment was booked once, and no wallet has two numbers.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { systemAccountId } from "../../server/src/ledger/account.ts";
import { readBalances } from "../../server/src/ledger/balance.ts";
import { operatorScope, readEnvironment } from "../../server/src/platform/database/database.ts";
import { sweepCredits } from "../../server/src/wallets/sweep-credits.job.ts";
import { type CutLine, createCutLine } from "../../server/testing/platform/cut-line.ts";
import { createInboundApp } from "../../server/testing/providers/inbound-app.ts";
import type { TwinCredit } from "../../server/testing/providers/paystack-twin-inbound.ts";
import type { FaultName } from "../../server/testing/providers/twin-faults.ts";
import { asOwner } from "../../server/testing/work.ts";

let line: CutLine | undefined;
const app = await createInboundApp({
  reach: async (url) => {
    line = await createCutLine(url);
    return line.url;
  },
});
const { books, twin, ownerUrl, liveEnvironmentId, deps } = app;

const faults: readonly FaultName[] = [
  "lost_request",
  "lost_reply",
  "cut_json",
  "late",
  "bad_gateway_after",
  "too_many",
];
type Hook = "none" | "once" | "twice at once" | "forged" | "too early";
type Receiver = "open" | "opening" | "holder only" | "nobody" | "another's holder";

type Command =
  | { readonly does: "order" }
  | { readonly does: "take up"; readonly pick: number; readonly fault: FaultName | null; readonly later: boolean }
  | { readonly does: "pay"; readonly to: Receiver; readonly pick: number; readonly amount: number; readonly hook: Hook }
  | { readonly does: "follow"; readonly fault: FaultName | null; readonly workers: number; readonly cut: boolean }
  | { readonly does: "sweep"; readonly fault: FaultName | null; readonly workers: number; readonly cut: boolean }
  | { readonly does: "assign"; readonly pick: number; readonly to: number; readonly operators: number }
  | { readonly does: "die" };

const pick = fc.nat(50);
const fault = fc.option(fc.constantFrom(...faults), { freq: 2 });
const workers = fc.integer({ min: 1, max: 3 });
const cut = fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true));
const does = <W extends string>(word: W) => fc.constant(word);
const payment = fc.record({
  does: does("pay"),
  to: fc.constantFrom<Receiver>("open", "open", "open", "opening", "holder only", "nobody", "another's holder"),
  pick,
  amount: fc.integer({ min: 1, max: 9_000_000 }),
  hook: fc.constantFrom<Hook>("none", "once", "twice at once", "forged", "too early"),
});
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ does: does("order") }) },
  { weight: 4, arbitrary: fc.record({ does: does("take up"), pick, fault, later: fc.boolean() }) },
  { weight: 8, arbitrary: payment },
  { weight: 4, arbitrary: fc.record({ does: does("follow"), fault, workers, cut }) },
  { weight: 3, arbitrary: fc.record({ does: does("sweep"), fault, workers, cut }) },
  { weight: 3, arbitrary: fc.record({ does: does("assign"), pick, to: pick, operators: workers }) },
  { weight: 2, arbitrary: fc.record({ does: does("die") }) },
);

const orders: string[] = [];
/** What a payment must come to: this wallet, or nobody's until an operator says so. */
const wanted = new Map<number, string | null>();
const assigned = new Map<string, string>();

const walletOf = (email: string): string => /wallet-(.{36})@/.exec(email)?.[1] ?? "";
const chosen = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)];

/** The line to the database breaks while it is worked with: whoever was in a transaction has died, as it were. */
async function whileCut(isCut: boolean, work: () => Promise<unknown>): Promise<void> {
  const working = work().catch(() => undefined);
  if (isCut && line !== undefined) {
    await new Promise((resolve) => setImmediate(resolve));
    await line.cut();
    await line.mend();
  }
  await working;
}

async function settleTime(): Promise<void> {
  await asOwner(
    ownerUrl,
    `update rail_hints set next_at = clock_timestamp() where done_at is null;
     update virtual_accounts set sent_at = sent_at - interval '11 minutes' where completed_at is null;
     update inbound_sweeps set swept_to = swept_to - interval '6 minutes'`,
  );
}

const sweepNow = () => sweepCredits(deps, new Date(Date.now() + 6 * 60_000));

function pay({ to, pick: at, amount, hook }: Extract<Command, { readonly does: "pay" }>): TwinCredit | undefined {
  const early = hook === "too early" ? { isKnown: false } : {};
  const ready = books.accounts.filter(({ assigned: isAssigned }) => isAssigned === (to !== "opening"));
  const account = chosen(ready, at);
  if (to === "nobody") {
    const credit = books.payIn(`99999${String(at).padStart(5, "0")}`, amount, early);
    wanted.set(credit.id, null);
    return credit;
  }
  if (account === undefined) return undefined;
  const { customer, number } = account;
  const other = books.accounts.find((each) => each.customer !== customer)?.customer;
  if (to === "another's holder") {
    if (other === undefined) return undefined;
    const credit = books.payIn(number, amount, { ...early, customer: other });
    wanted.set(credit.id, null);
    return credit;
  }
  const credit = books.payIn(
    number,
    amount,
    to === "holder only" ? { ...early, customer, accountNumber: null } : early,
  );
  wanted.set(credit.id, walletOf(customer.email));
  return credit;
}

async function tell(credit: TwinCredit, hook: Hook): Promise<void> {
  if (hook === "none") return;
  if (hook === "forged") {
    expect(await app.hook(credit, { secretKey: "sk_live_of_a_thief" })).toBe(401);
    return;
  }
  const says = { amount: credit.amount * 10 };
  await Promise.all(hook === "twice at once" ? [app.hook(credit), app.hook(credit, { says })] : [app.hook(credit)]);
}

async function assignSome({ pick: at, to, operators }: Extract<Command, { readonly does: "assign" }>): Promise<void> {
  const open = await app.suspense("?state=open&limit=100");
  const item = chosen(open, at);
  const wallets = (await app.callLive("GET", "/wallets/sub-accounts?limit=100")).json().data as {
    readonly id: string;
  }[];
  if (item === undefined || wallets.length === 0) return;
  const body = (n: number) => ({ accountId: chosen(wallets, to + n)?.id, reason: "Told by the payer" });
  const replies = await Promise.all(
    Array.from({ length: operators }, (_, n) =>
      app.operate("POST", `/operator/suspense/${item["id"]}/assign`, body(n)),
    ),
  );
  const done = replies.find(({ statusCode }) => statusCode === 200);
  if (done !== undefined) assigned.set(String(item["transactionId"]), done.json().data.accountId);
}

async function run(step: Command): Promise<void> {
  twin.behave();
  switch (step.does) {
    case "order":
      if (orders.length < 12) orders.push(await app.order());
      return;
    case "take up": {
      const id = chosen(orders, step.pick);
      if (id === undefined) return;
      books.assignsLater = step.later;
      if (step.fault !== null) twin.misbehave([step.fault], "POST /dedicated_account");
      await Promise.allSettled([app.takeUp(id), app.takeUp(id)]);
      return;
    }
    case "pay": {
      const credit = pay(step);
      if (credit !== undefined) await tell(credit, step.hook);
      return;
    }
    case "follow":
      if (step.fault !== null) twin.misbehave([step.fault, step.fault], "GET /transaction/:id");
      return whileCut(step.cut, () =>
        Promise.all(Array.from({ length: step.workers }, () => app.work("hints of providers"))),
      );
    case "sweep":
      if (step.fault !== null) twin.misbehave([step.fault], "GET /transaction");
      await settleTime();
      return whileCut(step.cut, () => Promise.all(Array.from({ length: step.workers }, sweepNow)));
    case "assign":
      return assignSome(step);
    case "die":
      // A worker takes hints and is gone.
      await asOwner(
        ownerUrl,
        "update rail_hints set next_at = clock_timestamp() + interval '1 minute', tries = tries + 1 where done_at is null",
      );
  }
}

/** All workers go on until nothing is left to do. */
async function comeToRest(): Promise<void> {
  twin.behave();
  books.assignsLater = false;
  books.assign();
  for (const credit of books.credits) credit.isKnown = true;
  for (let round = 0; round < 3; round += 1) {
    await settleTime();
    for (const id of orders) await app.takeUp(id);
    await sweepNow();
    await settleTime();
    for (let more = 1; more > 0; ) more = await followOnce();
  }
}

async function followOnce(): Promise<number> {
  await app.follow();
  const hints = (await app.operate("GET", `/operator/connections/${app.connectionId}/hints`)).json().data;
  return hints.filter(({ outcome }: { readonly outcome: string }) => outcome === "waiting").length;
}

async function balancesOf(environmentId: string, purposes: readonly string[]): Promise<bigint[]> {
  const ids = purposes.map((purpose) => systemAccountId(environmentId, purpose));
  const found = await readEnvironment(app.db, environmentId, (tx) => readBalances(tx, ids));
  return ids.map((id) => found.get(id) ?? 0n);
}

async function expectBooksToAgree(): Promise<void> {
  expect(await app.verify()).toEqual([]);
  const { gross, fees } = books.taken();
  const [clearing = 0n, costs = 0n] = await balancesOf(liveEnvironmentId, ["inbound_clearing", "inbound_costs"]);
  const own = await balancesOf(operatorScope, ["inbound_clearing", "inbound_costs", "inbound_suspense"]);
  const [ownClearing = 0n, ownCosts = 0n, suspense = 0n] = own;
  expect(clearing + ownClearing).toBe(-BigInt(gross - fees));
  expect(costs + ownCosts).toBe(-BigInt(fees));
  const expected = new Map<string, number>(orders.map((id) => [id, 0]));
  let waiting = 0;
  for (const { id, amount } of books.credits) {
    const wallet = assigned.get(String(id)) ?? wanted.get(id) ?? null;
    if (wallet === null) waiting += amount;
    else expected.set(wallet, (expected.get(wallet) ?? 0) + amount);
  }
  expect(suspense).toBe(BigInt(waiting));
  for (const [id, amount] of expected) {
    const { status } = await app.read(id);
    expect([id, status, await app.balance(id)]).toEqual([id, "active", amount]);
  }
  const told = await app.events("wallet.credited");
  expect(told.reduce((sum, data) => sum + Math.round(Number(data["amount"]) * 100), 0)).toBe(gross - waiting);
  const numbers = books.accounts.map(({ customer }) => customer.email);
  expect(new Set(numbers).size).toBe(numbers.length);
}

test("whatever happens on the way, the provider's books and ours agree to the kobo", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 15, maxLength: 45 }), async (steps) => {
      for (const step of steps) await run(step);
      await comeToRest();
      await expectBooksToAgree();
    }),
    // One life: what earlier runs left behind is part of the next one's world.
    { numRuns: 12, endOnFailure: true },
  );
});
