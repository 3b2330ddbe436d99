/**
 * A card's number goes to the vault and nowhere else. It is sent here in every way that a page, a mistake or a stranger
 * could send it, and then looked for in all the database, in everything that was logged at the finest level before any
 * redaction, in the metrics and in every reply.
 */
import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { beforeAll, describe, expect, test } from "vitest";
import { createTestApp } from "../../../testing/app.ts";
import { openCardPage } from "../../../testing/checkout/card-page.ts";
import { findDigits, findDigitsInDatabase } from "../../../testing/platform/find-digits.ts";
import { asOwner } from "../../../testing/work.ts";
import { kobo } from "../../money/kobo.ts";
import { vaultPath } from "./simulated-card.ts";

/** Known to no test card, so that it can come from nowhere else. */
const number = "4916338506082832";
const spaced = "4916 3385 0608 2832";
const card = { number: spaced, expMonth: 12, expYear: 2099, cvv: "917" };

const logged: string[] = [];
const log = pino({ level: "trace" }, { write: (line: string) => void logged.push(line) });
const { app, call, ownerUrl, rails, merchant } = await createTestApp({ log });
const environmentId = merchant.environment.id;
const replies: string[] = [];
let page: string;

interface Sending {
  readonly method?: "POST" | "GET" | "PUT";
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

async function send({ method = "POST", path = vaultPath, headers = {}, body }: Sending): Promise<number> {
  const given = { authorization: `Bearer ${page}`, "content-type": "application/json", ...headers };
  const payload = body === undefined ? {} : { payload: body };
  const reply = await app.inject({ method, url: path, headers: given, ...payload });
  replies.push(JSON.stringify(reply.headers) + reply.payload);
  return reply.statusCode;
}

const json = (change: Readonly<Record<string, unknown>> = {}) => JSON.stringify({ ...card, ...change });

beforeAll(async () => {
  page = await openCardPage(ownerUrl, environmentId);
});

describe("a card's number", () => {
  test("goes the way of the hosted page: from the vault to a card that the customer has", async () => {
    const ada = { first_name: "Ada", last_name: "Obi", email: "ada@example.com", phone: "08031234567" };
    const customer = await call("POST", "/loans/bnpl/customers", { body: { ...ada, bvn: "22212345678" } });
    const cards = `/loans/bnpl/customers/${customer.json().data.id}/cards`;
    const invitation = (await call("POST", `${cards}/link`, { body: {} })).json().data;
    const authorization = `Bearer ${invitation.url.split("#")[1]}`;
    const visit = async (path: string, body: object) => {
      const reply = await app.inject({ method: "POST", url: path, headers: { authorization }, payload: body });
      replies.push(reply.payload);
      return reply.json().data;
    };
    const mistaken = await visit("/hosted/card-link/card", { cardToken: number });
    expect(mistaken?.status ?? "refused").not.toBe("linked");
    const { token: cardToken } = await visit(vaultPath, card);
    expect(await visit("/hosted/card-link/card", { cardToken })).toMatchObject({ status: "linked" });
    const listed = await call("GET", cards);
    expect(listed.json().data).toMatchObject([{ brand: "visa", last4: "2832" }]);
    replies.push(listed.payload, (await call("GET", "/events")).payload);
  });

  test("is taken, linked, charged and refunded", async () => {
    expect(await send({ body: json() })).toBe(201);
    expect(await send({ body: json({ number }) })).toBe(201);
    const { rail, tokenize } = rails.simulatedCard;
    const { token: cardToken } = await tokenize(environmentId, card);
    const answer = await rail.link({ environmentId, linkId: randomUUID(), customerId: randomUUID(), cardToken });
    if (answer.outcome !== "linked") throw new Error("the canary was not linked");
    const charge = { environmentId, chargeId: randomUUID(), token: answer.card.token, amount: kobo(100n) };
    expect(await rail.charge({ ...charge, narration: "Instalment" })).toEqual({ outcome: "success" });
    expect(await rail.refund({ ...charge, refundId: randomUUID() })).toEqual({ outcome: "success" });
    replies.push(JSON.stringify(answer));
  });

  test.each<[string, number, Sending]>([
    ["as a number", 422, { body: json().replace(`"${spaced}"`, number) }],
    ["as the month", 422, { body: json({ number: "4084084084084081", expMonth: number }) }],
    ["as the year", 422, { body: json({ expYear: Number(number) }) }],
    ["as the code", 422, { body: json({ cvv: number }) }],
    ["as a field's name", 422, { body: JSON.stringify({ [number]: card }) }],
    ["in a field that nobody knows", 201, { body: json({ number: "4084084084084081", pan: number }) }],
    ["in a list", 422, { body: JSON.stringify([card, number]) }],
    ["as the whole body", 422, { body: JSON.stringify(number) }],
    ["with a broken last digit", 422, { body: json({ number: `${number.slice(0, -1)}9` }) }],
    ["with a NUL behind it", 422, { body: json({ number: `${number}\0` }) }],
    ["in JSON that ends too early", 400, { body: `{"number":"${number}` }],
    ["in JSON that goes on too long", 400, { body: `${json()}${number}` }],
    ["in bytes that are no text", 400, { body: Buffer.concat([Buffer.from(json()), Buffer.from([0xff])]) }],
    ["in a form", 415, { headers: { "content-type": "application/x-www-form-urlencoded" }, body: `number=${number}` }],
    ["in a body that is too large", 413, { body: json({ note: number.repeat(400) }) }],
    ["in the query", 422, { path: `${vaultPath}?number=${number}`, body: "{}" }],
    ["in a query of broken text", 422, { path: `${vaultPath}?number=${number}%00`, body: json() }],
    ["in the path", 404, { path: `${vaultPath}/${number}`, body: json() }],
    ["by another method", 405, { method: "PUT", body: json() }],
    ["as the page's token", 401, { headers: { authorization: `Bearer ${number}` }, body: json() }],
    ["with a strange scheme", 401, { headers: { authorization: `Card ${number}` }, body: json() }],
    ["under an Idempotency-Key", 201, { headers: { "idempotency-key": number }, body: json() }],
    ["to a path of the API", 401, { path: "/loans/create", headers: { authorization: "" }, body: json() }],
    [
      "to a path that takes a merchant's key",
      422,
      {
        path: "/wallets/sub-accounts",
        headers: { authorization: `Bearer ${merchant.secretKey}` },
        body: json(),
      },
    ],
  ])("sent %s is refused or forgotten", async (_, status, sending) => {
    expect(await send(sending)).toBe(status);
  });

  test("sent while the vault's books are out of reach is a bug that tells nothing", async () => {
    const before = logged.length;
    await asOwner(ownerUrl, "revoke insert on simulated_card.tokens from jara_app");
    expect(await send({ body: json() })).toBe(500);
    await asOwner(ownerUrl, "grant insert on simulated_card.tokens to jara_app");
    expect(logged.slice(before).join("")).toContain("permission denied");
  });

  test("is in no row, no log line, no figure and no reply afterwards", async () => {
    const { searched, found } = await findDigitsInDatabase(number, ownerUrl);
    expect(searched).toEqual(
      expect.arrayContaining(["public.card_links", "pgboss.job_common", "simulated_card.tokens"]),
    );
    expect(found).toEqual([]);
    expect(findDigits(number, logged.join(""))).toEqual([]);
    expect(findDigits(number, (await app.inject("/metrics")).payload)).toEqual([]);
    expect(replies.length).toBeGreaterThan(20);
    expect(replies.filter((reply) => findDigits(number, reply).length > 0)).toEqual([]);
  });

  test("would be found in a row and in a line", async () => {
    const message = { environmentId, messageId: randomUUID(), channel: "sms", to: "+2348031234567" } as const;
    await rails.simulatedMessage.rail.send({ ...message, text: `Your card ${spaced}` });
    await asOwner(ownerUrl, `create table public.leak as select '${number}'::bytea as bytes`);
    const { found } = await findDigitsInDatabase(number, ownerUrl);
    expect(found).toEqual(["public.leak", "simulated_message.messages"]);
    await asOwner(ownerUrl, "drop table public.leak");
    expect(findDigits(number, `{"number":"4916-3385-0608-2832"}`)).not.toEqual([]);
    expect(findDigits(number, "card 4916338506 and no more")).not.toEqual([]);
    expect(findDigits(number, "491633 … 2832")).toEqual([]);
  });
});
