/** Endpoints, keys and requests: what a merchant's developer looks after. */
import type { LoggedRequest } from "@jara/sdk";
import { afterEach, expect, test, vi } from "vitest";
import { button, field, hasButton, press, settle, shown, type } from "../../testing/draw.tsx";
import { type Asked, refuse, replyWith } from "../../testing/replies.ts";
import { door, drawInConsole } from "../testing/in-console.tsx";
import { cells, fact, pages, screenIs } from "../testing/lists.ts";
import { DevelopersPage, eventNames } from "./developers-page.tsx";
import { RequestPage } from "./request-page.tsx";
import { RequestsPage } from "./requests-page.tsx";

afterEach(() => vi.restoreAllMocks());

const endpoint = {
  id: "w-1",
  url: "https://shop.example/<hooks>",
  events: ["transfer.*", "bill.failed"],
  enabled: true,
  description: null,
  disabledReason: null as object | null,
  failingSince: null as string | null,
  updatedAt: "2026-11-16T23:30:40.000Z",
};
const key = {
  id: "k-1",
  name: "Checkout server",
  prefix: "sk_test_ab12",
  scopes: ["transfers:write", "wallets:read"],
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
  replacedBy: null,
};

async function open(where: Parameters<typeof drawInConsole>[1] = {}, replies: object = {}) {
  const asked = replyWith({
    [`GET ${door}/webhooks/endpoints`]: pages([endpoint]),
    [`GET ${door}/keys`]: pages([key]),
    ...replies,
  });
  await drawInConsole(<DevelopersPage />, where);
  return () =>
    asked
      .filter(({ method }) => method !== "GET")
      .map(({ method, path, body }) => [method, path.slice(door.length), body]);
}
const submit = () => settle(() => document.querySelector<HTMLButtonElement>("[role=dialog] [type=submit]")?.click());

test.each([
  ["owner", true],
  ["developer", true],
  ["finance", false],
  ["support", false],
  ["viewer", false],
])("a person of the role %s sees the keys: %s", async (role, sees) => {
  await open({ role });
  expect(shown().includes("sk_test_ab12")).toBe(sees);
  expect(hasButton("Issue a key")).toBe(sees);
});

test.each([
  ["SANDBOX", "sk_test_…"],
  ["LIVE", "sk_live_…"],
] as const)("in %s the first call is shown with a key that begins with %s", async (kind, prefix) => {
  await open({ kind });
  expect(shown()).toContain(prefix);
  expect(shown()).toContain(`curl -s "${window.location.origin}/wallets/balance"`);
});

test("an endpoint is added, and its secret is shown once, hidden", async () => {
  const sent = await open({}, { [`POST ${door}/webhooks/endpoints`]: () => ({ ...endpoint, secret: "whsec_1" }) });
  await press("Add an endpoint");
  expect(field("Events").value).toBe("*");
  await type("Address", " https://new.example/jara ");
  await type("Events", "transfer.completed, , bill.*,");
  await submit();
  await expect
    .poll(() => document.querySelector<HTMLInputElement>("[aria-label='the signing secret']")?.type)
    .toBe("password");
  expect(sent()).toEqual([
    ["POST", "/webhooks/endpoints", { url: "https://new.example/jara", events: ["transfer.completed", "bill.*"] }],
  ]);
});

test("a description goes along where there is one", async () => {
  const sent = await open({}, { [`POST ${door}/webhooks/endpoints`]: () => ({ secret: "s" }) });
  await press("Add an endpoint");
  await type("Address", "https://new.example");
  await type("Description", "The shop");
  await submit();
  await expect.poll(sent).toHaveLength(1);
  expect(sent()[0]?.[2]).toMatchObject({ description: "The shop", events: ["*"] });
});

test("an address that is refused stays in the window, with its field", async () => {
  const errors = [{ field: "url", message: "must not be a private address" }];
  await open(
    {},
    {
      [`POST ${door}/webhooks/endpoints`]: () => refuse(422, "validation_failed", { message: "Check it.", errors }),
    },
  );
  await press("Add an endpoint");
  await type("Address", "http://10.0.0.1");
  await submit();
  await expect.poll(shown).toContain("Url: must not be a private address");
  expect(field("Address").value).toBe("http://10.0.0.1");
});

test("an endpoint that fails says since when, and a disabled one why", async () => {
  await open(
    {},
    {
      [`GET ${door}/webhooks/endpoints`]: pages([
        { ...endpoint, failingSince: "2026-11-16T23:30:00.000Z" },
        { ...endpoint, id: "w-2", enabled: false, disabledReason: { message: "It failed for five days." } },
      ]),
    },
  );
  expect(shown()).toContain("Has not taken events since 17 Nov 2026 00:30:00");
  expect(shown()).toContain("It failed for five days.");
  expect([hasButton("Disable"), hasButton("Enable and resend")]).toEqual([true, true]);
});

test.each([
  ["Send a test", ["POST", "/webhooks/endpoints/w-1/test", undefined]],
  ["Disable", ["PATCH", "/webhooks/endpoints/w-1", { enabled: false }]],
  ["New secret", ["POST", "/webhooks/endpoints/w-1/rotate-secret", {}]],
  ["Delete", ["DELETE", "/webhooks/endpoints/w-1", undefined]],
])("%s is done after it was confirmed", async (name, request) => {
  const path = `${door}/webhooks/endpoints/w-1`;
  const sent = await open(
    {},
    {
      [`POST ${path}`]: () => ({ secret: "whsec_2" }),
      [`PATCH ${path}`]: () => ({}),
      [`DELETE ${path}`]: () => ({}),
    },
  );
  await press(name);
  expect(sent()).toEqual([]);
  await submit();
  await expect.poll(sent).toEqual([request]);
});

test("without an endpoint, the line is taught that brings events to one's own machine", async () => {
  await open({}, { [`GET ${door}/webhooks/endpoints`]: pages([]) });
  expect(shown()).toContain("npx jara listen --forward-to http://localhost:3000/hooks");
});

test("a key is rotated, and the new secret can be copied", async () => {
  const written = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  const sent = await open({}, { [`POST ${door}/keys/k-1/rotate`]: () => ({ key: "sk_test_new" }) });
  await press("Rotate");
  await submit();
  await expect.poll(() => hasButton("Copy")).toBe(true);
  await press("Copy");
  expect(written).toHaveBeenCalledWith("sk_test_new");
  expect(sent()).toEqual([["POST", "/keys/k-1/rotate", {}]]);
});

test.each([
  ["*", ["*"]],
  [" transfer.completed ,bill.*", ["transfer.completed", "bill.*"]],
  [",, ,", []],
])("%j are the events %j", (text, names) => {
  expect(eventNames(text)).toEqual(names);
});

const request: LoggedRequest = {
  id: "req_1",
  at: "2026-11-16T23:30:00.000Z",
  method: "POST",
  route: "/transfers",
  path: "/transfers",
  status: 422,
  code: "insufficient_funds",
  durationMs: 38,
  keyId: "k-1",
  keyPrefix: "sk_test_ab12",
  idempotencyKey: "order-7",
  userAgent: "curl/8",
  warning: null,
  replayed: false,
  recordId: "t-1",
  requestBody: '{"amount":2500,"bvn":"22123456789"}',
  responseBody: "<html>cut off",
};

async function openRequest(more: Partial<LoggedRequest> = {}) {
  replyWith({ [`GET ${door}/requests/req_1`]: () => ({ ...request, ...more }) });
  await drawInConsole(<RequestPage />, { address: "/here/req_1" });
}

test("a request tells who asked, what, and what was returned", async () => {
  await openRequest();
  expect(document.querySelector("h1")?.textContent).toBe("POST /transfers");
  expect(["When", "Took", "By", "Idempotency-Key", "Program", "Sent again"].map(fact)).toEqual([
    "17 Nov 2026 00:30:00",
    "38 ms",
    "the key sk_test_ab12…",
    "order-7",
    "curl/8",
    "No",
  ]);
  expect(button("Where its money is").getAttribute("href")).toBe("/env-1/trace/t-1");
});

test("bodies are shown as they are, but for what identifies a person", async () => {
  await openRequest();
  const [sent, returned] = [...document.querySelectorAll("pre")].map((block) => block.textContent);
  expect(sent).toContain('"bvn": "••••6789"');
  expect(returned).toBe('"<html>cut off"');
});

test("a person's request, sent again, without bodies, about no record", async () => {
  await openRequest({ keyPrefix: null, replayed: true, recordId: null, requestBody: null, responseBody: null });
  expect(fact("By")).toBe("a person");
  expect(fact("Sent again")).toBe("Yes: an earlier reply was returned");
  expect(hasButton("Where its money is")).toBe(false);
  expect(shown().match(/bodies are kept in sandboxes only/g)).toHaveLength(2);
});

test("requests stand in a list, newest first, with who asked", async () => {
  screenIs("wide");
  replyWith({ [`GET ${door}/requests`]: pages([request, { ...request, id: "req_2", status: 200, keyPrefix: null }]) });
  await drawInConsole(<RequestsPage />);
  expect(cells().map((row) => [row[0], row[2], row[3]])).toEqual([
    ["POST /transfers", "38 ms", "sk_test_ab12…"],
    ["POST /transfers", "38 ms", "a person"],
  ]);
  expect(cells()[0]?.[1]).toContain("422");
});

const disabled = { ...endpoint, enabled: false, disabledReason: { code: "failing", message: "It failed for days." } };

test.each([
  [
    "since it failed",
    "2026-11-12T08:02:00.000Z",
    ["transfer.completed"],
    "2026-11-12T08:57",
    { events: ["transfer.completed"] },
  ],
  ["since somebody disabled it", null, ["*"], "2026-11-17T00:25", {}],
])(
  "a disabled endpoint is enabled, then sent what it has missed %s",
  async (_case, failingSince, events, since, named) => {
    const server = { endpoint: { ...disabled, failingSince, events } };
    const sent = await open(
      {},
      {
        [`GET ${door}/webhooks/endpoints`]: (asked: Asked) => pages([server.endpoint])(asked),
        [`PATCH ${door}/webhooks/endpoints/w-1`]: () => ({}),
        [`POST ${door}/events/redeliver`]: () => {
          server.endpoint = { ...server.endpoint, enabled: true };
          return { events: 3, deliveries: 3 };
        },
      },
    );
    await press("Enable and resend");
    expect(field("Resend events since").value).toBe(since);
    await submit();
    await expect.poll(shown).toContain("Enabled. On their way: 3 deliveries of 3 events.");
    expect(sent()).toEqual([
      ["PATCH", "/webhooks/endpoints/w-1", { enabled: true }],
      ["POST", "/events/redeliver", { from: `${since}:00+01:00`, to: "2999-12-31", endpointId: "w-1", ...named }],
    ]);
  },
);

test("what cannot be enabled is not sent anything", async () => {
  const sent = await open(
    {},
    {
      [`GET ${door}/webhooks/endpoints`]: pages([disabled]),
      [`PATCH ${door}/webhooks/endpoints/w-1`]: () => refuse(403, "forbidden", { message: "Not yours." }),
    },
  );
  await press("Enable and resend");
  await submit();
  await expect.poll(shown).toContain("Not yours.");
  expect(sent().map(([method]) => method)).toEqual(["PATCH"]);
});
