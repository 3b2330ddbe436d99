/** What a merchant may ask of an endpoint, how endpoints and deliveries are shown, and what goes over the wire. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { complaintsOf } from "../../../testing/platform/complaints.ts";
import { parseBlock } from "../../platform/http/guard/address-blocks.ts";
import type { LoggedDelivery } from "../deliveries/delivery-log-store.ts";
import {
  deliveryData,
  eventsQuery,
  feedQuery,
  presentDelivery,
  redeliverBody,
  redeliverRangeBody,
  streamQuery,
} from "../log/event-schemas.ts";
import { messageBody, messageHeaders } from "../sending/send-webhooks.job.ts";
import { disabledReasons, type Endpoint, isDisabledReason } from "./endpoint.ts";
import { endpointErrors, readEndpointInput } from "./endpoint-input.ts";
import { changeEndpointBody, createEndpointBody, endpointData, rotateSecretBody } from "./endpoint-schemas.ts";
import { presentEndpoint } from "./present-endpoint.ts";
import { reachPolicyFor } from "./reachable-address.ts";

const names = ["transfer.completed", "transfer.failed", "bill.successful"];
const live = reachPolicyFor("LIVE", { blocks: [], sandboxLoopback: true });
const sandbox = reachPolicyFor("SANDBOX", { blocks: [], sandboxLoopback: true });
const rules = { policy: live, eventNames: names };
const url = "https://shop.example.com/webhooks";

describe("what an endpoint asks for", () => {
  test("is kept without repetition, and its address in its normal form", () => {
    const asked = { url: "HTTPS://Shop.Example.com:443/webhooks", events: [names[0] ?? "", names[0] ?? ""] };
    expect(readEndpointInput(asked, rules)).toEqual({ url, events: [names[0]] });
    expect(readEndpointInput({}, rules)).toEqual({});
    expect(readEndpointInput({ events: ["*", "*"] }, rules)).toEqual({ events: ["*"] });
  });

  test("is told with everything that is wrong, each event by its place", () => {
    const events = ["transfer.completed", "Transfer.Completed", "transfer.completed ", "", "transfer.*"];
    expect(endpointErrors({ url: "ftp://x", events }, rules)).toEqual([
      { field: "url", message: expect.stringContaining("must be an absolute http or https address") },
      ...[1, 2, 3, 4].map((place) => ({ field: `events[${place}]`, message: "is not the name of an event" })),
    ]);
    expect(() => readEndpointInput({ url, events }, rules)).toThrow(
      expect.objectContaining({ code: "validation_failed" }),
    );
  });

  test("is everything, or a list of names, and not both", () => {
    expect(endpointErrors({ url, events: ["*", "transfer.failed"] }, rules)).toEqual([
      { field: "events", message: 'must be ["*"] alone, or a list of names' },
    ]);
    expect(endpointErrors({ url, events: ["*"] }, rules)).toEqual([]);
  });

  test.each([[{ url: 5 }], [{ events: "transfer.failed" }], [{ events: [5, null] }], [{ url: null, events: {} }]])(
    "of another type is left to the schema: %j",
    (body) => {
      expect(endpointErrors(body, rules)).toEqual([]);
    },
  );

  test("is never an address that the text alone gives away, however it is written", () => {
    const hosts = ["127.0.0.1", "2130706433", "0x7f.1", "[::1]", "10.0.0.1", "[::ffff:10.0.0.1]", "169.254.169.254"];
    const inner = ["localhost", "db.internal", "printer.local", "intranet", "metadata.google.internal."];
    for (const host of [...hosts, ...inner]) {
      expect(endpointErrors({ url: `https://${host}/hook` }, rules), host).toHaveLength(1);
    }
  });

  test("may be this machine in a sandbox, and what the operator opened everywhere", () => {
    expect(endpointErrors({ url: "http://localhost:4001/hook" }, { ...rules, policy: sandbox })).toEqual([]);
    expect(endpointErrors({ url: "http://10.0.0.1/hook" }, { ...rules, policy: sandbox })).toHaveLength(1);
    const block = parseBlock("10.1.0.0/16");
    if (block === undefined) throw new Error("it is a block");
    const opened = reachPolicyFor("LIVE", { blocks: [block], sandboxLoopback: false });
    expect(endpointErrors({ url: "https://10.1.2.3/hook" }, { ...rules, policy: opened })).toEqual([]);
    expect(endpointErrors({ url: "https://10.2.2.3/hook" }, { ...rules, policy: opened })).toHaveLength(1);
  });

  test.each([
    ["http://shop.example.com/hook", "must begin with https://"],
    ["https://shop.example.com:8080/hook", "must use port 443 or 8443"],
    ["https://ada:secret@shop.example.com/", "must not contain a user name"],
    ["https://@shop.example.com/", "must not contain a user name"],
    ["https://shop.example.com/#part", "must not contain a fragment"],
    ["https://shop.example.com/a b", "must not contain spaces"],
    ["https:\\\\shop.example.com", "must not contain spaces, control characters or backslashes"],
    ["https://shop", "must name a public host"],
    ["//shop.example.com/hook", "must be an absolute http or https address"],
    ["https:shop.example.com", "must be an absolute http or https address"],
    [`https://shop.example.com/${"é".repeat(400)}`, "must have at most 2048 characters"],
  ])("is not %s in a live environment", (address, message) => {
    expect(endpointErrors({ url: address }, rules)).toEqual([
      { field: "url", message: expect.stringContaining(message) },
    ]);
  });
});

describe("bodies about endpoints", () => {
  const create = complaintsOf(createEndpointBody);
  const change = complaintsOf(changeEndpointBody);

  test("need an address for a new one, and something to change for an old one", () => {
    expect(create({ url })).toEqual({});
    expect(create({})).toEqual({ url: "is required" });
    expect(change({})).toEqual({ body: "must have at least 1 field" });
    for (const one of [{ url }, { events: ["*"] }, { description: null }, { enabled: false }]) {
      expect(change(one)).toEqual({});
    }
  });

  test.each([
    [{ url: "" }, "url"],
    [{ url: `https://x.example/${"a".repeat(2_048)}` }, "url"],
    [{ events: [] }, "events"],
    [{ events: Array.from({ length: 101 }, () => "a") }, "events"],
    [{ events: ["x".repeat(101)] }, "events[0]"],
    [{ description: "x".repeat(501) }, "description"],
    [{ enabled: "true" }, "enabled"],
    [{ enabled: null }, "enabled"],
  ])("with %j are refused", (fields, field) => {
    expect(Object.keys(create({ url, ...fields }))).toEqual([field]);
    expect(Object.keys(change(fields))).toEqual([field]);
  });

  test.each([
    [0, true],
    [604_800, true],
    [604_801, false],
    [-1, false],
    [1.5, false],
    ["60", false],
  ])("may let an old secret sign for %j seconds: %s", (overlapSeconds, fits) => {
    expect(Object.keys(complaintsOf(rotateSecretBody)({ overlapSeconds }))).toEqual(fits ? [] : ["overlapSeconds"]);
  });
});

describe("questions about events", () => {
  test.each([
    [eventsQuery(names), { event: "transfer.done" }],
    [eventsQuery(names), { status: "sent" }],
    [streamQuery(names), { event: "*" }],
    [streamQuery(names), { after: "" }],
    [feedQuery, { wait: "31" }],
    [feedQuery, { limit: "101" }],
    [feedQuery, { include: "all" }],
    [feedQuery, { after: "x".repeat(201) }],
  ])("are refused for what there is not: %#", (schema, query) => {
    expect(Object.keys(complaintsOf(schema, "query")(query))).toEqual(Object.keys(query));
  });

  test("to send again are about everything, one endpoint, or a time that has both its ends", () => {
    expect(complaintsOf(redeliverBody)({})).toEqual({});
    const range = complaintsOf(redeliverRangeBody(names));
    expect(range({ from: "2026-11-01", to: "2026-11-01T10:00:00Z", events: ["transfer.failed"] })).toEqual({});
    expect(range({})).toEqual({ from: "is required", to: "is required" });
    expect(range({ from: "2026-11-31", to: "now", events: [] })).toEqual({
      from: expect.stringContaining("must be a moment"),
      to: expect.stringContaining("must be a moment"),
      events: "must have at least 1 item",
    });
  });
});

const at = new Date("2026-11-03T09:15:00.123Z");
const id = "01932c61-2b3c-7d4e-8f50-6a7b8c9d0e1f";

describe("what is shown", () => {
  const endpoint: Endpoint = {
    id,
    url,
    description: null,
    events: ["*"],
    enabled: true,
    disabledReason: null,
    failingSince: null,
    previousSecretUntil: null,
    version: 4,
    createdAt: at,
    updatedAt: at,
  };

  test.each([null, "merchant", "gone", "failing"] as const)(
    "of an endpoint disabled by %s fits the document",
    (why) => {
      const shown = presentEndpoint({ ...endpoint, enabled: why === null, disabledReason: why, failingSince: at });
      expect(complaintsOf(endpointData)(shown)).toEqual({});
      expect(shown.disabledReason).toEqual(why === null ? null : { code: why, message: disabledReasons[why] });
      expect(shown).not.toHaveProperty("version");
    },
  );

  test.each(["merchant", "gone", "failing"])("knows %s for a reason", (word) => {
    expect(isDisabledReason(word)).toBe(true);
  });

  test.each(["", "410", "Merchant", "bored"])("does not know %j for a reason", (word) => {
    expect(isDisabledReason(word)).toBe(false);
  });

  test("of a delivery are its tries, also those that nobody answered", () => {
    const tried = { at, sentAt: at, durationMs: 15_000 };
    const delivery = {
      endpointId: id,
      url,
      status: "pending",
      attempts: 2,
      nextAttemptAt: at,
      completedAt: null,
      log: [
        { ...tried, status: null, body: "", error: "no answer within 15 s" },
        { ...tried, status: 500, body: "<h1>Oops</h1>", error: null },
      ],
    } as unknown as LoggedDelivery;
    const shown = presentDelivery(delivery);
    expect(complaintsOf(deliveryData)(shown)).toEqual({});
    expect(shown.attempts.map(({ status, response, error }) => [status, response, error])).toEqual([
      [null, "", "no answer within 15 s"],
      [500, "<h1>Oops</h1>", null],
    ]);
  });
});

describe("a message", () => {
  const event = {
    eventId: id,
    event: "transfer.completed",
    createdAt: at,
    environment: "LIVE",
    resourceVersion: 3,
  } as const;

  test("has the data to the byte as it was written, in the one envelope", () => {
    fc.assert(
      fc.property(fc.json(), (data) => {
        const body = messageBody({ ...event, data });
        expect(body.endsWith(`,"data":${data}}`)).toBe(true);
        expect(JSON.parse(body)).toEqual({
          id,
          event: "transfer.completed",
          created_at: at.toISOString(),
          environment: "LIVE",
          resource_version: 3,
          data: JSON.parse(data),
        });
      }),
    );
  });

  test("keeps what parsing would lose: large numbers, spaces, repeated members", () => {
    const data = '{ "n": 123456789012345678901234567890, "a": 1, "a": 2, "u": "\\u0041" }';
    expect(messageBody({ ...event, data })).toContain(data);
  });

  test("says when it was sent in whole seconds, never ahead of time", () => {
    expect(messageHeaders(id, at, "v1,abc")).toMatchObject({
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "webhook-signature": "v1,abc",
      "content-type": "application/json",
      "accept-encoding": "identity",
    });
  });
});
