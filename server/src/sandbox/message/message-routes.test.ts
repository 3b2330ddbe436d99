import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { createTestApp } from "../../../testing/app.ts";
import { createMerchant, type TestMerchant } from "../../../testing/factories.ts";
import { issueKeyFor, issueLiveKeyFor } from "../../../testing/keys.ts";
import type { Message } from "../../rails/message.ts";
import { booksOf } from "../in-books.ts";

const { db, call, clock, rails, pool } = await createTestApp();
const { rail } = rails.simulatedMessage;
let merchant: TestMerchant;

beforeEach(async () => {
  merchant = await createMerchant(db);
});

const ada = "+2348031234567";
const bola = "+2348051234567";

function send(change: Partial<Message> = {}) {
  const message = { messageId: randomUUID(), channel: "sms", to: ada, text: "123456 is your code." } as const;
  return rail.send({ environmentId: merchant.environment.id, ...message, ...change });
}

async function read(query = "", key = merchant.secretKey) {
  const reply = await call("GET", `/sandbox/messages${query}`, { key });
  return { status: reply.statusCode, body: reply.json() };
}

const textsOf = ({ body }: Awaited<ReturnType<typeof read>>) => body.data.map(({ text }: Message) => text);

describe("GET /sandbox/messages", () => {
  test("shows what was sent, at the time of the sandbox", async () => {
    await call("PUT", "/sandbox/clock", {
      key: merchant.secretKey,
      body: { mode: "frozen", now: "2030-01-01T08:00:00.000Z" },
    });
    const messageId = randomUUID();
    expect(await send({ messageId })).toEqual({ outcome: "sent", providerId: `sim_${messageId}` });
    const { status, body } = await read();
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: true, message: "Messages retrieved" });
    expect(body.data).toEqual([
      {
        id: messageId,
        channel: "sms",
        to: ada,
        text: "123456 is your code.",
        status: "delivered",
        createdAt: "2030-01-01T08:00:00.000Z",
      },
    ]);
  });

  test("has the newest first, page by page, with exact totals", async () => {
    for (const text of ["one", "two", "three"]) await send({ text });
    expect(textsOf(await read())).toEqual(["three", "two", "one"]);
    const second = await read("?page=2&limit=2");
    expect(textsOf(second)).toEqual(["one"]);
    expect(second.body.pagination).toMatchObject({ currentPage: 2, totalPages: 2, totalItems: 3, hasNextPage: false });
    expect(textsOf(await read("?page=9007199254740991&limit=100"))).toEqual([]);
  });

  test.each(["08051234567", "2348051234567", "%2B2348051234567", "+2348051234567"])(
    "finds what went to %s",
    async (to) => {
      await send({ text: "for Ada" });
      await send({ to: bola, text: "for Bola" });
      const found = await read(`?to=${to}`);
      expect(textsOf(found)).toEqual(["for Bola"]);
      expect(found.body.pagination.totalItems).toBe(1);
    },
  );

  test("shows a message once, with its first text, however often it is sent at the same time", async () => {
    const messageId = randomUUID();
    await send({ messageId, text: "first" });
    const answers = await Promise.all([1, 2, 3].map(() => send({ messageId, text: "again" })));
    expect(answers.map(({ outcome }) => outcome)).toEqual(["sent", "sent", "sent"]);
    expect(textsOf(await read())).toEqual(["first"]);
    const booked = await booksOf(pool, merchant.environment.id).query(
      "select attempts from simulated_message.messages where message_id = $1",
      [messageId],
    );
    expect(booked.rows).toEqual([{ attempts: 4 }]);
  });

  test("shows nothing of another sandbox", async () => {
    await send();
    const other = await createMerchant(db);
    expect((await read("", other.secretKey)).body.data).toEqual([]);
  });

  test("is empty after a reset", async () => {
    await send();
    await call("POST", "/sandbox/reset", { key: merchant.secretKey });
    expect((await read()).body.data).toEqual([]);
  });

  test("goes on when the clock moves back to real time", async () => {
    await clock.advance(merchant.environment.id, { days: 400 });
    await send({ text: "ahead" });
    await call("PUT", "/sandbox/clock", {
      key: merchant.secretKey,
      body: { mode: "frozen", now: "2031-01-01T00:00:00Z" },
    });
    await send({ text: "later" });
    expect(textsOf(await read())).toEqual(["later", "ahead"]);
  });

  test.each([
    ["?to=12345", "to"],
    ["?to=", "to"],
    ["?to=%2B15551234567", "to"],
    [`?to=${"0".repeat(60)}`, "to"],
    ["?to=08051234567&to=08031234567", "to"],
    ["?page=0", "page"],
    ["?limit=101", "limit"],
  ])("refuses %s", async (query, field) => {
    const reply = await read(query);
    expect(reply).toMatchObject({ status: 422, body: { code: "validation_failed" } });
    expect(reply.body.errors).toEqual([expect.objectContaining({ field })]);
  });

  test("refuses a live key, and a key without the scope", async () => {
    const live = await issueLiveKeyFor(db, merchant.merchant.id);
    expect(await read("", live)).toMatchObject({ status: 403, body: { code: "sandbox_only" } });
    const writer = await issueKeyFor(db, merchant.environment.id, { scopes: ["sandbox:write"] });
    expect(await read("", writer)).toMatchObject({ status: 403, body: { code: "scope_missing" } });
  });
});
