/**
 * The page of Paystack's twin on which a holder types in a card, for people and for browsers in tests. No number is
 * typed: the page offers cards that each come to something else.
 */
import type { PaystackPart } from "./paystack-twin-account.ts";
import type { PaystackCardBooks, TwinAuthorization, TwinTransaction } from "./paystack-twin-card-books.ts";
import type { TwinReply, TwinRequest } from "./twin-wire.ts";

interface OfferedCard {
  readonly label: string;
  readonly card: Partial<TwinAuthorization>;
  /** What the bank says instead of paying. */
  readonly refusal?: string;
}

const offered: Readonly<Record<string, OfferedCard>> = {
  good: { label: "Visa 4084 0840 8408 4081: works", card: {} },
  declines_later: {
    label: "Mastercard 5060 6666 6666 6666: works here, declines what is charged later",
    card: { brand: "mastercard", cardType: "mastercard ", last4: "6666", signature: "SIG_declines", declines: true },
  },
  not_reusable: {
    label: "Verve 5078 5078 5078 5004: pays once and cannot be kept",
    card: { brand: "verve", cardType: "verve ", last4: "5004", signature: "SIG_once", reusable: false },
  },
  declined: { label: "Visa 4084 0800 0000 5408: declined", card: {}, refusal: "Declined" },
};

export const pagePath = "/pay/";

/** Where the page of a transaction is, on the twin that was asked. */
export function pageOf({ headers }: TwinRequest, { id }: TwinTransaction): { url: string; access: string } {
  const access = id.toString(36);
  return { url: `http://${headers.host}${pagePath}${access}`, access };
}

export function paystackPage(books: PaystackCardBooks): PaystackPart {
  const find = ({ params }: TwinRequest) =>
    [...books.transactions.values()].find(({ id }) => id.toString(36) === params.access);
  const withPage = (answer: (found: TwinTransaction, request: TwinRequest) => TwinReply) => (request: TwinRequest) => {
    const found = find(request);
    return found === undefined ? shown(404, "<h1>No such page</h1>") : answer(found, request);
  };
  return () => ({
    [`GET ${pagePath}:access`]: withPage((found) => shown(200, contentOf(found))),
    [`POST ${pagePath}:access`]: withPage((found, { raw }) => play(books, found, new URLSearchParams(raw.toString()))),
  });
}

function play(books: PaystackCardBooks, transaction: TwinTransaction, form: URLSearchParams): TwinReply {
  const chosen = offered[form.get("card") ?? ""];
  if (form.get("press") === "leave") return back(transaction);
  if (chosen === undefined || transaction.status === "success") return shown(200, contentOf(transaction));
  if (chosen.refusal !== undefined) {
    Object.assign(transaction, { status: "failed", gatewayResponse: chosen.refusal });
    return shown(200, contentOf(transaction));
  }
  if (transaction.authorization === null) books.payOnPage(transaction.reference, chosen.card);
  else books.settle(transaction.reference, "success");
  return back(transaction);
}

/** Paystack adds the reference twice. */
function back({ callbackUrl, reference }: TwinTransaction): TwinReply {
  if (callbackUrl === null) return shown(200, "<h1>Thank you</h1><p>You can close this page.</p>");
  const url = new URL(callbackUrl);
  url.searchParams.set("trxref", reference);
  url.searchParams.set("reference", reference);
  return { status: 303, body: "", headers: { location: url.href } };
}

function contentOf({ status, requestedAmount, gatewayResponse, email }: TwinTransaction): string {
  if (status === "success" || status === "reversed") return "<h1>This page was used</h1><p>The payment is made.</p>";
  const kobo = String(requestedAmount);
  const amount = `NGN ${kobo.slice(0, -2)}.${kobo.slice(-2)}`;
  const cards = Object.entries(offered).map(
    ([name, { label }]) =>
      `<label><input type="radio" name="card" value="${name}"${name === "good" ? " checked" : ""}> ${label}</label>`,
  );
  const refused = status === "failed" ? `<p role="alert">${gatewayResponse}. Try another card.</p>` : "";
  return `<h1>Pay ${amount}</h1>
    <p>A stand-in for Paystack's page. No money moves. ${escaped(email)}</p>${refused}
    <form method="post"><fieldset><legend>Card</legend>${cards.join("")}</fieldset>
    <button name="press" value="pay">Pay ${amount}</button>
    <button name="press" value="leave">Cancel and go back</button></form>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:28rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b;
  background:#fff}label{display:block;margin:.5rem 0}fieldset{border:1px solid #767676;border-radius:6px}
  button{font:inherit;margin:1rem .5rem 0 0;padding:.5rem 1rem}[role=alert]{color:#a40000;font-weight:600}`;

function shown(status: number, content: string): TwinReply {
  const head = [
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<title>Paystack's twin</title><link rel="icon" href="data:,"><style>${style}</style>`,
  ].join("");
  const body = `<body><main>${content}</main></body>`;
  return { status, body: `<!doctype html><html lang="en"><head>${head}</head>${body}</html>` };
}
