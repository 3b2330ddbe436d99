/**
 * The page that plays a holder's bank in a sandbox. A real issuer sends a holder to a page of its own, where a charge
 * is confirmed or a card is typed in; this one has a button for each thing that can happen there. It works without a
 * key, as a bank's page does: the address is known only to the holder that was sent there.
 */
import type { FastifyInstance, FastifyReply } from "fastify";
import { isUuid } from "../../platform/database/ids.ts";
import { escapeHtml } from "../../platform/http/escape-html.ts";
import { commonProblem } from "../../platform/problem.ts";

export interface BankQuestion {
  readonly title: string;
  readonly text: string;
  /** A button each; without any there is nothing left to decide. */
  readonly choices: readonly { readonly word: string; readonly label: string }[];
}

/** What the page asks about: "charges" or "links", by our id. */
export interface BankSubject {
  readonly sandbox: string;
  readonly collection: string;
  readonly id: string;
}

export interface BankPage {
  /** Undefined when there is no such thing. */
  read(subject: BankSubject): Promise<BankQuestion | undefined>;
  /** Returns where the holder goes on, or null to stay. */
  decide(subject: BankSubject, word: string): Promise<string | null>;
}

export const bankPagePath = "/sandbox/bank-page";

const headers = {
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
} as const;

export function registerBankPage(app: FastifyInstance, page: BankPage): void {
  app.register(async (inside) => {
    // A browser sends its forms like this; the address has all that is asked.
    const form = "application/x-www-form-urlencoded";
    inside.addContentTypeParser(form, { parseAs: "string", bodyLimit: 1_024 }, (_, __, done) => done(null, {}));
    const path = `${bankPagePath}/:sandbox/:collection/:id`;
    inside.get<{ Params: BankSubject }>(path, async ({ params }, reply) => show(reply, await ask(page, params)));
    inside.post<{ Params: BankSubject & { readonly word: string } }>(`${path}/:word`, async ({ params }, reply) => {
      const { choices } = await ask(page, params);
      if (!choices.some(({ word }) => word === params.word)) throw commonProblem("not_found");
      const next = await page.decide(params, params.word);
      return reply.redirect(next ?? addressOf(params), 303);
    });
  });
}

async function ask(page: BankPage, subject: BankSubject): Promise<BankQuestion & BankSubject> {
  const { sandbox, collection, id } = subject;
  const question = isUuid(sandbox) && isUuid(id) ? await page.read({ sandbox, collection, id }) : undefined;
  if (question === undefined) throw commonProblem("not_found");
  return { ...question, sandbox, collection, id };
}

function addressOf({ sandbox, collection, id }: BankSubject): string {
  return `${bankPagePath}/${sandbox}/${collection}/${id}`;
}

const style =
  "body{font:16px/1.5 system-ui,sans-serif;max-width:26rem;margin:4rem auto;padding:0 1rem}" +
  "button{font:inherit;display:block;width:100%;padding:.75rem;margin:.75rem 0;cursor:pointer}" +
  "small{color:#555}";

function show(reply: FastifyReply, question: BankQuestion & BankSubject): FastifyReply {
  const { title, text, choices } = question;
  const buttons = choices.map(
    ({ word, label }) =>
      `<form method="post" action="${addressOf(question)}/${word}"><button>${escapeHtml(label)}</button></form>`,
  );
  const page = [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">`,
    `<title>Test bank</title><style>${style}</style></head><body><main><h1>${escapeHtml(title)}</h1>`,
    `<p>${escapeHtml(text)}</p>${buttons.join("")}`,
    "<p><small>This page plays the bank of a sandbox. No real money moves.</small></p></main></body></html>",
  ].join("");
  return reply.headers(headers).type("text/html; charset=utf-8").send(page);
}
