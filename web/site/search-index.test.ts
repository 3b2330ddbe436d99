/** The words that readers type lead to the page that answers them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import MiniSearch from "minisearch";
import { describe, expect, test } from "vitest";
import { createFinder, find } from "../shared/find-sections.ts";
import { readPage } from "./markdown.ts";
import { pages } from "./pages.ts";
import { searchIndex } from "./search-index.ts";

const root = join(import.meta.dirname, "..", "..");
const records = searchIndex(pages.map((page) => readPage(page, readFileSync(join(root, page.source), "utf8"))));
const index = createFinder(MiniSearch, records);
const addressesOf = (words: string) => find(index, words).map(({ id }) => String(id));

/** A page, or a section where a reader would not find the answer at the page's top. */
const answers: Readonly<Record<string, readonly string[]>> = {
  "/docs/quick-start": ["curl", "Postman", "quick start"],
  "/docs/api-keys": ["API key", "secret key", "rotate key", "IP whitelist"],
  "/docs/api-keys#test-mode-and-live-mode": ["test mode", "live mode"],
  "/docs/api-keys#scopes": ["scopes"],
  "/docs/api-keys#create-rotate-and-revoke-a-key": ["revoke key"],
  "/docs/api-keys#rate-limit": ["rate limit"],
  "/docs/sandbox": ["sandbox", "declined card"],
  "/docs/sandbox#test-inputs": ["test card", "BVN"],
  "/docs/sandbox#simulation-controls": ["chargeback"],
  "/docs/sandbox#clock": ["clock", "time travel"],
  "/docs/going-live": ["go live", "going live"],
  "/docs/payouts": ["payout", "payouts"],
  "/docs/payouts#verify-the-account": [
    "resolve account",
    "account name",
    "name enquiry",
    "verify account",
    "NUBAN",
    "bank code",
    "bank list",
  ],
  "/docs/payouts#get-the-fee": ["fees", "fee", "VAT", "stamp duty"],
  "/docs/payouts#verify-a-payout": ["verify transaction", "verify payout"],
  "/docs/payouts#reversals": ["reversal"],
  "/docs/payouts#bulk-payouts": ["salary", "pay salaries", "payroll", "bulk payout"],
  "/docs/bills#airtime": ["airtime", "recharge", "VTU"],
  "/docs/bills#data": ["data bundle", "data plan"],
  "/docs/bills#electricity": ["electricity", "prepaid token", "meter token", "prepaid meter"],
  "/docs/bills#tv-and-betting": ["DStv", "GOtv", "StarTimes", "betting", "smart card", "decoder"],
  "/docs/loans": ["loan", "instalment", "installment"],
  "/docs/loans#get-a-quote": ["interest"],
  "/docs/loans#repayments": ["repayment"],
  "/docs/loans#statuses": ["overdue"],
  "/docs/loans#create-a-loan": ["NIN"],
  "/docs/checkout": ["checkout", "BNPL", "pay later", "buy now pay later", "settlement"],
  "/docs/checkout#identity-check-kyc": ["KYC", "identity check"],
  "/docs/checkout#errors": ["OTP"],
  "/docs/checkout#refunds-cancellations-and-other-repayments": ["refund"],
  "/docs/wallets#balance": ["balance"],
  "/docs/wallets#fund-a-wallet": ["fund wallet", "fund my wallet"],
  "/docs/wallets#sub-accounts": ["sub account", "subaccount", "sub-accounts", "virtual account", "dedicated account"],
  "/docs/wallets#statements": ["statement"],
  "/docs/webhooks": ["webhook", "webhook secret", "localhost webhook", "ngrok"],
  "/docs/webhooks#verify-the-webhook-signature": ["webhook signature", "verify webhook", "how do I verify a webhook"],
  "/docs/webhooks#delivery-and-retries": ["retry webhook"],
  "/docs/idempotency": ["idempotency"],
  "/docs/idempotency#your-reference": ["duplicate reference"],
  "/docs/idempotency#after-a-timeout": ["timeout"],
  "/docs/pagination": ["pagination"],
  "/docs/errors": ["error codes", "insufficient balance"],
  "/docs/errors#insufficient_funds": ["insufficient_funds"],
  "/docs/errors#401-unauthorized": ["401"],
  "/docs/errors#422-unprocessable-entity": ["422"],
  "/docs/errors#429-too-many-requests": ["429", "too many requests"],
  "/docs/errors#rate_limited": ["rate_limited"],
  "/docs/sdk": ["SDK", "TypeScript client"],
  "/docs/examples": ["Node", "Python", "PHP"],
  "/docs/operating": ["backup", "restore", "monitoring", "metrics"],
  "/docs/upgrading": ["upgrade"],
  "/docs/cluster": ["cluster"],
};

describe("what a reader types", () => {
  const cases = Object.entries(answers).flatMap(([address, words]) => words.map((each) => [each, address] as const));

  test.each(cases)("%s leads to %s", (words, address) => {
    const [first = ""] = addressesOf(words);
    expect(address.includes("#") ? first : first.split("#")[0]).toBe(address);
  });
});

test.each([
  ["a letter wrong", "webhok signture", "/docs/webhooks#verify-the-webhook-signature"],
  ["the beginning of a word", "idempot", "/docs/idempotency#idempotency-key"],
  ["a word too many", "salary xylophone", "/docs/payouts#bulk-payouts"],
  ["a word that stands only in an example", "smartCardNumber", "/docs/bills#tv-and-betting"],
])("%s is forgiven", (_, words, address) => {
  expect(addressesOf(words)[0]).toBe(address);
});

test("a guide comes before the runbook that has the same words", () => {
  const weights = find(index, "webhooks").map(({ weight }) => Number(weight ?? 1));
  expect(weights[0]).toBe(1);
});

test("what every visitor of the search loads stays small", () => {
  expect(JSON.stringify(records).length).toBeLessThan(300_000);
});
