/** The checkout's part of the run: every way that a purchase on credit can go. */
import { advance, type Play } from "./play.ts";

const account = { bank_account_no: "0111946768", bank_code: "058" } as const;
const person = {
  first_name: "Adaeze",
  last_name: "Okafor",
  email: "adaeze@example.com",
  date_of_birth: "1994-06-21",
} as const;

/** A phone of one's own for each BVN: people who share one share a limit. */
function personWith(bvn: string) {
  return { ...person, bvn, phone: `+234803${bvn.slice(4)}` };
}

export async function playCheckout(play: Play): Promise<void> {
  await playSessions(play);
  const customer = await play("POST", "/loans/bnpl/customers", personWith("22123456781"));
  const customerId = String(customer["id"]);
  await linkCard(play, customerId, "declined");
  await linkCard(play, customerId, "declines_later");
  const loanId = await requestLoan(play, customerId);
  await consent(play, loanId);
  await advance(play, { seconds: 10 });
  const refund = { amount: 10_000, reason: "One item was returned", reference: "refund-1" };
  await play("POST", `/loans/bnpl/loans/${loanId}/refund`, refund);
  await play("POST", `/loans/bnpl/loans/${await requestLoan(play, customerId)}/cancel`);
  await requestLoan(play, customerId);
  await advance(play, { days: 1 });
  await playOverdue(play, customerId, loanId);
  await play("POST", `/loans/bnpl/loans/${loanId}/repayments`, {
    amount: 60_000,
    reference: "checkout-repayment-1",
    channel: "bank_transfer",
  });
  await play("POST", `/loans/bnpl/loans/${loanId}/credit/refund`, {
    amount: 1_000,
    reference: "credit-1",
    channel: "bank_transfer",
  });
}

/** The card declines, the instalment becomes overdue, and so another loan of the same customer is not granted. */
async function playOverdue(play: Play, customerId: string, loanId: string): Promise<void> {
  const { next_due_date: due } = await play("GET", `/loans/bnpl/loans/${loanId}`);
  const afterDue = (hours: number) => new Date(Date.parse(String(due)) + hours * 3_600_000).toISOString();
  await advance(play, { to: afterDue(12) });
  const refused = await requestLoan(play, customerId);
  await advance(play, { to: afterDue(25) });
  await consent(play, refused);
}

async function playSessions(play: Play): Promise<void> {
  const order = {
    customer: personWith("22123456782"),
    amount: 60_000,
    ...account,
    success_url: "https://shop.example.com/thanks",
    cancel_url: "https://shop.example.com/basket",
  };
  const session = await play("POST", "/loans/bnpl/checkout-sessions", { ...order, order_reference: "order-1" });
  const token = new URL(String(session["url"])).hash.slice(1);
  const { agreement } = await play("POST", "/hosted/checkout/terms", { tenor: 3 }, token);
  const { termsHash } = agreement as { termsHash: string };
  await play("POST", "/hosted/checkout/consent/request", { agreed: true, termsHash }, token);
  await play("POST", "/hosted/checkout/consent/verify", { otp: "123456" }, token);
  const { url } = await play("POST", "/hosted/checkout/card-link", undefined, token);
  const linkId = new URL(String(url)).pathname.split("/").at(-1);
  await play("POST", `/sandbox/card-links/${linkId}/complete`, { outcome: "linked" });
  await advance(play, { seconds: 10 });
  await play("POST", "/loans/bnpl/checkout-sessions", { ...order, order_reference: "order-2" });
}

async function linkCard(play: Play, customerId: string, outcome: string): Promise<void> {
  const { link_id: linkId } = await play("POST", `/loans/bnpl/customers/${customerId}/cards/link`, {});
  await play("POST", `/sandbox/card-links/${linkId}/complete`, { outcome });
}

async function requestLoan(play: Play, customerId: string): Promise<string> {
  const loan = { amount: 60_000, tenor: 3, ...account };
  return String((await play("POST", `/loans/bnpl/customers/${customerId}/loans`, loan))["id"]);
}

async function consent(play: Play, loanId: string): Promise<void> {
  await play("POST", `/loans/bnpl/loans/${loanId}/consent/request`);
  await play("POST", `/loans/bnpl/loans/${loanId}/consent/verify`, { otp: "123456" });
}
