import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { createTestApp } from "../../../testing/app.ts";
import { createMerchant } from "../../../testing/factories.ts";
import { kobo } from "../../money/kobo.ts";
import { lagosDate } from "../../platform/time/lagos-date.ts";
import type { CardChargeOrder, CardLinkAnswer, LinkedCard } from "../../rails/card.ts";
import type { CardOutcome } from "./card-number.ts";

const { db, call, clock, rails, ownerUrl } = await createTestApp();
const { rail, tokenize, makeToken } = rails.simulatedCard;
const { environment, secretKey } = await createMerchant(db);
const environmentId = environment.id;
const other = (await createMerchant(db)).environment.id;
const owner = new pg.Client({ connectionString: ownerUrl });
await owner.connect();
afterAll(() => owner.end());

const typed = { number: "4084084084084081", expMonth: 12, expYear: 2099, cvv: "408" };
const paid = { outcome: "success" };
const refused = (code: string) => ({ outcome: "declined", code, message: expect.any(String) });

const link = (cardToken: string, linkId: string = randomUUID(), sandbox = environmentId) =>
  rail.link({ environmentId: sandbox, linkId, customerId: randomUUID(), cardToken });

function cardOf(answer: CardLinkAnswer): LinkedCard {
  if (answer.outcome !== "linked") throw new Error(`the card was not linked: ${JSON.stringify(answer)}`);
  return answer.card;
}

const linked = async (outcome: CardOutcome = "linked") => cardOf(await link(await makeToken(environmentId, outcome)));

async function order(change: Partial<CardChargeOrder> = {}): Promise<CardChargeOrder> {
  const token = change.token ?? (await linked()).token;
  const narration = "Instalment 1";
  return { environmentId, chargeId: randomUUID(), token, amount: kobo(500_000n), narration, ...change };
}

async function count(table: string, sandbox = environmentId): Promise<number> {
  const found = await owner.query<{ rows: bigint }>(
    `select count(*) as rows from simulated_card.${table} where sandbox = $1`,
    [sandbox],
  );
  return Number(found.rows[0]?.rows);
}

describe("linking", () => {
  test("gives a card that can be charged, without its number", async () => {
    const { token, brand, last4 } = await tokenize(environmentId, typed);
    expect({ brand, last4 }).toEqual({ brand: "visa", last4: "4081" });
    expect(await link(token)).toEqual({
      outcome: "linked",
      card: {
        token: expect.stringMatching(/^card_/),
        brand,
        last4,
        expMonth: 12,
        expYear: 2099,
        bank: expect.any(String),
        // Everybody has the test cards, so nothing tells who shares one.
        fingerprint: null,
      },
    });
  });

  test.each([
    ["4084080000005408", refused("05")],
    ["5060666666666666666", { outcome: "linked" }],
    ["5555555555554444", { outcome: "linked", card: { brand: "mastercard" } }],
  ])("%s plays its part", async (number, answer) => {
    const { token } = await tokenize(environmentId, { ...typed, number });
    expect(await link(token)).toMatchObject(answer);
  });

  test.each([
    ["linked", { outcome: "linked" }],
    ["declined", refused("05")],
    ["declines_later", { outcome: "linked", card: { brand: "verve" } }],
  ] as const)("works without a browser, to be %s", async (outcome, answer) => {
    expect(await link(await makeToken(environmentId, outcome))).toMatchObject(answer);
  });

  test("is declined with the code 000, and the answer tells which card that was, as for a linked one", async () => {
    const number = "5555555555554444";
    const plays = async (cvv: string) => link((await tokenize(environmentId, { ...typed, number, cvv })).token);
    const { fingerprint } = cardOf(await plays("123"));
    expect(fingerprint).toMatch(/^[0-9a-f]{8}$/);
    expect(await plays("000")).toEqual({ ...refused("05"), fingerprint });
    const { token } = await tokenize(environmentId, { ...typed, cvv: "000" });
    expect(await link(token), "a test card takes any code").toMatchObject({ outcome: "linked" });
  });

  test("under one id happens once however many orders arrive at the same time", async () => {
    const [cardToken, linkId] = [await makeToken(environmentId, "linked"), randomUUID()];
    const answers = await Promise.all(Array.from({ length: 10 }, () => link(cardToken, linkId)));
    expect(answers[0]).toMatchObject({ outcome: "linked" });
    expect(answers).toEqual(answers.map(() => answers[0]));
  });

  test("keeps its first answer, whatever token comes later", async () => {
    const linkId = randomUUID();
    expect(await link(await makeToken(environmentId, "declined"), linkId)).toEqual(refused("05"));
    expect(await link(await makeToken(environmentId, "linked"), linkId)).toEqual(refused("05"));
  });

  test("spends its token: of ten links at the same time one gets the card", async () => {
    const cardToken = await makeToken(environmentId, "linked");
    const answers = await Promise.all(Array.from({ length: 10 }, () => link(cardToken)));
    expect(answers.filter(({ outcome }) => outcome === "linked")).toHaveLength(1);
    expect(answers.filter(({ outcome }) => outcome === "declined")).toHaveLength(9);
    expect(await link(cardToken)).toEqual(refused("invalid_token"));
  });

  test("takes no token of another sandbox, and none that is made up", async () => {
    const cardToken = await makeToken(environmentId, "linked");
    expect(await link(cardToken, randomUUID(), other)).toEqual(refused("invalid_token"));
    for (const madeUp of ["", "ctok_", "4084084084084081", "'; drop table x", "x".repeat(10_000)]) {
      expect(await link(madeUp)).toEqual(refused("invalid_token"));
    }
    expect(await link(cardToken)).toMatchObject({ outcome: "linked" });
  });

  test("comes too late after ten minutes of the sandbox's time, and old tokens go", async () => {
    const { environment: sandbox } = await createMerchant(db);
    const [early, late] = [await makeToken(sandbox.id, "linked"), await makeToken(sandbox.id, "linked")];
    await clock.advance(sandbox.id, { seconds: 590 });
    expect(await link(early, randomUUID(), sandbox.id)).toMatchObject({ outcome: "linked" });
    await clock.advance(sandbox.id, { seconds: 11 });
    expect(await link(late, randomUUID(), sandbox.id)).toEqual(refused("invalid_token"));
    expect(await count("tokens", sandbox.id)).toBe(2);
    await makeToken(sandbox.id, "linked");
    expect(await count("tokens", sandbox.id)).toBe(1);
  });
});

describe("a charge", () => {
  test("takes money once however many orders arrive at the same time", async () => {
    const sent = await order();
    const answers = await Promise.all(Array.from({ length: 10 }, () => rail.charge(sent)));
    expect(answers).toEqual(answers.map(() => paid));
    const booked = await owner.query("select attempts, status from simulated_card.charges where charge_id = $1", [
      sent.chargeId,
    ]);
    expect(booked.rows).toEqual([{ attempts: 10, status: "paid" }]);
    expect(await rail.query(sent)).toEqual(paid);
  });

  test("is declined for lack of money by a card that links and pays nothing", async () => {
    const sent = await order({ token: (await linked("declines_later")).token });
    expect(await rail.charge(sent)).toEqual(refused("51"));
    expect(await rail.query(sent)).toEqual(refused("51"));
  });

  test("keeps its outcome when the card changes afterwards", async () => {
    const sent = await order();
    await rail.charge(sent);
    await rail.unlink(sent);
    expect(await rail.charge(sent)).toEqual(paid);
    expect(await rail.query(sent)).toEqual(paid);
  });

  test("is declined by a card that is unlinked, unknown or another sandbox's", async () => {
    const { token } = await linked();
    for (const _ of [1, 2]) expect(await rail.unlink({ environmentId, token })).toEqual({ outcome: "unlinked" });
    expect(await rail.charge(await order({ token }))).toEqual(refused("14"));
    expect(await rail.charge(await order({ token: "card_of_nobody" }))).toEqual(refused("14"));
    expect(await rail.charge(await order({ environmentId: other }))).toEqual(refused("14"));
  });

  test("is declined once the card's month is over in the sandbox's time", async () => {
    const { environment: sandbox } = await createMerchant(db);
    // A card expires with its month in Lagos: an hour before midnight UTC that is the next month already.
    const { month, year } = lagosDate(new Date());
    const expiry = { expMonth: month, expYear: year };
    const { token: cardToken } = await tokenize(sandbox.id, { ...typed, ...expiry });
    const { token } = cardOf(await link(cardToken, randomUUID(), sandbox.id));
    const send = async () => rail.charge(await order({ environmentId: sandbox.id, token }));
    expect(await send()).toEqual(paid);
    await clock.advance(sandbox.id, { days: 32 });
    expect(await send()).toEqual(refused("54"));
  });

  test("that never arrived has no record, nor has another sandbox's", async () => {
    const sent = await order();
    expect(await rail.query(sent)).toEqual({ outcome: "no_record" });
    await rail.charge(sent);
    expect(await rail.query({ ...sent, environmentId: other })).toEqual({ outcome: "no_record" });
  });
});

describe("a refund", () => {
  const refund = (chargeId: string, naira: number, refundId: string = randomUUID()) =>
    rail.refund({ environmentId, refundId, chargeId, amount: kobo(BigInt(naira) * 100n) });

  test("gives back what was charged and no more, also in parts at the same time", async () => {
    const { chargeId, ...sent } = await order();
    await rail.charge({ chargeId, ...sent });
    const answers = await Promise.all(Array.from({ length: 6 }, () => refund(chargeId, 1_000)));
    expect(answers.filter(({ outcome }) => outcome === "success")).toHaveLength(5);
    expect(answers).toContainEqual(refused("refund_exceeds_charge"));
  });

  test("under one id is given once, and keeps its answer", async () => {
    const sent = await order();
    await rail.charge(sent);
    const refundId = randomUUID();
    const answers = await Promise.all([1, 2, 3].map(() => refund(sent.chargeId, 4_000, refundId)));
    expect(answers).toEqual([paid, paid, paid]);
    expect(await refund(sent.chargeId, 2_000)).toEqual(refused("refund_exceeds_charge"));
    expect(await refund(sent.chargeId, 1_000)).toEqual(paid);
  });

  test("needs a charge that was paid", async () => {
    const sent = await order({ token: (await linked("declines_later")).token });
    await rail.charge(sent);
    expect(await refund(sent.chargeId, 1)).toEqual(refused("charge_not_found"));
    expect(await refund(randomUUID(), 1)).toEqual(refused("charge_not_found"));
  });
});

test("a reset of the sandbox empties these books and no other's", async () => {
  const sent = await order();
  await rail.charge(sent);
  await rail.refund({ ...sent, refundId: randomUUID() });
  await makeToken(other, "linked");
  expect((await call("POST", "/sandbox/reset", { key: secretKey })).statusCode).toBe(200);
  for (const table of ["tokens", "links", "charges", "refunds"])
    expect([table, await count(table)]).toEqual([table, 0]);
  expect(await count("tokens", other)).toBeGreaterThan(0);
  expect(await rail.query(sent)).toEqual({ outcome: "no_record" });
});
