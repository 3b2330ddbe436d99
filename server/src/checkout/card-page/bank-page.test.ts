/** Cards that are typed in on the bank's own page: the way there, the way back, and people who never come back. */
import { expect, test } from "vitest";
import { freshBvn, goodPerson, phoneOf } from "../../../testing/checkout/checkout.ts";
import { createCheckoutApp, goodCard } from "../../../testing/checkout/checkout-sessions.ts";
import { silentLog } from "../../../testing/work.ts";
import type { CardRail } from "../../rails/card.ts";
import { deskOf } from "../../rails/desk.ts";
import { booksOf } from "../../sandbox/in-books.ts";
import { claimLink } from "../cards/link-store.ts";
import { startCardLink } from "../cards/start-card-link.ts";
import { loanMoved } from "../follow-loans.ts";

const app = await createCheckoutApp();
const { call, advance, browseCard, heard, within } = app;
const environmentId = app.merchant.environment.id;
const codeOf = (reply: { statusCode: number; json(): { code: string } }) => [reply.statusCode, reply.json().code];

/** A customer whose processor has a page of its own. */
async function customer(email = "ada@bank-page.example"): Promise<string> {
  const bvn = freshBvn();
  const body = { ...goodPerson, email, bvn, phone: phoneOf(bvn) };
  const reply = await call("POST", "/loans/bnpl/customers", { body });
  expect(reply.statusCode, reply.body).toBe(201);
  return reply.json().data.id;
}

async function opened(customerId?: string) {
  const owner = customerId ?? (await customer());
  const reply = await call("POST", `/loans/bnpl/customers/${owner}/cards/link`, { body: {} });
  const { link_id: linkId, url } = reply.json().data as { link_id: string; url: string };
  const page = browseCard(url);
  return {
    customerId: owner,
    linkId,
    page,
    start: (headers = {}) => page.send("POST", "/hosted/card-link/start", undefined, headers),
    ask: (headers = {}) => page.send("POST", "/hosted/card-link/ask", undefined, headers),
  };
}

/** What the holder does at the bank. Returns where the browser is sent. */
async function atBank(path: string, word: string): Promise<string | undefined> {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const reply = await app.app.inject({ method: "POST", url: `${path}/${word}`, headers, payload: "" });
  expect(reply.statusCode, reply.body).toBe(303);
  return reply.headers.location;
}

const cardsOf = async (customerId: string) =>
  (await call("GET", `/loans/bnpl/customers/${customerId}/cards`)).json().data as { last4: string }[];
const rowOf = (linkId: string) =>
  within((tx) => tx.selectFrom("card_links").selectAll().where("id", "=", linkId).executeTakeFirstOrThrow());
const pages = async (customerId: string) =>
  (
    await booksOf(app.pool, environmentId).query<{ status: string }>(
      "select status from simulated_card.links where sandbox = $1 and customer_id = $2 order by opened_at, link_id",
      [environmentId, customerId],
    )
  ).rows.map(({ status }) => status);

test("the holder goes to the bank's page, comes back, and the card is linked", async () => {
  const { customerId, linkId, page, start, ask } = await opened();
  expect(await page.view()).toMatchObject({ status: "pending", tokenizePath: null });
  const { url } = (await start()).json().data;
  expect(url).toMatch(new RegExp(`^/sandbox/bank-page/${environmentId}/links/`));
  const row = await rowOf(linkId);
  expect(row.sealed_redirect_url?.includes("bank-page")).toBe(false);
  expect((await app.app.inject({ url })).body).toContain("Type in a card that works");
  expect(await page.view()).toMatchObject({ status: "processing" });
  expect((await ask()).json().data.status).toBe("processing");
  const back = await atBank(url, "linked");
  // The page's token goes to nobody: the browser's tab remembers it.
  expect(back).toBe(`http://localhost:4000/card-links/${linkId}`);
  const linked = await ask({ "idempotency-key": "back" });
  expect(linked.json().data).toMatchObject({ status: "linked", card: { last4: "4081" } });
  expect((await ask({ "idempotency-key": "back" })).body).toBe(linked.body);
  expect(await cardsOf(customerId)).toHaveLength(1);
  expect(await heard(linkId)).toEqual(["customer.card.link.successful"]);
  expect((await rowOf(linkId)).sealed_redirect_url).toBeNull();
  expect(codeOf(await start())).toEqual([409, "card_link_used"]);
  expect((await app.app.inject({ url })).body).toContain("This page was used");
});

test("a card is linked although the holder never comes back to our page", async () => {
  const { customerId, page, start } = await opened();
  const { url } = (await start()).json().data;
  await atBank(url, "linked");
  await advance({ seconds: 61 });
  expect((await page.view()).status).toBe("linked");
  expect(await cardsOf(customerId)).toHaveLength(1);
});

test("the same try leads to the same page, however often and at once it is opened", async () => {
  const { customerId, start } = await opened();
  const replies = await Promise.all(Array.from({ length: 6 }, () => start()));
  const urls = new Set(replies.map((reply) => reply.json().data?.url));
  expect([urls.size, replies.map(({ statusCode }) => statusCode)]).toEqual([1, Array(6).fill(200)]);
  const again = await start({ "idempotency-key": "start" });
  expect((await start({ "idempotency-key": "start" })).body).toBe(again.body);
  expect(await pages(customerId)).toEqual(["open"]);
});

test("a refused card is told, and the next try has a page of its own", async () => {
  const { linkId, page, start, ask } = await opened();
  const first = (await start()).json().data.url;
  await atBank(first, "declined");
  expect((await ask()).json().data).toMatchObject({ status: "declined", reason: { code: "05" } });
  const second = (await start()).json().data.url;
  expect(second).not.toBe(first);
  await atBank(second, "linked");
  await ask();
  expect((await page.view()).status).toBe("linked");
  expect(await heard(linkId)).toEqual(["customer.card.link.failed", "customer.card.link.successful"]);
});

test("a holder who goes back without a card can go there again", async () => {
  const { linkId, page, start } = await opened();
  const { url } = (await start()).json().data;
  expect(await atBank(url, "leave")).toBe(`http://localhost:4000/card-links/${linkId}`);
  expect((await page.view()).status).toBe("processing");
  expect((await start()).json().data.url).toBe(url);
});

test("a holder who never comes back leaves a link that expires and counts for nothing", async () => {
  const { customerId, linkId, page, start } = await opened();
  await start();
  await advance({ seconds: 30 * 60 });
  expect((await page.view()).status).toBe("expired");
  expect(codeOf(await start())).toEqual([409, "card_link_expired"]);
  expect((await rowOf(linkId)).status).toBe("processing");
  await advance({ days: 1 });
  expect(await rowOf(linkId)).toMatchObject({ status: "pending", declines: 0, sealed_redirect_url: null });
  expect(await pages(customerId)).toEqual(["left"]);
  expect(await heard(linkId)).toEqual([]);
});

test("a card that is typed in late, while the page can be used, is linked all the same", async () => {
  const { customerId, start } = await opened();
  const { url } = (await start()).json().data;
  await advance({ seconds: 40 * 60 });
  await atBank(url, "linked");
  await advance({ seconds: 20 * 60 });
  expect(await cardsOf(customerId)).toHaveLength(1);
});

function through(change: Partial<CardRail>) {
  const rail = { ...app.rails.simulatedCard.rail, ...change };
  const rails = { card: deskOf({ SANDBOX: rail, LIVE: null }) };
  const { sealer } = app.dependencies;
  return { db: app.db, sealer, rails, log: silentLog, loanMoved, publicUrl: "http://localhost:4000" };
}

test("a try whose page never opened is given up, and the next one opens", async () => {
  const { linkId, page, start } = await opened();
  const lost = through({ startLink: async () => ({ outcome: "unknown" }) });
  await expect(startCardLink(lost, { environmentId, linkId })).rejects.toMatchObject({ code: "unavailable" });
  const given = await rowOf(linkId);
  expect(given).toMatchObject({ status: "pending", declines: 0 });
  expect((await start()).statusCode).toBe(200);
  expect((await rowOf(linkId)).attempt_id).not.toBe(given.attempt_id);
  expect((await page.view()).status).toBe("processing");
});

test("nobody is sent to a page whose try was given up meanwhile", async () => {
  const { linkId, start } = await opened();
  const { startLink } = app.rails.simulatedCard.rail;
  const slow = through({
    async startLink(order) {
      const answer = await startLink?.(order);
      // Meanwhile the sweeper has asked about the try, and nobody had been sent to its page.
      await within((tx) => tx.updateTable("card_links").set({ status: "pending" }).where("id", "=", linkId).execute());
      return answer ?? { outcome: "unknown" };
    },
  });
  await expect(startCardLink(slow, { environmentId, linkId })).rejects.toMatchObject({ code: "unavailable" });
  expect((await start()).statusCode).toBe(200);
});

test("a processor that refuses the holder declines the link", async () => {
  const { linkId, page } = await opened();
  const refusal = { outcome: "declined", code: "invalid_email", message: "Not an e-mail." } as const;
  const refusing = through({ startLink: async () => refusal });
  expect(await startCardLink(refusing, { environmentId, linkId })).toBeNull();
  expect(await page.view()).toMatchObject({ status: "declined", reason: { code: "invalid_email" } });
});

test("a page that is said to be left is believed only when the link has run out", async () => {
  const { linkId, page, start } = await opened();
  await start();
  await booksOf(app.pool, environmentId).query(
    "delete from simulated_card.links where sandbox = $1 and status = 'open' returning link_id",
    [environmentId],
  );
  await advance({ seconds: 10 * 60 });
  expect((await page.view()).status).toBe("processing");
  await advance({ seconds: 60 * 60 });
  expect((await rowOf(linkId)).status).toBe("pending");
});

test("a link that is stale, exhausted or busy with another card opens no page", async () => {
  const stale = await opened();
  await opened(stale.customerId);
  expect(codeOf(await stale.start())).toEqual([409, "card_link_stale"]);
  const exhausted = await opened();
  for (let time = 0; time < 3; time += 1) {
    await atBank((await exhausted.start()).json().data.url, "declined");
    await exhausted.ask();
  }
  expect(codeOf(await exhausted.start())).toEqual([409, "card_link_exhausted"]);
  const busy = await opened();
  await within((tx) => {
    const attemptId = tx.environment.clock.newId();
    return claimLink(tx, app.dependencies.sealer, { id: busy.linkId, cardToken: "ctok_1", attemptId });
  });
  expect(codeOf(await busy.start())).toEqual([409, "card_link_in_progress"]);
});

test("customers whose card is typed in here are sent nowhere", async () => {
  const { page, start } = await opened(await customer("ada@example.com"));
  expect(codeOf(await start())).toEqual([409, "card_link_has_no_page"]);
  expect((await page.pay(goodCard)).json().data.status).toBe("linked");
});
