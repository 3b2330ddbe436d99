/** The page that plays a holder's bank: what it asks, what it lets happen, and what it never lets through. */
import Fastify from "fastify";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { Problem } from "../../platform/problem.ts";
import { type BankQuestion, type BankSubject, bankPagePath, registerBankPage } from "./bank-page.ts";

const sandbox = "01932c5e-8f4b-7c3a-9d2e-5b6a7c8d9e0f";
const id = "01932c5e-8f4b-7c3a-9d2e-000000000001";
const address = `${bankPagePath}/${sandbox}/charges/${id}`;
const question: BankQuestion = {
  title: "Is this <payment> yours?",
  text: 'NGN 2500.50 & "more"',
  choices: [
    { word: "confirm", label: "Confirm <it>" },
    { word: "decline", label: "Refuse it" },
  ],
};

const app = Fastify();
const state: { asked: BankSubject[]; decided: string[]; question: BankQuestion | undefined; next: string | null } = {
  asked: [],
  decided: [],
  question,
  next: null,
};
app.setErrorHandler((error, _, reply) => reply.status(error instanceof Problem ? 404 : 500).send(String(error)));
registerBankPage(app, {
  read: async (subject) => {
    state.asked.push(subject);
    return state.question;
  },
  decide: async (_, word) => {
    state.decided.push(word);
    return state.next;
  },
});

beforeEach(() => {
  Object.assign(state, { asked: [], decided: [], question, next: null });
});
afterAll(() => app.close());

const post = (url: string) =>
  app.inject({
    method: "POST",
    url,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: "any=thing",
  });

describe("the page", () => {
  test("asks about the thing in its address, with a button for each choice", async () => {
    const { statusCode, headers, body } = await app.inject(address);
    expect(statusCode).toBe(200);
    expect(headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(state.asked).toEqual([{ sandbox, collection: "charges", id }]);
    const forms = [...body.matchAll(/<form method="post" action="([^"]+)"><button>([^<]+)<\/button>/g)];
    expect(forms.map(([, action, label]) => [action, label])).toEqual([
      [`${address}/confirm`, "Confirm &lt;it&gt;"],
      [`${address}/decline`, "Refuse it"],
    ]);
  });

  test("shows texts as texts, never as a part of itself", async () => {
    const { body } = await app.inject(address);
    expect(body).toContain("Is this &lt;payment&gt; yours?");
    expect(body).not.toContain("<payment>");
    expect(body).not.toContain("<it>");
  });

  test("runs nothing, is framed by nobody, and is kept nowhere", async () => {
    const { headers } = await app.inject(address);
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
    expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    });
  });

  test("has no button when nothing is left to decide", async () => {
    state.question = { title: "The payment is confirmed", text: "Go back.", choices: [] };
    expect((await app.inject(address)).body).not.toContain("<button>");
  });

  test("is not there for what does not exist", async () => {
    state.question = undefined;
    expect((await app.inject(address)).statusCode).toBe(404);
    expect((await post(`${address}/confirm`)).statusCode).toBe(404);
    expect(state.decided).toEqual([]);
  });

  test.each([`${bankPagePath}/sandbox/charges/${id}`, `${bankPagePath}/${sandbox}/charges/1`])(
    "does not look for what no id can name: %s",
    async (url) => {
      expect((await app.inject(url)).statusCode).toBe(404);
      expect(state.asked).toEqual([]);
    },
  );
});

describe("a decision", () => {
  test.each(["confirm", "decline"])("to %s is taken once, and the holder sees the page again", async (word) => {
    const reply = await post(`${address}/${word}`);
    expect([reply.statusCode, reply.headers.location]).toEqual([303, address]);
    expect(state.decided).toEqual([word]);
  });

  test("leads on to where the holder came from", async () => {
    state.next = "https://shop.example/back";
    expect((await post(`${address}/confirm`)).headers.location).toBe("https://shop.example/back");
  });

  test.each(["refund", "Confirm", "toString"])("for %s is not one of the choices and does nothing", async (word) => {
    expect((await post(`${address}/${word}`)).statusCode).toBe(404);
    expect(state.decided).toEqual([]);
  });

  test("is not taken when there is nothing left to decide", async () => {
    state.question = { ...question, choices: [] };
    expect((await post(`${address}/confirm`)).statusCode).toBe(404);
    expect(state.decided).toEqual([]);
  });

  test("is not taken by a link: a GET of it does nothing", async () => {
    expect((await app.inject(`${address}/confirm`)).statusCode).toBe(404);
    expect(state.decided).toEqual([]);
  });
});
