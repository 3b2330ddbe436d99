/** One run through everything a merchant can hear of, by the public API alone. */

import { advance, type Play } from "./play.ts";
import { playCheckout } from "./play-checkout.ts";

export async function playEverything(play: Play): Promise<void> {
  await play("POST", "/sandbox/wallets/fund", { amount: 1_000_000 });
  await playPayouts(play);
  await playBills(play);
  await playLoans(play);
  await playCheckout(play);
  await playWebhooks(play);
}

const recipient = { accountNumber: "0690000032", bankCode: "044", amount: 25_000 } as const;

async function playPayouts(play: Play): Promise<void> {
  for (const reference of ["payout-1", "payout-2_FAIL", "payout-3_REVERSE"]) {
    await play("POST", "/transfers", { ...recipient, currency: "NGN", narration: "Invoice 1042", reference });
  }
  const transfers = ["batch-1-1", "batch-1-2"].map((reference) => ({ ...recipient, reference }));
  await play("POST", "/transfers/bulk", { batchReference: "batch-1", currency: "NGN", transfers });
  await advance(play, { seconds: 10 });
}

async function playBills(play: Play): Promise<void> {
  for (const reference of ["bill-1", "bill-2_FAIL", "bill-3_REVERSE"]) {
    const bill = { network: "MTN", phoneNumber: "08031234567", amount: 1_000, reference };
    await play("POST", "/bills/airtime/vend", bill);
  }
  await advance(play, { seconds: 10 });
}

const application = {
  first_name: "Adaeze",
  last_name: "Okafor",
  phone: "+2348031234567",
  nin: "12345678901",
  bvn: "22123456789",
  amount: "120000",
  tenure_type: "monthly",
  email: "adaeze@example.com",
  tenure: "3",
  bank_code: "058",
  account_number: "0111946768",
  longitude: "3.3792",
  latitude: "6.5244",
} as const;

async function playLoans(play: Play): Promise<void> {
  const loan = await play("POST", "/loans/create", application);
  const withdrawn = await play("POST", "/loans/create", { ...application, bvn: "22123456780" });
  await play("POST", `/loans/${withdrawn["id"]}/cancel`);
  await play("POST", "/loans/create", { ...application, bvn: "22123450000" });
  await advance(play, { seconds: 10 });
  const repay = (reference: string, amount: number) =>
    play("POST", `/loans/${loan["id"]}/repayments`, { amount, reference, channel: "bank_transfer" });
  const bounced = await repay("repayment-1", 44_800);
  await play("POST", `/loans/${loan["id"]}/repayments/${bounced["id"]}/reverse`, { reason: "The transfer bounced." });
  await advance(play, { days: 40 });
  await repay("repayment-2", 200_000);
}

async function playWebhooks(play: Play): Promise<void> {
  const endpoint = { url: "http://localhost:9/webhooks", events: ["*"], description: "The examples' own" };
  const { id } = await play("POST", "/webhooks/endpoints", endpoint);
  await play("POST", `/webhooks/endpoints/${id}/test`);
}
