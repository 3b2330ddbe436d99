import { afterEach, expect, test, vi } from "vitest";
import { addressOf, environmentDoor, pageOf, read, write } from "./client.ts";
import { answerProofs } from "./proof.ts";

afterEach(() => vi.unstubAllGlobals());

const door = environmentDoor("env-1");

/** What the browser would send. */
function watchRequests(): { url: string; init: RequestInit }[] {
  const sent: { url: string; init: RequestInit }[] = [];
  vi.stubGlobal("fetch", (url: string, init: RequestInit) => {
    sent.push({ url, init });
    return Promise.resolve(Response.json({ status: true, message: "ok", data: { done: true } }));
  });
  return sent;
}

test("a read carries the cookie and the console's header, and what is not given is left out", async () => {
  const sent = watchRequests();
  await read(door, "/transfers", { status: "failed", reference: "", from: undefined, page: 2 });
  expect(sent[0]?.url).toBe("/console/api/environments/env-1/transfers?status=failed&page=2");
  expect(sent[0]?.init).toMatchObject({
    method: "GET",
    credentials: "same-origin",
    headers: { "x-jara-console": "1" },
  });
});

test("every POST has an idempotency key of its own, or the one it was given", async () => {
  const sent = watchRequests();
  await write(door, "/transfers", { body: { amount: 5 } });
  await write(door, "/transfers", { body: { amount: 5 } });
  await write(door, "/transfers", { body: { amount: 5 }, key: "mine" });
  const keys = sent.map(({ init }) => new Headers(init.headers).get("idempotency-key"));
  expect(new Set(keys).size).toBe(3);
  expect(keys[2]).toBe("mine");
  expect(sent[0]?.init.body).toBe('{"amount":5}');
});

test("a PUT has none, because it may be repeated anyway", async () => {
  const sent = watchRequests();
  await write(door, "/sandbox/clock", { method: "PUT", body: { mode: "frozen" } });
  expect(new Headers(sent[0]?.init.headers).has("idempotency-key")).toBe(false);
});

test("parameters join those that a path has", () => {
  expect(addressOf("/a?x=1", { y: "ä&b" })).toBe("/a?x=1&y=%C3%A4%26b");
  expect(addressOf("/a", {})).toBe("/a");
});

test("the pages of both kinds of list are understood", () => {
  const pagination = { currentPage: 2, totalItems: 45, hasNextPage: true };
  expect(pageOf({ data: [1], pagination })).toEqual({ rows: [1], nextPage: 3, total: 45 });
  expect(pageOf({ data: [1], pagination: { ...pagination, hasNextPage: false } }).nextPage).toBeNull();
  expect(pageOf({ data: [1], meta: { next_page: 2 } })).toEqual({ rows: [1], nextPage: 2, total: null });
  expect(pageOf({ data: [1, 2] })).toEqual({ rows: [1, 2], nextPage: null, total: 2 });
  expect(pageOf({ data: { not: "a list" } }).rows).toEqual([]);
});

/** A server that wants a proof until one was given. */
function refuseUnproven(proof: { given: boolean }) {
  const keys: (string | null)[] = [];
  vi.stubGlobal("fetch", (_: string, init: RequestInit) => {
    keys.push(new Headers(init.headers).get("idempotency-key"));
    const refused = { status: false, code: "proof_needed", message: "Prove it.", data: { ways: ["password"] } };
    return Promise.resolve(
      proof.given ? Response.json({ data: { done: true } }) : Response.json(refused, { status: 403 }),
    );
  });
  return keys;
}

test("a write that wants a proof asks once for all that wait, and is sent again under the same key", async () => {
  const proof = { given: false };
  const keys = refuseUnproven(proof);
  const asked: unknown[] = [];
  const leave = answerProofs(async (ways) => {
    asked.push(ways);
    proof.given = true;
    return true;
  });
  const replies = await Promise.all([write(door, "/transfers", { key: "one" }), write(door, "/bills", { key: "two" })]);
  leave();
  expect(replies).toEqual([{ done: true }, { done: true }]);
  expect(asked).toEqual([["password"]]);
  expect(keys.sort()).toEqual(["one", "one", "two", "two"]);
});

test("a proof that is not given leaves the refusal as it was", async () => {
  const keys = refuseUnproven({ given: false });
  const leave = answerProofs(async () => false);
  await expect(write(door, "/transfers")).rejects.toMatchObject({ code: "proof_needed" });
  leave();
  await expect(write(door, "/transfers")).rejects.toMatchObject({ code: "proof_needed" });
  expect(keys).toHaveLength(2);
});
