/** What has to happen for each event, step by step, through the same API that an integrator calls. */
import {
  approve,
  askForLoan,
  letFallOverdue,
  payOut,
  repay,
  repayEverything,
  type Terms,
  usualTerms,
} from "../flows/loan-steps.ts";
import type { Playing } from "../flows/playing.ts";
import { checkoutFlows } from "./checkout-flows.ts";
import { type Flow, someoneNew } from "./flow.ts";
import { webhookFlows } from "./webhook-flows.ts";

const account = { bankCode: "058", accountNumber: "0123456789", amount: 1_500 };

const payout = (what: string, ending: string): Flow => ({
  what,
  play: async ({ jara, mark }) => (await jara.transfers.create({ ...account, reference: `${mark}${ending}` })).id,
});

const airtime = { network: "MTN", phoneNumber: "08031234567", amount: 200 };

const bill = (what: string, ending: string): Flow => ({
  what,
  play: async ({ jara, mark }) => (await jara.bills.airtime.vend({ ...airtime, reference: `${mark}${ending}` })).id,
});

const loan = (
  what: string,
  further: (playing: Playing, id: string) => Promise<unknown> = async () => undefined,
  { isKnown = true, terms = usualTerms }: { readonly isKnown?: boolean; readonly terms?: Terms } = {},
): Flow => ({
  what,
  play: async (playing) => {
    const id = await askForLoan(playing, someoneNew(playing, isKnown), terms);
    await further(playing, id);
    return id;
  },
});

async function repayOnce(playing: Playing, id: string, amount = 1_000): Promise<string> {
  await payOut(playing, id);
  return repay(playing, id, amount);
}

async function bounce(playing: Playing, id: string): Promise<void> {
  const repayment = await repayOnce(playing, id);
  await playing.jara.loans.repayments.reverse(id, repayment, { reason: "The transfer bounced." });
}

async function repayAll(playing: Playing, id: string): Promise<void> {
  await payOut(playing, id);
  await repayEverything(playing, id);
}

async function neverRepay(playing: Playing, id: string): Promise<void> {
  await payOut(playing, id);
  await letFallOverdue(playing, id);
}

export const flows: Readonly<Record<string, Flow>> = {
  "transfer.completed": payout("A payout that the bank pays.", ""),
  "transfer.failed": payout("A payout that the bank refuses; the money comes back.", "_FAIL"),
  "transfer.reversed": payout("A payout that is paid, and reversed a few seconds later.", "_REVERSE"),
  "transfer.batch.completed": {
    what: "Two payouts in one batch.",
    play: async ({ jara, mark }) => {
      const transfers = ["a", "b"].map((letter) => ({ ...account, reference: `${mark}-${letter}` }));
      return (await jara.transfers.bulk.create({ transfers, batchReference: mark })).batchId;
    },
  },
  "bill.successful": bill("Airtime that is delivered.", ""),
  "bill.failed": bill("Airtime that the biller refuses; the money comes back.", "_FAIL"),
  "bill.reversed": bill("Airtime that is delivered, and reversed a few seconds later.", "_REVERSE"),
  "loan.created": loan("A loan that is asked for."),
  "loan.approved": loan("A loan that is granted.", approve),
  "loan.disbursed": loan("A loan that is paid out.", payOut),
  "loan.rejected": loan("A loan for a person whom the bureau does not know.", undefined, { isKnown: false }),
  "loan.cancelled": loan("A loan request that is withdrawn before it is paid out.", ({ jara }, id) =>
    jara.loans.cancel(id),
  ),
  "loan.repayment.successful": loan("A loan, and a first repayment.", repayOnce),
  "loan.repayment.failed": loan("A loan, and a first repayment that bounces.", bounce),
  "loan.completed": loan("A loan that is repaid in full.", repayAll),
  "loan.overdue": loan("A loan that nobody repays. Moves the clock a few days.", neverRepay, {
    terms: { amount: 50_000, tenure: 7, tenureType: "daily" },
  }),
  ...checkoutFlows,
  "wallet.credited": {
    what: "Money that comes into the main wallet.",
    play: async ({ jara }) => (await jara.sandbox.wallets.fund({ amount: 1_000 })).id,
  },
  ...webhookFlows,
};

/** What no sandbox can play, and why. */
export const liveOnly: Readonly<Record<string, string>> = {
  "wallet.opened": "a sandbox gives a sub-account its number at once, so there is nothing to tell later",
  "wallet.refused": "a sandbox gives every sub-account a number",
};
