import { pino } from "pino";
import { Type } from "typebox";
import { afterAll, describe, expect, test } from "vitest";
import { createTestDatabase } from "../../../../testing/database.ts";
import { createMerchant } from "../../../../testing/factories.ts";
import { house } from "../../../start/slices.ts";
import { createMetrics } from "../../metrics.ts";
import { createSealer, generateMasterKey, parseMasterKeys } from "../../secrets/crypto.ts";
import type { Page } from "../caller.ts";
import { createGuardDependencies } from "../guard/guard.ts";
import { createOpenApiDocument } from "../openapi/document.ts";
import { describeRoute } from "../route.ts";
import { registerRoutes } from "./register-routes.ts";
import { createHttpServer } from "./server.ts";

const { db } = await createTestDatabase();
const merchant = await createMerchant(db, "Mama Put Foods");
const environmentId = merchant.environment.id;
const twin = await createMerchant(db, "Mama Put Foods");

const pageOf = (kind: Page["kind"], pageId: string): Page => ({
  kind,
  pageId,
  environmentId,
  environmentKind: "SANDBOX",
});

const pages: Readonly<Record<string, Page>> = {
  ada: pageOf("checkout", "018f0000-0000-7000-8000-00000000000a"),
  bola: pageOf("checkout", "018f0000-0000-7000-8000-00000000000b"),
  /** Ada's page again, in a sandbox that was frozen as hers. */
  twin: { ...pageOf("checkout", "018f0000-0000-7000-8000-00000000000a"), environmentId: twin.environment.id },
  card: pageOf("card-link", "018f0000-0000-7000-8000-00000000000c"),
};

let visits = 0;

const visit = describeRoute("page", {
  method: "POST",
  path: "/hosted/visit",
  page: "checkout",
  summary: "Visit",
  description: "Counts a visit.",
  body: Type.Object({ word: Type.String() }),
  reply: { status: 201, message: "Counted.", data: Type.Object({ pageId: Type.String(), visit: Type.Integer() }) },
  handle: (request) =>
    request.write(async () => {
      visits += 1;
      return { data: { pageId: request.page.pageId, visit: visits } };
    }),
});

async function startServer(perSecond: number) {
  const log = pino({ level: "silent" });
  const metrics = createMetrics({ sources: [], processFigures: false, onSourceError: () => {} });
  const app = createHttpServer({ log, metrics, trustProxy: 1 });
  const refuse = () => Promise.reject(new Error("no key is asked for here"));
  registerRoutes(app, [visit], {
    db,
    sealer: createSealer(parseMasterKeys(generateMasterKey())),
    settleFrozen: async () => {},
    guards: createGuardDependencies(
      {
        authenticate: refuse,
        authenticateMember: refuse,
        authenticateOperator: refuse,
        authenticatePerson: refuse,
        admit: refuse,
        requireScope: () => {},
        findPage: async (kind, token) => (pages[token]?.kind === kind ? pages[token] : undefined),
      },
      perSecond,
    ),
    catalogue: house.problems,
    bodyLimitBytes: 1_000,
  });
  await app.ready();
  afterAll(() => app.close());
  return (headers: Readonly<Record<string, string>>, payload: object = { word: "hello" }) =>
    app.inject({ method: "POST", url: "/hosted/visit", headers, payload });
}

const send = await startServer(0);
const holding = (token: string) => ({ authorization: `Bearer ${token}` });

describe("a page's token", () => {
  test("tells the handler which page it is", async () => {
    const reply = await send(holding("ada"));
    expect([reply.statusCode, reply.json().data.pageId]).toEqual([201, pages["ada"]?.pageId]);
  });

  test.each([
    ["is missing", {}],
    ["is not a bearer's", { authorization: "Basic YWRh" }],
    ["is empty", { authorization: "Bearer " }],
    ["is unknown", holding("chidi")],
    ["belongs to another kind of page", holding("card")],
    ["is a merchant's secret key", holding(merchant.secretKey)],
  ])("that %s is refused before the body is looked at", async (_, headers) => {
    const reply = await send(headers, {});
    expect(reply.statusCode).toBe(401);
    expect(reply.json()).toMatchObject({ status: false, code: "invalid_page_token", errors: [] });
    expect(reply.headers["www-authenticate"]).toBe("Bearer");
  });

  test("does not excuse a bad body", async () => {
    const reply = await send(holding("ada"), { word: 7 });
    expect([reply.statusCode, reply.json().errors[0].field]).toEqual([422, "word"]);
  });
});

describe("an Idempotency-Key of a page", () => {
  const withKey = (token: string, key: string) => send({ ...holding(token), "idempotency-key": key });

  test("replays the first reply", async () => {
    const first = await withKey("ada", "again");
    const again = await withKey("ada", "again");
    expect([again.body, again.headers["idempotent-replayed"]]).toEqual([first.body, "true"]);
  });

  test("means nothing to another page of the same merchant", async () => {
    await withKey("ada", "shared");
    const other = await withKey("bola", "shared");
    expect([other.statusCode, other.json().data.pageId]).toEqual([201, pages["bola"]?.pageId]);
    expect(other.headers).not.toHaveProperty("idempotent-replayed");
  });
});

describe("the limit of a page", () => {
  test("counts each page and address apart", async () => {
    const limited = await startServer(2);
    const from = (token: string, address: string) => limited({ ...holding(token), "x-forwarded-for": address });
    const replies = await Promise.all(Array.from({ length: 20 }, () => from("ada", "203.0.113.7")));
    const refused = replies.filter((reply) => reply.statusCode === 429);
    expect(refused.length).toBeGreaterThanOrEqual(10);
    expect(refused[0]?.json().code).toBe("rate_limited");
    expect(refused[0]?.headers["retry-after"]).toBe("1");
    expect((await from("bola", "203.0.113.7")).statusCode).toBe(201);
    expect((await from("twin", "203.0.113.7")).statusCode).toBe(201);
    expect((await from("ada", "203.0.113.8")).statusCode).toBe(201);
  });

  test("slows down an address that guesses tokens, and lets a right one through", async () => {
    const limited = await startServer(1);
    const guess = (token: string) => limited({ ...holding(token), "x-forwarded-for": "203.0.113.9" });
    const statuses = await Promise.all(
      Array.from({ length: 15 }, async (_, n) => (await guess(`guess${n}`)).statusCode),
    );
    expect(statuses.filter((status) => status === 401).length).toBeGreaterThanOrEqual(10);
    const again = await Promise.all(["guess1", "guess2", "guess3", "ada"].map(guess));
    expect(again.map((reply) => reply.statusCode).slice(0, 3)).toContain(429);
    expect(again[3]?.statusCode).toBe(201);
  });
});

test("the OpenAPI document leaves pages out", () => {
  const options = { catalogue: house.problems, events: {}, baseUrl: "http://localhost:4000" };
  const tags = [{ name: "Webhooks", description: "Webhooks." }];
  expect(createOpenApiDocument({ audience: "integrators", ...options, routes: [visit], tags })["paths"]).toEqual({});
});
