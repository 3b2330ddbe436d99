import { createHmac } from "node:crypto";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { keepContract } from "../../../testing/providers/keep-contract.ts";
import {
  type MessageFate,
  type MessageSubject,
  messageContract,
  wrongMessageRails,
} from "../../../testing/providers/message-contract.ts";
import { startTermiiTwin, type TermiiTwin, termiiKeys } from "../../../testing/providers/termii-twin.ts";
import { kobo } from "../../money/kobo.ts";
import type { Message } from "../message.ts";
import type { Connected } from "../provider.ts";
import type { WireReply } from "../provider-client.ts";
import { parseWireJson } from "../wire-json.ts";
import { classifyBalance, classifySend, readHook, smsParts, termii } from "./provider.ts";

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

let made = 0;

function newMessage(change: Partial<Message> = {}): Message {
  made += 1;
  const to = `+234803${String(1_000_000 + made)}`;
  return { environmentId: "e", messageId: `m-${made}`, channel: "sms", to, text: `Your code is ${made}.`, ...change };
}

interface Opened extends MessageSubject {
  readonly twin: TermiiTwin;
  readonly connected: Connected;
}

async function connect(credentials: Readonly<Record<string, string>> = termiiKeys): Promise<Opened> {
  const twin = await startTermiiTwin();
  opened.push(() => twin.close());
  const connected = termii.connect({ connectionId: "c", mode: "test", baseUrl: twin.url, credentials });
  if (connected.message === undefined) throw new Error("Termii is connected without its messages");
  return { twin, connected, rail: connected.message, message: meeting(twin), carried: carriedBy(twin) };
}

const meeting = (twin: TermiiTwin) => (fate: MessageFate) => {
  if (fate === "reply_lost") twin.misbehave(["lost_reply"]);
  if (fate === "down") twin.misbehave(["unavailable"]);
  return fate === "refused" ? newMessage({ to: "+2348030000000" }) : newMessage();
};

const carriedBy = (twin: TermiiTwin) => async (message: Message) =>
  twin.messages.filter(({ to }) => `+${to}` === message.to).map(({ text }) => text);

keepContract("message rails: Termii on its twin", messageContract, wrongMessageRails, connect);

const answer = (body: unknown, status = 200): WireReply => ({ kind: "answer", status, body, headers: {} });

describe("a reply", () => {
  test.each([
    [{ code: "ok", message_id: "9122821270554876574", message: "Successfully Sent" }, "9122821270554876574"],
    [{ message_id: "1", message: "Successfully Sent" }, "1"],
    [parseWireJson('{"code":"ok","message_id":9122821270554876574}'), "9122821270554876574"],
  ])("%o is sent", (body, providerId) => {
    expect(classifySend(answer(body))).toEqual({ outcome: "sent", providerId });
  });

  test.each([
    [400, { message: "Invalid phone number" }],
    [404, { message: "Recipient not found" }],
    [422, { message: "The given data was invalid.", errors: { to: ["The to field is required."] } }],
    [422, { message: "The sms field is required" }],
  ])("%i %o refuses the number or the text", (status, body) => {
    expect(classifySend(answer(body, status))).toMatchObject({ outcome: "refused", code: String(status) });
  });

  test.each([
    [404, { message: "Invalid Sender Id" }, "not_enabled"],
    [400, { message: "Insufficient balance" }, "float_empty"],
    [200, { message: "Insufficient balance" }, "float_empty"],
    [403, { message: "You are not set up on this route" }, "not_enabled"],
    [400, { message: "Your account is not active" }, "not_enabled"],
    [401, { message: "Unauthorized" }, "keys_refused"],
    [401, undefined, "keys_refused"],
    [402, undefined, "float_empty"],
    [403, undefined, "not_enabled"],
    [422, { message: "The given data was invalid.", errors: { from: ["too long"] } }, "not_enabled"],
    [422, { message: "The given data was invalid.", errors: { api_key: ["wrong"] } }, "keys_refused"],
  ])("%i %o holds the connection and refuses nobody: %s", (status, body, reason) => {
    expect(classifySend(answer(body, status))).toMatchObject({ outcome: "unknown", hold: { reason } });
  });

  test.each([
    [answer({ code: "ok", message: "Successfully Sent" })],
    [answer({ code: "ok", message_id: "" })],
    [answer({ code: "error", message_id: "1" })],
    [answer({ message: "Service temporarily unavailable" })],
    [answer({ message: "Service temporarily unavailable" }, 400)],
    [answer({ message: "Unable to process your request" }, 400)],
    [answer({ message: "Failed to send SMS, please try again" }, 400)],
    [answer({ message: "Invalid phone number" }, 500)],
    [answer({ message: "Invalid phone number" }, 429)],
    [answer({ message: "Method not allowed" }, 405)],
    [answer({}, 400)],
    [answer(undefined)],
    [answer(undefined, 404)],
    [{ kind: "not_sent", why: "ENOTFOUND" } as const],
    [{ kind: "no_answer", why: "UND_ERR_SOCKET" } as const],
  ])("%o settles nothing", (reply) => {
    const found = classifySend(reply);
    expect(found).toMatchObject({ outcome: "unknown" });
    expect(found).not.toHaveProperty("hold");
  });

  test("words that nobody has seen are for people to read, without numbers and keys", () => {
    const body = { message: "Trouble with 2348031234567 and tl_live_abcdef012345" };
    expect(classifySend(answer(body, 400))).toEqual({
      outcome: "unknown",
      code: "400",
      alarm: "Termii replied 400: Trouble with … and …",
    });
  });

  test("whatever arrives, it is sent only with an id", () => {
    const body = fc.oneof(
      fc.jsonValue(),
      fc.record({
        code: fc.oneof(fc.constant("ok"), fc.jsonValue()),
        message_id: fc.jsonValue(),
        message: fc.string(),
      }),
    );
    fc.assert(
      fc.property(body, fc.integer({ min: 100, max: 599 }), (found, status) => {
        const said = classifySend(answer(found, status));
        expect(["sent", "refused", "unknown"]).toContain(said.outcome);
        if (said.outcome === "sent")
          expect(String((found as { message_id: unknown }).message_id)).toBe(said.providerId);
        classifyBalance(answer(found, status));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("sending", () => {
  test("goes by the transactional route, without the plus, under our sender id", async () => {
    const { rail, twin } = await connect();
    await rail.send(newMessage({ to: "+2348031234567", text: "Code 123456" }));
    const { apiKey: api_key, senderId: from } = termiiKeys;
    expect(twin.calls[0]?.request.body).toEqual({
      api_key,
      to: "2348031234567",
      from,
      sms: "Code 123456",
      type: "plain",
      channel: "dnd",
    });
  });

  test("an answer never tells the key or the number", async () => {
    const { rail } = await connect({ ...termiiKeys, apiKey: "wrong-key-of-ours" });
    const said = JSON.stringify(await rail.send(newMessage({ to: "+2348031234567" })));
    expect(said).toContain("keys_refused");
    expect(said).not.toMatch(/wrong-key-of-ours|8031234567/);
  });

  test("a text of more than six parts, or none, is not sent", async () => {
    const { rail, twin } = await connect();
    for (const text of ["x".repeat(6 * 153 + 1), "  "]) {
      expect(await rail.send(newMessage({ text }))).toMatchObject({ outcome: "refused", code: "text_length" });
    }
    expect(await rail.send(newMessage({ text: "x".repeat(6 * 153) }))).toMatchObject({ outcome: "sent" });
    expect(twin.messages).toHaveLength(1);
  });

  test("says that a second call is a second message", async () => {
    expect((await connect()).rail.deduplicatesByMessage).toBe(false);
  });
});

test.each([
  ["", 1],
  ["x".repeat(160), 1],
  ["x".repeat(161), 2],
  ["x".repeat(306), 2],
  ["x".repeat(307), 3],
  ["[".repeat(80), 1],
  ["[".repeat(81), 2],
  ["₦".repeat(70), 1],
  ["₦".repeat(71), 2],
  [`${"x".repeat(80)}ẹ`, 2],
  ["😀".repeat(35), 1],
  ["😀".repeat(36), 2],
  [`${"x".repeat(154)}Ñè£5€`, 1],
])("%j travels in %i parts", (text, parts) => {
  expect(smsParts(text)).toBe(parts);
});

describe("our account at Termii", () => {
  test("is looked at before it is trusted", async () => {
    const { connected } = await connect();
    expect(await connected.check()).toMatchObject([
      { name: "sender_id", result: "ok" },
      { name: "balance", result: "ok" },
    ]);
    expect(await connected.readFloat?.()).toEqual({ available: kobo(150_003n) });
  });

  test.each(["ab", "TwelveLetter", "", "Jara!"])("the sender id %j is refused", async (senderId) => {
    const { connected } = await connect({ ...termiiKeys, senderId });
    expect(await connected.check()).toContainEqual(expect.objectContaining({ name: "sender_id", result: "failed" }));
  });

  test("a wrong key fails the check", async () => {
    const { connected } = await connect({ ...termiiKeys, apiKey: "wrong" });
    expect(await connected.check()).toContainEqual(expect.objectContaining({ name: "balance", result: "failed" }));
  });
});

describe("a report of delivery", () => {
  const body = Buffer.from('{ "message_id" : "301",\n "status":"DND Active on Phone Number", "x":"é" }');
  const sign = (key: string, bytes: Uint8Array) => createHmac("sha512", key).update(bytes).digest("hex");
  const read = (signature: string | undefined, bytes: Buffer = body) =>
    readHook("key", { body: bytes, headers: { "x-termii-signature": signature } });

  test("is taken with the signature over its bytes, in small letters or capitals", () => {
    const hint = { about: "message", id: "301", event: "DND Active on Phone Number" };
    expect(read(sign("key", body))).toEqual(hint);
    expect(read(sign("key", body).toUpperCase())).toEqual(hint);
  });

  test.each<[string, string | undefined, Buffer]>([
    ["no signature", undefined, body],
    ["another key", sign("other", body), body],
    ["a body written again", sign("key", body), Buffer.from(JSON.stringify(JSON.parse(body.toString())))],
    ["half a signature", sign("key", body).slice(0, 64), body],
    ["not hexadecimal", "z".repeat(128), body],
  ])("is forged with %s", (_, signature, bytes) => {
    expect(read(signature, bytes)).toEqual({ about: "forged" });
  });

  test("that says nothing is about nothing", () => {
    const bytes = Buffer.from("not JSON");
    expect(read(sign("key", bytes), bytes)).toEqual({ about: "nothing", event: "unreadable" });
  });

  test("is signed with the key for webhooks where there is one, else with the API key", async () => {
    const { connected } = await connect();
    const headers = { "x-termii-signature": sign(termiiKeys.webhookSecret, body) };
    expect(connected.readHook?.({ body, headers })).toMatchObject({ about: "message" });
    const { connected: plain } = await connect({ ...termiiKeys, webhookSecret: "" });
    expect(plain.readHook?.({ body, headers })).toEqual({ about: "forged" });
    const byApiKey = { "x-termii-signature": sign(termiiKeys.apiKey, body) };
    expect(plain.readHook?.({ body, headers: byApiKey })).toMatchObject({ about: "message" });
  });
});
