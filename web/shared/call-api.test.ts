import { afterEach, expect, test, vi } from "vitest";
import { ApiProblem, callApi } from "./call-api.ts";

afterEach(() => vi.unstubAllGlobals());

/** The browser's own function stands in for the network. */
function answerWith(reply: () => Response | Promise<Response>) {
  const fetched = vi.fn<(path: string, request: RequestInit) => Promise<Response>>(async () => reply());
  vi.stubGlobal("fetch", fetched);
  return fetched;
}

async function refusalOf(call: Promise<unknown>) {
  const problem = await call.catch((error: unknown) => error);
  if (!(problem instanceof ApiProblem)) throw new Error("nothing was refused");
  return problem.refusal;
}

test("the token goes in a header, the body as JSON, and the data comes back", async () => {
  const fetched = answerWith(() => Response.json({ status: true, data: { step: "offer" } }));
  expect(await callApi("/hosted/checkout/terms", { method: "POST", token: "t", body: { tenor: 3 } })).toEqual({
    step: "offer",
  });
  const [path, request] = fetched.mock.calls[0] ?? [];
  expect(path).toBe("/hosted/checkout/terms");
  expect(request).toMatchObject({ method: "POST", body: '{"tenor":3}', credentials: "omit" });
  expect(request?.headers).toMatchObject({ authorization: "Bearer t", "content-type": "application/json" });
});

test("a request without a body names no content type, which would promise one", async () => {
  const fetched = answerWith(() => Response.json({ data: null }));
  await callApi("/hosted/checkout/cancel", { method: "POST", token: "t" });
  expect(fetched.mock.calls[0]?.[1].headers).not.toHaveProperty("content-type");
});

test("a refusal carries code, fields, data and the wait", async () => {
  const body = { code: "otp_invalid", message: "Wrong.", errors: [], data: { attemptsRemaining: 2 } };
  answerWith(() => Response.json(body, { status: 422, headers: { "retry-after": "7" } }));
  expect(await refusalOf(callApi("/x"))).toEqual({ ...body, status: 422, waitSeconds: 7 });
});

test.each([
  ["no network", () => Promise.reject(new TypeError("Failed to fetch")), 0],
  ["a proxy's own page", () => new Response("<h1>Bad gateway</h1>", { status: 502 }), 502],
  ["a success that is no JSON", () => new Response("hello"), 200],
])("%s is a server that cannot be reached", async (_name, reply, status) => {
  answerWith(reply);
  expect(await refusalOf(callApi("/x"))).toMatchObject({ code: "unreachable", status, data: {}, errors: [] });
});
