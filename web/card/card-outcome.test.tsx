import { expect, test } from "vitest";
import { ApiProblem } from "../shared/call-api.ts";
import { shownText } from "../shared/shown-text.ts";
import { BankStep } from "./bank-step.tsx";
import type { CardLinkView } from "./card-link-view.ts";
import { CardOutcome } from "./card-outcome.tsx";

const view: CardLinkView = {
  linkId: "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11",
  status: "processing",
  environment: "SANDBOX",
  merchantName: "Balogun Home",
  merchantLogo: null,
  tokenizePath: "/hosted/card-vault/tokens",
  expiresAt: "2026-11-05T10:00:00.000Z",
  now: "2026-11-05T09:30:00.000Z",
  card: null,
  reason: null,
  returnUrl: null,
};
const card = { brand: "verve", last4: "6666", expMonth: 12, expYear: 2028 };
const returnUrl = "https://balogun.example/card";

test.each<readonly [string, Partial<CardLinkView>, readonly string[]]>([
  ["while the bank is asked", {}, ["Asking your bank", "Please keep this page open."]],
  ["a saved card", { status: "linked", card }, ["Your Verve card ending 6666 will be used", "You can close this page"]],
  ["a saved card that leads on", { status: "linked", card, returnUrl }, ["Your card is saved", "Continue"]],
  ["a card that the page was not told", { status: "linked" }, ["Your card will be used for your payments."]],
  ["an old link", { status: "expired", returnUrl }, ["This link has expired", "Go back"]],
  ["a link with a newer sister", { status: "stale" }, ["A newer link is open"]],
])("%s", (_, change, words) => {
  const text = shownText(<CardOutcome view={{ ...view, ...change }} />);
  for (const word of words) expect(text).toContain(word);
});

test.each<readonly [string, Partial<CardLinkView>, readonly string[]]>([
  ["the way to the bank's page", { status: "pending" }, ["Add your card", "Continue at your bank's page"]],
  ["after a refusal", { status: "declined" }, ["Try another card", "The bank gave no reason."]],
  ["after the way back", { status: "processing" }, ["Asking your bank", "Go to your bank's page again"]],
])("where the bank takes the card: %s", (_, change, words) => {
  const link = { busy: false, problem: null, leave: async () => undefined };
  const text = shownText(<BankStep link={link} view={{ ...view, tokenizePath: null, ...change }} />);
  for (const word of words) expect(text).toContain(word);
});

test("a bank's page that does not open is told", () => {
  const refusal = { status: 503, code: "unavailable", message: "Try again.", errors: [], data: {}, waitSeconds: 5 };
  const link = { busy: false, problem: new ApiProblem(refusal), leave: async () => undefined };
  const text = shownText(<BankStep link={link} view={{ ...view, tokenizePath: null, status: "pending" }} />);
  expect(text).toContain("Your bank's page could not be opened Try again.");
});

test("a link that leads nowhere has no way back", () => {
  expect(shownText(<CardOutcome view={{ ...view, status: "expired" }} />)).toMatch(/open a new one\.$/);
});
