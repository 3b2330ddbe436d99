/** What the page of a holder's bank asks and does, in the simulated network's books. */
import type pg from "pg";
import { kobo, nairaString } from "../../money/kobo.ts";
import type { BankPage, BankQuestion } from "./bank-page.ts";
import type { CardOutcome } from "./card-number.ts";
import { findPageLink } from "./page-link-store.ts";
import { chargeDecisions, findCharge, moveCharge } from "./simulated-charge-store.ts";

export interface HolderPageOptions {
  readonly pool: pg.Pool;
  /** Types the test card in that plays this outcome. */
  enterTestCard(sandbox: string, linkId: string, outcome: CardOutcome): Promise<void>;
}

const cardLabels: Readonly<Record<CardOutcome, string>> = {
  linked: "Type in a card that works",
  declined: "Type in a card that is refused",
  declines_later: "Type in a card whose later payments fail",
  asks_holder: "Type in a card whose bank asks before each payment",
  refunds_slowly: "Type in a card whose refunds take days",
};

const leave = { word: "leave", label: "Go back without a card" } as const;

const goBack = "Thank you. Go back to the page that you came from.";

export function createHolderPage(options: HolderPageOptions): BankPage {
  const { pool } = options;
  return {
    read: ({ sandbox, collection, id }) => {
      if (collection === "charges") return askAboutCharge(pool, sandbox, id);
      return collection === "links" ? askForCard(pool, sandbox, id) : Promise.resolve(undefined);
    },
    async decide({ sandbox, collection, id }, word) {
      if (collection === "charges") {
        await moveCharge(pool, sandbox, id, chargeDecisions[word === "confirm" ? "confirm" : "decline"]);
        return null;
      }
      if (word !== leave.word) await options.enterTestCard(sandbox, id, word as CardOutcome);
      return (await findPageLink(pool, sandbox, id))?.returnUrl ?? null;
    },
  };
}

async function askAboutCharge(pool: pg.Pool, sandbox: string, id: string): Promise<BankQuestion | undefined> {
  const charge = await findCharge(pool, sandbox, id);
  if (charge === undefined) return undefined;
  if (charge.status !== "asked") {
    const title = charge.status === "declined" ? "You refused the payment" : "The payment is confirmed";
    return { title, text: goBack, choices: [] };
  }
  const choices = [
    { word: "confirm", label: "Confirm the payment" },
    { word: "decline", label: "Refuse it" },
  ];
  const text = `NGN ${nairaString(kobo(charge.amount))} is to be taken from your card.`;
  return { title: "Is this payment yours?", text, choices };
}

async function askForCard(pool: pg.Pool, sandbox: string, id: string): Promise<BankQuestion | undefined> {
  const link = await findPageLink(pool, sandbox, id);
  if (link === undefined) return undefined;
  if (link.status !== "open") return { title: "This page was used", text: goBack, choices: [] };
  const cards = Object.entries(cardLabels).map(([word, label]) => ({ word, label }));
  return { title: "Type in your card", text: "Choose what your card does.", choices: [...cards, leave] };
}
