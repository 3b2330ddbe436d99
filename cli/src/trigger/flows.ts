/** What has to happen for each event, step by step, through the same API that an integrator calls. */
import { waitUntil } from "@jara/sdk";
import { checkoutFlows } from "./checkout-flows.ts";
import { type Flow, type Playing, personOf } from "./playing.ts";

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

function applicantOf(mark: string, bvnEnding: string) {
  const person = personOf(mark, bvnEnding);
  return {
    ...person,
    nin: `1234${person.phone.slice(-7)}`,
    amount: 50_000,
    tenure: 3,
    tenureType: "monthly" as const,
    bankCode: "058",
    accountNumber: "0123456789",
    longitude: 3.3792,
    latitude: 6.5244,
  };
}

const loan = (what: string, bvnEnding = "1111", further?: (playing: Playing, id: string) => Promise<void>): Flow => ({
  what,
  play: async (playing) => {
    const { id } = await playing.jara.loans.create(applicantOf(playing.mark, bvnEnding));
    await further?.(playing, id);
    return id;
  },
});

/** Approves and pays out at once, instead of after some seconds. */
async function payOut({ jara }: Playing, id: string): Promise<void> {
  await jara.sandbox.loans.approve(id);
  await jara.sandbox.loans.disburse(id);
}

async function repay(playing: Playing, id: string, amount: number): Promise<void> {
  const { loans } = playing.jara;
  await payOut(playing, id);
  await waitUntil(
    () => loans.get(id),
    ({ loanRequest }) => loanRequest.status === "disbursed" || loanRequest.status === "active",
  );
  await loans.repayments.create(id, { amount, channel: "wallet", reference: `${playing.mark}-repayment` });
}

export const flows: Readonly<Record<string, Flow>> = {
  "transfer.completed": payout("A payout that the bank pays.", ""),
  "transfer.failed": payout("A payout that the bank refuses; the money comes back.", "_FAIL"),
  "transfer.reversed": payout("A payout that is paid, and taken back some seconds later.", "_REVERSE"),
  "transfer.batch.completed": {
    what: "Two payouts in one batch.",
    play: async ({ jara, mark }) => {
      const transfers = ["a", "b"].map((letter) => ({ ...account, reference: `${mark}-${letter}` }));
      return (await jara.transfers.bulk.create({ transfers, batchReference: mark })).batchId;
    },
  },
  "bill.successful": bill("Airtime that is delivered.", ""),
  "bill.failed": bill("Airtime that the biller refuses; the money comes back.", "_FAIL"),
  "bill.reversed": bill("Airtime that is delivered, and taken back some seconds later.", "_REVERSE"),
  "loan.created": loan("A loan that is asked for."),
  "loan.approved": loan("A loan that is granted.", "1111", async ({ jara }, id) => {
    await jara.sandbox.loans.approve(id);
  }),
  "loan.disbursed": loan("A loan that is paid out.", "1111", payOut),
  "loan.rejected": loan("A loan for a person whom the bureau does not know.", "0000"),
  "loan.cancelled": loan("A loan that is taken back before it is paid out.", "1111", async ({ jara }, id) => {
    await jara.loans.cancel(id);
  }),
  "loan.repayment.successful": loan("A loan, and a first repayment.", "1111", (playing, id) =>
    repay(playing, id, 1_000),
  ),
  ...checkoutFlows,
  "wallet.credited": {
    what: "Money that comes into the main wallet.",
    play: async ({ jara }) => (await jara.sandbox.wallets.fund({ amount: 1_000 })).id,
  },
};
