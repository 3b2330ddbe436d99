/** The merchant that pays during a drill: what is sent again, what counts, and what is written down. */
import { expect, onTestFinished, test, vi } from "vitest";
import { type Load, startLoad } from "./load.ts";

interface Sent {
  readonly key: string | null;
  readonly body: string;
}

const refused = (status: number, code: string) => Response.json({ code }, { status });

/** A server that replies by the number of the request; a reply may also be an error on the way. */
function play(reply: (number: number, sent: Sent) => Response | Error): { readonly load: Load; readonly sent: Sent[] } {
  const sent: Sent[] = [];
  vi.stubGlobal("fetch", async (_url: string, { headers, body }: RequestInit) => {
    const one = { key: new Headers(headers).get("idempotency-key"), body: String(body) };
    sent.push(one);
    const replied = reply(sent.length, one);
    if (replied instanceof Error) throw replied;
    return replied;
  });
  const load = startLoad({ baseUrl: "http://cluster.test", key: "k", perSecond: 1_000 });
  onTestFinished(async () => {
    await load.stop();
    vi.unstubAllGlobals();
  });
  return { load, sent };
}

test("what is acknowledged is written down once, and nothing is missing", async () => {
  const { load, sent } = play(() => Response.json({}, { status: 201 }));
  await load.untilAcknowledged(30);
  await load.stop();
  expect(load.acknowledged.size).toBe(load.requests);
  expect([...load.acknowledged.keys()].toSorted()).toEqual(sent.map(({ key }) => key ?? "").toSorted());
  expect([load.failures.size, load.refused.length]).toEqual([0, 0]);
});

test("every payout goes out under its reference as key, for an amount that the judge knows", async () => {
  const { load, sent } = play(() => Response.json({}, { status: 201 }));
  await load.untilAcknowledged(20);
  for (const { key, body } of sent) {
    const { reference, amount } = JSON.parse(body) as { readonly reference: string; readonly amount: number };
    expect(reference).toBe(key);
    expect(load.attempted.get(reference)?.amount).toBe(amount);
  }
});

test("most payouts are paid, and some end in a failure or a reversal", async () => {
  const { load, sent } = play(() => Response.json({}, { status: 201 }));
  await load.untilAcknowledged(36);
  const endings = sent.slice(0, 36).map(({ key }) => /_[A-Z]+$/.exec(key ?? "")?.[0] ?? "paid");
  expect(endings.filter((ending) => ending === "_FAIL").length).toBeGreaterThanOrEqual(3);
  expect(endings.filter((ending) => ending === "_REVERSE").length).toBeGreaterThanOrEqual(3);
  expect(endings.filter((ending) => ending === "paid").length).toBeGreaterThan(20);
});

test.each([
  ["503 unavailable", () => refused(503, "unavailable")],
  ["500 internal", () => refused(500, "internal")],
  ["409 idempotency_key_in_use", () => refused(409, "idempotency_key_in_use")],
  ["502 no code", () => new Response("<html>Bad gateway</html>", { status: 502 })],
  ["no reply: socket hang up", () => new TypeError("fetch failed", { cause: new Error("socket hang up") })],
])("after %s the same is sent again, byte for byte", async (what, reply) => {
  let first = "";
  const { load, sent } = play((_number, { key }) => {
    if (first === "") first = key ?? "";
    const tries = sent.filter((one) => one.key === key).length;
    return key === first && tries === 1 ? reply() : Response.json({}, { status: 201 });
  });
  await expect.poll(() => load.acknowledged.has(first)).toBe(true);
  const again = sent.filter(({ key }) => key === first);
  expect(again).toHaveLength(2);
  expect(again[1]?.body).toBe(again[0]?.body);
  expect([...load.failures]).toEqual([[what, 1]]);
});

test.each([
  ["422 amount_below_minimum", 422, "amount_below_minimum"],
  ["401 invalid_key", 401, "invalid_key"],
  ["409 reference_conflict", 409, "reference_conflict"],
])("%s stands: it is kept as refused, and not sent again", async (what, status, code) => {
  let first = "";
  const { load, sent } = play((number, { key }) => {
    if (number === 1) first = key ?? "";
    return key === first ? refused(status, code) : Response.json({}, { status: 201 });
  });
  await load.untilAcknowledged(10);
  expect(load.refused).toEqual([`${first}: ${what}`]);
  expect(sent.filter(({ key }) => key === first)).toHaveLength(1);
  expect(load.acknowledged.has(first)).toBe(false);
});

test("who stops waits for what is under way, and sends nothing afterwards", async () => {
  const gate = Promise.withResolvers<void>();
  let [begun, ended] = [0, 0];
  vi.stubGlobal("fetch", async () => {
    begun += 1;
    await gate.promise;
    ended += 1;
    return Response.json({}, { status: 201 });
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const load = startLoad({ baseUrl: "http://cluster.test", key: "k", perSecond: 1_000 });
  await expect.poll(() => begun).toBeGreaterThan(0);
  const stopping = load.stop();
  const underWay = begun;
  gate.resolve();
  await stopping;
  expect([begun, ended, load.acknowledged.size]).toEqual([underWay, underWay, underWay]);
});

test("a wait for more than will come ends with the load", async () => {
  const { load } = play(() => Response.json({}, { status: 201 }));
  const waiting = load.untilAcknowledged(1_000_000_000);
  await load.stop();
  await waiting;
  expect(load.longestGapMs()).toBeGreaterThanOrEqual(0);
});
