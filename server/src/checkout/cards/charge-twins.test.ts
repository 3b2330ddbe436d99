/** Charges and repayments that meet, on a running clock: a stopped one would let them in one after the other. */
import { expect, test } from "vitest";
import { createBorrowingApp } from "../../../testing/checkout/borrowers.ts";
import { eventually, silentLog } from "../../../testing/work.ts";
import { recordRepayment } from "../../lending/collect/record-repayment.ts";
import { parseNaira, zeroKobo } from "../../money/kobo.ts";
import type { CardRail } from "../../rails/card.ts";
import { deskOf } from "../../rails/desk.ts";
import { loanMoved } from "../follow-loans.ts";
import { announceCheckoutLoan } from "../loans/announce-checkout-loan.ts";
import { disburseCheckoutLoan } from "../loans/disburse-checkout-loan.ts";
import { requireCheckoutLoan } from "../loans/read-checkout-loan.ts";
import { chargeCard } from "./charge-card.ts";
import type { ChargeDependencies } from "./charge-order.ts";

const app = await createBorrowingApp({ frozen: false });
const { db, within } = app;
await app.call("POST", "/sandbox/wallets/fund", { body: { amount: 5_000_000 } });
const environmentId = app.merchant.environment.id;
const announce = announceCheckoutLoan({ loanMoved });
const network = app.rails.simulatedCard.rail;
const amount = parseNaira("1000") ?? zeroKobo;

function through(rail: CardRail = network): ChargeDependencies {
  return {
    db,
    sealer: app.dependencies.sealer,
    rails: { card: deskOf({ SANDBOX: rail, LIVE: null }) },
    log: silentLog,
    announce,
  };
}

/** Paid out, as a worker would. */
async function lent(): Promise<string> {
  const customerId = await app.customer();
  await app.link(customerId, "linked");
  const loanId = await app.loan(customerId);
  await app.consent(loanId);
  await within((tx) => disburseCheckoutLoan(tx, { rails: app.rails.rails }, loanId));
  for (const loop of app.tasks.loops) {
    await loop.step();
    await loop.drain?.();
  }
  expect(await app.status(loanId)).toBe("active");
  return loanId;
}

async function someoneWaits(): Promise<boolean> {
  const waiting = await app.pool.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return waiting.rows.length > 0;
}

const repaid = (loanId: string) =>
  within(async (tx) => {
    const { accountId } = await requireCheckoutLoan(tx, loanId);
    const find = tx.selectFrom("loan_repayments").select(["channel", "reference"]).where("account_id", "=", accountId);
    return (await find.orderBy("number").execute()).map((row) => [row.channel, row.reference]);
  });

test("of two loans that are charged at once under one reference the second is refused", async () => {
  const loans = [await lent(), await lent()];
  for (let round = 0; round < 5; round += 1) {
    const reference = `shared-${round}`;
    const tried = await Promise.allSettled(
      loans.map((loanId) => chargeCard(through(), { environmentId, loanId, amount, reference })),
    );
    expect(tried.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const refused = tried.find((outcome) => outcome.status === "rejected");
    expect(refused).toMatchObject({ reason: { code: "reference_conflict", data: { fields: ["loan_id"] } } });
  }
});

test("a card's money is recorded although cash takes its reference at the same moment", async () => {
  const loanId = await lent();
  const reference = "met-by-cash";
  const [written, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const payCash = () =>
    within(async (tx) => {
      const { accountId } = await requireCheckoutLoan(tx, loanId);
      await recordRepayment(tx, { accountId, amount, reference, channel: "cash", announce });
      written.resolve();
      await mayCommit.promise;
    });
  let cash = Promise.resolve();
  const charge: CardRail["charge"] = async (order) => {
    const answer = await network.charge(order);
    cash = payCash();
    await written.promise;
    return answer;
  };
  const charging = chargeCard(through({ ...network, charge }), { environmentId, loanId, amount, reference });
  await written.promise;
  await eventually("the card's money waits for the cash", someoneWaits);
  mayCommit.resolve();
  await cash;
  const made = (await charging).charge;
  expect(made.status).toBe("successful");
  expect(await repaid(loanId)).toEqual([
    ["cash", reference],
    ["card", made.id],
  ]);
});
