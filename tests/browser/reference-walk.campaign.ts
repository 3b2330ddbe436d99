/**
 * Every operation of the references is sent as it is filled in. Scalar takes seconds to draw and open each of some
 * hundred and thirty, so all of them are sent from the page by its own means, and some are clicked through, to see that
 * Scalar sends the very same. `CLICK_ALL=true npm test -- tests/browser/reference-walk.campaign.ts` clicks through all.
 */
import type { Page, Response } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser } from "./in-browser.ts";
import { cutDown, type FilledCall, filledCalls, type ReferenceDocument } from "./reference-calls.ts";

const patienceMs = 60_000;
const clicksAll = process.env["CLICK_ALL"] === "true";
const longMs = clicksAll ? 1_800_000 : 240_000;

/** Of each kind one: an id, a required query, a body, references in it, no body, a change, something deleted. */
const samples: Readonly<Record<"developer" | "operator", readonly string[]>> = {
  developer: [
    "get /loans/{id}",
    "get /transfers/name-enquiry",
    "post /transfers/bulk",
    "patch /webhooks/endpoints/{id}",
    "delete /loans/bnpl/customers/{customerId}/cards/{cardId}",
  ],
  operator: ["get /operator/merchants", "post /operator/environments/{id}/keys"],
};
const mostPerPage = 8;

const references = {
  developer: { page: "/docs/reference", document: "/docs/openapi.json" },
  operator: { page: "/docs/operator", document: "/openapi.operator.json" },
} as const;
const readers = ["developer", "operator"] as const;

interface Sent {
  readonly operation: string;
  readonly status: number;
  readonly code: string | null;
}

/** From the page itself, under its policy. */
function sendAll(page: Page, calls: readonly FilledCall[], token: string): Promise<Sent[]> {
  const work = async ([all, bearer]: readonly [readonly FilledCall[], string]): Promise<Sent[]> => {
    const sent: Sent[] = [];
    for (const { operation, method, path, body } of all) {
      const headers = {
        authorization: `Bearer ${bearer}`,
        ...(body === null ? {} : { "content-type": "application/json" }),
      };
      const reply = await fetch(path, { method, headers, body });
      const text = await reply.text();
      const { code = null } = text.startsWith("{") ? JSON.parse(text) : {};
      sent.push({ operation, status: reply.status, code });
    }
    return sent;
  };
  return page.evaluate(work, [calls, token] as const);
}

/** What is wrong with the caller's call, and not with the moment. */
const callersFault = new Set([400, 401, 403, 405, 406, 413, 415]);

/** Documented, and not because the call itself is badly filled in. */
function judge(calls: readonly FilledCall[], sent: readonly Sent[]): void {
  const declared = new Map(calls.map((call) => [call.operation, call.declared]));
  expect(sent.map(({ operation }) => operation)).toEqual(calls.map(({ operation }) => operation));
  const wrong = sent.filter(
    ({ operation, status, code }) =>
      declared.get(operation)?.includes(String(status)) !== true ||
      callersFault.has(status) ||
      code === "validation_failed",
  );
  expect(wrong).toEqual([]);
}

/** Opens the operation in Scalar's client and sends it as it is there. */
async function click(
  page: Page,
  operation: string,
  place: string,
): Promise<{ readonly sent: Sent; readonly call: object }> {
  // Scalar draws an operation when somebody comes near it.
  await page.evaluate(`location.hash = ${JSON.stringify(place)}`);
  await page.getByRole("button", { name: `Test Request (${operation})`, exact: true }).click();
  const send = page.getByRole("button", { name: /^Send/ }).first();
  const isOurs = (reply: Response) => reply.request().resourceType() === "fetch" && !reply.url().endsWith(".json");
  const [reply] = await Promise.all([page.waitForResponse(isOurs), send.click()]);
  const { pathname, search } = new URL(reply.url());
  const request = reply.request();
  const text = await reply.text();
  const body = request.postData();
  await page.keyboard.press("Escape");
  await send.waitFor({ state: "hidden" });
  return {
    sent: { operation, status: reply.status(), code: text.startsWith("{") ? (JSON.parse(text).code ?? null) : null },
    call: { operation, method: request.method(), path: pathname + search, body: body && JSON.parse(body) },
  };
}

describeInBrowser("the reference, tried out", ({ baseUrl, visit, tokens }) => {
  const read = async (reader: (typeof readers)[number]): Promise<ReferenceDocument> =>
    (await (await fetch(`${baseUrl}${references[reader].document}`)).json()) as ReferenceDocument;

  /** Draws the reference with these operations alone, and returns what is filled in there. */
  async function open(page: Page, reader: (typeof readers)[number], wanted: readonly string[]): Promise<FilledCall[]> {
    let filled: FilledCall[] = [];
    await page.route(`**${references[reader].document}`, async (route) => {
      const response = await route.fetch();
      const json = cutDown((await response.json()) as ReferenceDocument, wanted);
      filled = filledCalls(json);
      await route.fulfill({ response, json });
    });
    await page.goto(`${baseUrl}${references[reader].page}`);
    if (reader === "operator") await page.getByPlaceholder("Token").first().fill(tokens.operator);
    await page
      .getByRole("button", { name: /^Test Request/ })
      .first()
      .waitFor();
    return filled;
  }

  test.each(readers)(
    "%s: what is filled in succeeds, or is refused as documented",
    { timeout: longMs },
    async (reader) => {
      const { page } = await visit();
      page.setDefaultTimeout(patienceMs);
      await page.goto(`${baseUrl}${references[reader].page}`, { waitUntil: "commit" });
      const all = filledCalls(await read(reader));
      // What is called off, deleted or emptied cannot be tried any more: each comes after all that needs it.
      const endings = [/^POST .*\/(cancel|reject)$/, /^DELETE /, /^POST .*\/reset$/];
      const rank = ({ method, path }: FilledCall) => endings.findIndex((ending) => ending.test(`${method} ${path}`));
      const calls = all.toSorted((one, other) => rank(one) - rank(other));
      const sent = await sendAll(page, calls, tokens[reader]);
      judge(calls, sent);
      // Charges and refunds that wait to be steered are in no example; their refusals were judged above.
      const common = sent.filter(({ operation }) => !/ \/sandbox\/(charges|card-refunds)\//.test(operation));
      const succeeded = common.filter(({ status }) => status < 300).length;
      // Of the operator's calls most name a record, and the page cannot know whose.
      if (reader === "developer") expect(succeeded / common.length).toBeGreaterThan(0.75);
    },
  );

  test.each(readers)("%s: a click sends just that", { timeout: longMs }, async (reader) => {
    const all = filledCalls(await read(reader)).map(({ operation }) => operation);
    const wanted = all.filter((operation) => clicksAll || samples[reader].includes(operation));
    for (let from = 0; from < wanted.length; from += mostPerPage) {
      const { page } = await visit();
      page.setDefaultTimeout(patienceMs);
      const filled = await open(page, reader, wanted.slice(from, from + mostPerPage));
      const sent: Sent[] = [];
      for (const { declared, place, ...call } of filled) {
        const clicked = await click(page, call.operation, place);
        expect(clicked.call).toEqual({ ...call, body: call.body && JSON.parse(call.body) });
        sent.push(clicked.sent);
      }
      judge(filled, sent);
      await page.close();
    }
  });
});
