/** From an operation and its input to a request: address, query, casing, key and headers. */
import { describe, expect, test } from "vitest";
import { Jara, JaraInputError } from "../index.ts";
import type { FetchInit } from "./fetching.ts";

interface Sent extends FetchInit {
  readonly url: string;
}

function clientWith(
  options: { readonly baseUrl?: string } = {},
  reply: () => Response = () => Response.json({ status: true, data: {} }),
) {
  const sent: Sent[] = [];
  const jara = new Jara({
    secretKey: "sk_test_secret",
    baseUrl: "http://jara.test",
    ...options,
    fetch: async (url, init) => {
      sent.push({ url, ...init });
      return reply();
    },
  });
  return { jara, sent };
}

describe("an address", () => {
  test.each([
    ["plain", "t-1", "/transfers/t-1"],
    ["with a slash", "a/b", "/transfers/a%2Fb"],
    ["with a question mark", "a?b=c", "/transfers/a%3Fb%3Dc"],
    ["with a hash", "a#b", "/transfers/a%23b"],
    ["with letters of ours", "ọ̀", "/transfers/%E1%BB%8D%CC%80"],
    ["of three dots, which are a name", "...", "/transfers/..."],
  ])("has one part for an id %s", async (_case, id, path) => {
    const { jara, sent } = clientWith();
    await jara.transfers.get(id);
    expect(sent[0]?.url).toBe(`http://jara.test${path}`);
  });

  test.each(["", ".", ".."])("is not made of the id %j: it would be another address", async (id) => {
    const { jara, sent } = clientWith();
    await expect(jara.transfers.get(id)).rejects.toBeInstanceOf(JaraInputError);
    expect(sent).toEqual([]);
  });

  test("is below the path that the server has", async () => {
    const { jara, sent } = clientWith({ baseUrl: "https://api.example.com/jara/" });
    await jara.transfers.listBanks();
    expect(sent[0]?.url).toBe("https://api.example.com/jara/transfers/banks");
  });
});

describe("a query", () => {
  const queryOf = async (query: object) => {
    const { jara, sent } = clientWith();
    await jara.request("GET /x", { query });
    return sent[0]?.url.slice("http://jara.test/x".length);
  };

  test.each([
    [{}, ""],
    [{ a: undefined, b: null }, ""],
    [{ status: "failed", limit: 5 }, "?status=failed&limit=5"],
    [{ q: "a&b=c d" }, "?q=a%26b%3Dc%20d"],
    [{ flag: false, zero: 0, empty: "" }, "?flag=false&zero=0&empty="],
    [{ from: new Date("2026-11-01T08:00:00.000Z") }, "?from=2026-11-01T08%3A00%3A00.000Z"],
  ])("of %j is written %s", async (query, text) => {
    expect(await queryOf(query)).toBe(text);
  });
});

describe("a body", () => {
  test("under /loans has the wire's casing at every depth; elsewhere it has its own", async () => {
    const { jara, sent } = clientWith();
    const body = { firstName: "Ada", items: [{ unitPrice: 1 }] };
    await jara.request("POST /loans/x", { body });
    await jara.request("POST /transfers/x", { body });
    expect(sent.map(({ body: text }) => JSON.parse(text ?? ""))).toEqual([
      { first_name: "Ada", items: [{ unit_price: 1 }] },
      body,
    ]);
  });

  test("that is wired goes out as it is, and comes back as it is", async () => {
    const reply = () => Response.json({ status: true, data: { first_name: "Ada" } });
    const { jara, sent } = clientWith({}, reply);
    const data = await jara.request("POST /loans/x", { body: { someName: "12.50" }, wire: true });
    expect(sent[0]?.body).toBe('{"someName":"12.50"}');
    expect(data).toEqual({ first_name: "Ada" });
  });

  test("is of JSON only where there is one", async () => {
    const { jara, sent } = clientWith();
    await jara.loans.cancel("l-1");
    await jara.events.redeliver("e-1");
    expect(sent.map(({ headers, body }) => [headers["content-type"], body])).toEqual([
      [undefined, undefined],
      ["application/json", "{}"],
    ]);
  });
});

describe("an idempotency key", () => {
  test.each(["GET", "PUT", "PATCH", "DELETE"])("does not go with a %s", async (method) => {
    const { jara, sent } = clientWith();
    await jara.request(`${method} /x`);
    expect(sent[0]?.headers).not.toHaveProperty("idempotency-key");
  });

  test("goes with every POST, and the caller can take it away", async () => {
    const { jara, sent } = clientWith();
    await jara.request("POST /x");
    await jara.request("POST /x", { idempotencyKey: false });
    await jara.request("POST /x", { idempotencyKey: "mine" });
    expect(sent.map(({ headers }) => headers["idempotency-key"])).toEqual([
      expect.stringMatching(/^[0-9a-f-]{36}$/),
      undefined,
      "mine",
    ]);
  });

  test.each(["", " ", "a b", "é", "x".repeat(256), "a\nb"])("of %j is refused before anything is sent", async (key) => {
    const { jara, sent } = clientWith();
    await expect(jara.request("POST /x", { idempotencyKey: key })).rejects.toBeInstanceOf(JaraInputError);
    expect(sent).toEqual([]);
  });
});

test("headers of the caller's come along, and count more than ours", async () => {
  const { jara, sent } = clientWith();
  await jara.request("GET /x", { headers: { accept: "text/csv", "x-own": "1" } });
  expect(sent[0]?.headers).toMatchObject({
    accept: "text/csv",
    "x-own": "1",
    authorization: "Bearer sk_test_secret",
    "user-agent": expect.stringMatching(/^jara-sdk\/\d+\.\d+\.\d+$/),
  });
});

test("every reply is told to both who asked to hear of it, the client's first", async () => {
  const heard: string[] = [];
  const jara = new Jara({
    secretKey: "sk_test_1",
    onReply: ({ operation }) => void heard.push(`client ${operation}`),
    fetch: async () => Response.json({ status: true, data: {} }),
  });
  await jara.request("GET /x", { onReply: ({ operation }) => void heard.push(`call ${operation}`) });
  expect(heard).toEqual(["client GET /x", "call GET /x"]);
});

test.each([
  ["a page of a proxy", () => new Response("<html>Welcome</html>", { status: 200 })],
  ["nothing at all", () => new Response("", { status: 200 })],
  ["a list where a record belongs", () => Response.json([1, 2])],
  ["half a reply", () => new Response('{"data":', { status: 200 })],
])("%s is not taken for success", async (_case, reply) => {
  const { jara } = clientWith({}, reply);
  await expect(jara.request("GET /x", { maxRetries: 0 })).rejects.toThrow();
});
