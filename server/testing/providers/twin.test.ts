import { afterEach, describe, expect, test } from "vitest";
import { createProviderClient } from "../../src/rails/provider-client.ts";
import { receiveHooks } from "./hook-receiver.ts";
import { startTwin, type Twin } from "./twin.ts";
import { changedReply, type FaultName, refusal } from "./twin-faults.ts";
import { postHook } from "./twin-wire.ts";

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function counterTwin(): Promise<{ twin: Twin; done: () => number; call: () => Promise<unknown> }> {
  let done = 0;
  const twin = await startTwin({
    routes: [
      {
        "POST /orders/:id": ({ params, body }) => {
          done += 1;
          return { status: 201, body: { id: params.id, amount: body.amount, nth: done } };
        },
      },
      { "GET /other": ({ query }) => ({ status: 200, body: { asked: query.get("q") } }) },
    ],
    refuse: ({ headers }) => (headers.key === "k" ? undefined : { status: 401, body: { message: "Invalid key" } }),
    nothingHere: { status: 404, body: { message: "nothing here" } },
  });
  const client = createProviderClient({ baseUrl: twin.url, timeoutMs: 5_000 });
  opened.push(twin.close, client.close);
  const call = () => client.call({ method: "POST", path: "/orders/a%2Fb", headers: { key: "k" }, body: { amount: 5 } });
  return { twin, done: () => done, call };
}

test("routes of several tables are served, with their parameters, and what is refused is not done", async () => {
  const { twin, done, call } = await counterTwin();
  expect(await call()).toMatchObject({ status: 201, body: { id: "a/b", amount: 5, nth: 1 } });
  const ask = (path: string, key = "k") => fetch(`${twin.url}${path}`, { headers: { key } });
  expect(await (await ask("/other?q=1%202")).json()).toEqual({ asked: "1 2" });
  expect((await ask("/none")).status).toBe(404);
  expect((await ask("/other", "wrong")).status).toBe(401);
  expect(done()).toBe(1);
  expect(twin.count("POST /orders/:id")).toBe(1);
  expect(twin.calls.map(({ route }) => route)).toEqual(["POST /orders/:id", "GET /other", "GET /none", "GET /other"]);
});

describe("a fault", () => {
  const answer = (status: number, body?: unknown) => ({ kind: "answer", status, body });
  const noAnswer = { kind: "no_answer" };
  test.each<[FaultName, object, number]>([
    ["lost_request", noAnswer, 0],
    ["lost_reply", noAnswer, 1],
    ["cut_reply", noAnswer, 1],
    ["cut_json", answer(201), 1],
    ["delivered_twice", answer(201, { id: "a/b", amount: 5, nth: 2 }), 2],
    ["late", answer(201, { id: "a/b", amount: 5, nth: 1 }), 1],
    ["empty", answer(200), 1],
    ["page_after", answer(200), 1],
    ["error_after", answer(500, { status: false, message: "An error occurred" }), 1],
    ["bad_gateway_after", answer(502), 1],
    ["gateway_timeout_after", answer(504), 1],
    ["unavailable", answer(503), 0],
    ["not_found_page", answer(404), 0],
    ["too_many", answer(429, { status: false, message: "Too many requests" }), 0],
  ])("%s strikes once, and then all is well", async (fault, seen, worked) => {
    const { twin, done, call } = await counterTwin();
    twin.misbehave([fault]);
    expect(await call()).toMatchObject(seen);
    expect(done()).toBe(worked);
    expect(twin.calls[0]?.fault).toBe(fault);
    expect(await call()).toMatchObject({ status: 201, body: { nth: worked + 1 } });
  });

  test("strikes its route only, in the order of the plan", async () => {
    const { twin, call } = await counterTwin();
    const changed = changedReply("changed", (reply) => ({ ...reply, status: 202 }));
    twin.misbehave([null, changed, refusal("no", { status: 400, body: {} })], "POST /orders/:id");
    twin.misbehave(["unavailable"], "GET /other");
    const statuses = [await call(), await call(), await call(), await call()];
    expect(statuses).toMatchObject([{ status: 201 }, { status: 202 }, { status: 400 }, { status: 201 }]);
    expect((await fetch(`${twin.url}/other`, { headers: { key: "k" } })).status).toBe(503);
  });

  test("strikes a share of the calls, the same ones for the same seed", async () => {
    const draw = async (seed: number) => {
      const { twin, call } = await counterTwin();
      twin.misbehave({ share: 0.3, seed, faults: ["unavailable", "empty"] });
      for (let n = 0; n < 200; n += 1) await call();
      return twin.calls.map(({ fault }) => fault);
    };
    const first = await draw(1);
    expect(first.filter((fault) => fault !== undefined).length).toBeGreaterThan(40);
    expect(first.filter((fault) => fault !== undefined).length).toBeLessThan(80);
    expect(await draw(1)).toEqual(first);
    expect(await draw(2)).not.toEqual(first);
  });
});

test("a webhook arrives byte for byte", async () => {
  const hooks = await receiveHooks(({ body, headers }) => [headers["x-signature"], body.toString()]);
  opened.push(hooks.close);
  expect(await postHook(hooks.url, '{ "a" :\t"ọ́"}', { "x-signature": "s" })).toBe(200);
  expect(hooks.read).toEqual([["s", '{ "a" :\t"ọ́"}']]);
});
