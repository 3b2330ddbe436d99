import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { silentLog } from "../../testing/work.ts";
import { createDemoCaller, Refused } from "./demo-call.ts";
import { firstReference, lastReference, steps } from "./demo-records.ts";
import { startDemo } from "./play-demo.ts";

interface Heard {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}
interface Reply {
  readonly status: number;
  readonly body: unknown;
}

let heard: Heard[];
let answer: (asked: Heard) => Reply;
beforeEach(() => {
  heard = [];
  answer = () => ({ status: 200, body: { data: {} } });
});

/** An API that says what a test wants, and notes what it was asked. */
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const asked = {
    method: request.method ?? "",
    url: request.url ?? "",
    headers: request.headers,
    body: Buffer.concat(chunks).toString("utf8"),
  };
  heard.push(asked);
  const { status, body } = answer(asked);
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
afterAll(() => new Promise((resolve) => server.close(resolve)));
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const running = new AbortController();
const demo = createDemoCaller(baseUrl, "sk_test_demo", running.signal);

const refusing =
  (code: string, status = 409) =>
  () => ({ status, body: { status: "error", code, data: null } });

describe("the demo merchant's server", () => {
  test("calls with its key, and reads what is inside the envelope", async () => {
    answer = () => ({ status: 200, body: { data: { available: 7 } } });
    expect(await demo.get("/wallets/balance")).toEqual({ available: 7 });
    expect(heard[0]).toMatchObject({ method: "GET", url: "/wallets/balance", body: "" });
    expect(heard[0]?.headers.authorization).toBe("Bearer sk_test_demo");
  });

  test("sends JSON, and a name for what has no reference of its own", async () => {
    await demo.post("/sandbox/wallets/fund", { amount: 500 }, "demo-funds");
    expect(heard[0]).toMatchObject({ method: "POST", body: '{"amount":500}' });
    expect(heard[0]?.headers).toMatchObject({ "content-type": "application/json", "idempotency-key": "demo-funds" });
    await demo.post("/transfers", { reference: "r" });
    expect(heard[1]?.headers["idempotency-key"]).toBeUndefined();
  });

  test("throws what was refused, with its code", async () => {
    answer = refusing("insufficient_funds");
    const refusal = await demo.post("/transfers", {}).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Refused);
    expect(refusal).toMatchObject({ code: "insufficient_funds", message: "/transfers: insufficient_funds" });
    answer = () => ({ status: 502, body: {} });
    await expect(demo.get("/x")).rejects.toMatchObject({ code: "502" });
  });

  test.each(["invalid_state", "consent_given", "otp_resend_too_early"])(
    "takes %s for done, because an earlier start may have done it",
    async (code) => {
      answer = refusing(code);
      await expect(demo.postOrDone("/x", {})).resolves.toBeUndefined();
      await expect(demo.post("/x", {})).rejects.toMatchObject({ code });
    },
  );

  test("takes no other refusal for done", async () => {
    answer = refusing("not_found", 404);
    await expect(demo.postOrDone("/x", {})).rejects.toMatchObject({ code: "not_found" });
  });

  test("waits no longer than it is wanted", async () => {
    const end = new AbortController();
    const waiting = createDemoCaller(baseUrl, "k", end.signal).until(async () => "pending", "active");
    end.abort();
    await expect(waiting).rejects.toThrow(/abort/i);
  });

  test("does not wait for what is there already", async () => {
    await expect(demo.until(async () => "active", "active")).resolves.toBeUndefined();
  });
});

describe("a first start", () => {
  const play = async () => {
    const demoOf = startDemo({ baseUrl, secretKey: "sk_test_demo", log: silentLog });
    await expect.poll(() => heard.length).toBeGreaterThan(0);
    return demoOf;
  };

  test("leaves a sandbox alone that somebody has used: it was not the demo merchant", async () => {
    answer = ({ url }) => {
      if (url.startsWith("/transfers/verify")) return refusing("transfer_not_found", 404)();
      return { status: 200, body: { data: url.startsWith("/bills") ? [{ id: "b1" }] : [] } };
    };
    const demoOf = await play();
    await expect.poll(() => heard.length).toBe(6);
    await demoOf.stop();
    expect(heard.every(({ method }) => method === "GET")).toBe(true);
  });

  test("has nothing to do where the last step was made", async () => {
    const demoOf = await play();
    await demoOf.stop();
    expect(heard.map(({ url }) => url)).toEqual(["/sandbox/clock", `/transfers/verify?reference=${lastReference}`]);
  });

  test("carries on where it was cut off", async () => {
    answer = ({ url, method }) => {
      if (url.endsWith(lastReference)) return refusing("transfer_not_found", 404)();
      return method === "GET" ? { status: 200, body: { data: {} } } : refusing("internal", 500)();
    };
    const demoOf = await play();
    await expect.poll(() => heard.some(({ method }) => method === "POST")).toBe(true);
    await demoOf.stop();
    expect(heard.map(({ url }) => url)).toContain(`/transfers/verify?reference=${firstReference}`);
    // The first step was refused, so nothing after it was tried.
    expect(heard.filter(({ method }) => method === "POST").map(({ url }) => url)).toEqual(["/transfers"]);
  });
});

describe("the steps of the demo merchant", () => {
  const words = Object.keys(steps);

  test("begin and end with the payouts that tell how far it came", async () => {
    expect([words[0], words.at(-1)]).toEqual(["rent", "last"]);
    await steps["rent"]?.(demo);
    await steps["last"]?.(demo);
    expect(heard.map(({ body }) => JSON.parse(body).reference)).toEqual([firstReference, lastReference]);
  });

  test("of payouts and bills have a reference of their own each, so that none is made twice", async () => {
    const lists = { data: [{ planCode: "p", packageCode: "p", code: "c" }] };
    answer = ({ method }) => ({ status: 200, body: method === "GET" ? lists : { data: {} } });
    for (const word of [
      "rent",
      "supplier",
      "rider",
      "closedAccount",
      "returned",
      "airtime",
      "data",
      "electricity",
      "tv",
      "waiting",
      "last",
    ]) {
      await steps[word]?.(demo);
    }
    const references = heard
      .filter(({ body }) => body.includes("reference"))
      .map(({ body }) => JSON.parse(body).reference);
    expect(references).toHaveLength(11);
    expect(new Set(references).size).toBe(11);
    for (const reference of references) expect(reference).toMatch(/^demo-/);
  });
});
