import { expect, test } from "vitest";
import { createCheckoutApp } from "../../../testing/checkout/checkout.ts";

const app = await createCheckoutApp();
const { call, advance, customer } = app;

const newLink = (id: string) => call("POST", `/loans/bnpl/customers/${id}/cards/link`, { body: {} });
const complete = (linkId: string, outcome: string) =>
  call("POST", `/sandbox/card-links/${linkId}/complete`, { body: { outcome } });
const codeOf = (reply: { statusCode: number; json(): { code: string } }) => [reply.statusCode, reply.json().code];

test("a link takes three refused cards and then none, also a good one", async () => {
  const id = await customer();
  const linkId = (await newLink(id)).json().data.link_id;
  for (const _ of [1, 2, 3]) expect((await complete(linkId, "declined")).json().data.status).toBe("declined");
  expect(codeOf(await complete(linkId, "linked"))).toEqual([409, "card_link_exhausted"]);
  const next = (await newLink(id)).json().data.link_id;
  expect((await complete(next, "linked")).json().data.status).toBe("linked");
});

test("after six refused cards there is no link until tomorrow, and after ten links neither", async () => {
  const id = await customer();
  for (const _ of [1, 2]) {
    const linkId = (await newLink(id)).json().data.link_id;
    for (const __ of [1, 2, 3]) await complete(linkId, "declined");
  }
  const refused = await newLink(id);
  expect(codeOf(refused)).toEqual([429, "card_link_limit_reached"]);
  // 08:00 in UTC is 09:00 in Lagos.
  expect(refused.headers["retry-after"]).toBe(String(15 * 3_600));
  const other = await customer();
  for (let made = 0; made < 10; made += 1) expect((await newLink(other)).statusCode).toBe(201);
  expect(codeOf(await newLink(other))).toEqual([429, "card_link_limit_reached"]);
  await advance({ seconds: 15 * 3_600 });
  for (const each of [id, other]) expect((await newLink(each)).statusCode).toBe(201);
});

test("another link starts no new count of refused cards", async () => {
  const id = await customer();
  const declined = async (linkId: string, times: number) => {
    for (let tries = 0; tries < times; tries += 1) {
      expect((await complete(linkId, "declined")).json().data.status).toBe("declined");
    }
  };
  await declined((await newLink(id)).json().data.link_id, 3);
  await declined((await newLink(id)).json().data.link_id, 2);
  const third = (await newLink(id)).json().data.link_id;
  await declined(third, 1);
  expect(codeOf(await complete(third, "linked"))).toEqual([409, "card_link_exhausted"]);
  expect(codeOf(await newLink(id))).toEqual([429, "card_link_limit_reached"]);
});

test("of tries that arrive together no more than three reach the network", async () => {
  const linkId = (await newLink(await customer())).json().data.link_id;
  for (let round = 0; round < 3; round += 1) {
    await Promise.all([1, 2, 3].map(() => complete(linkId, "declined")));
  }
  const { declines } = await app.within((tx) =>
    tx.selectFrom("card_links").select("declines").where("id", "=", linkId).executeTakeFirstOrThrow(),
  );
  expect(declines).toBe(3);
});

/** Types a card in on the page of a new link; the customer is a new one unless named. */
async function typeIn(card: { readonly number: string; readonly cvv: string }, customerId?: string) {
  const made = await newLink(customerId ?? (await customer()));
  const headers = { authorization: `Bearer ${made.json().data.url.split("#")[1]}` };
  const post = (url: string, payload: object) => app.app.inject({ method: "POST", url, headers, payload });
  const vault = await post("/hosted/card-vault/tokens", { ...card, expMonth: 12, expYear: 2030 });
  const done = await post("/hosted/card-link/card", { cardToken: vault.json().data.token });
  expect(done.statusCode, done.body).toBe(200);
  const { status, reason } = done.json().data;
  return [status, reason?.code ?? null];
}

const tooOften = ["declined", "card_refused_too_often"];

test("a card that was refused three times waits for every customer, also with the right code", async () => {
  const [wrong, right] = [
    { number: "4111111111111111", cvv: "000" },
    { number: "4111111111111111", cvv: "123" },
  ];
  for (const _ of [1, 2, 3]) expect(await typeIn(wrong)).toEqual(["declined", "05"]);
  expect(await typeIn(wrong)).toEqual(tooOften);
  const victim = await customer();
  expect(await typeIn(right, victim)).toEqual(tooOften);
  expect((await call("GET", `/loans/bnpl/customers/${victim}/cards`)).json().data).toEqual([]);
  expect(await typeIn({ ...right, number: "5555555555554444" }), "another card").toEqual(["linked", null]);
  // The network has forgotten what it had linked.
  await advance({ seconds: 59 });
  const kept = await app.within((tx) =>
    tx.selectFrom("customer_cards").select(["sealed_token"]).where("customer_id", "=", victim).execute(),
  );
  expect(kept).toEqual([{ sealed_token: null }]);
  expect(await typeIn(right)).toEqual(tooOften);
  for (const wait of [1, 599, 3_600, 21_600]) {
    await advance({ seconds: wait });
    if (wait === 599) expect(await typeIn(right), "ten minutes are not over").toEqual(tooOften);
    if (wait === 599) await advance({ seconds: 1 });
    expect(await typeIn(wrong)).toEqual(["declined", "05"]);
  }
  await advance({ seconds: 86_400 });
  expect(await typeIn(right, victim)).toEqual(["linked", null]);
});

test("a merchant's charges of a declining card are spaced, whatever the reference and the loan", async () => {
  const { loanId, customerId } = await app.lend("declines_later");
  let number = 0;
  const charge = (loan = loanId) => {
    number += 1;
    const body = { amount: 100, channel: "card", reference: `try-${loan}-${number}` };
    return call("POST", `/loans/bnpl/loans/${loan}/repayments`, { body });
  };
  const second = await app.loan(customerId);
  await app.consent(second);
  await advance({ seconds: 10 });
  for (const wait of [60, 600, 3_600, 21_600, 86_400]) {
    expect(codeOf(await charge())).toEqual([422, "card_declined"]);
    const soon = await charge(second);
    expect([...codeOf(soon), soon.headers["retry-after"]]).toEqual([429, "card_charge_too_soon", String(wait)]);
    await advance({ seconds: wait });
  }
});
