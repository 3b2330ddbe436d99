import { expect, test } from "vitest";
import { createFaultServer, good, json, refuse } from "../testing/fault-server.ts";
import { ConflictError, hostedCheckout, JaraInputError } from "./index.ts";

const server = await createFaultServer();
const open = (base = server.baseUrl) => hostedCheckout(`${base}/checkout/01930b6e-7c5a#page-token`);
const view = { step: "consent", status: "open", offers: [] };

test.each([
  ["read", "GET /hosted/checkout", "", () => open().read()],
  ["chooseTerms", "POST /hosted/checkout/terms", '{"tenor":3}', () => open().chooseTerms(3)],
  [
    "requestConsent",
    "POST /hosted/checkout/consent/request",
    '{"agreed":true,"termsHash":"h"}',
    () => open().requestConsent("h"),
  ],
  ["verifyConsent", "POST /hosted/checkout/consent/verify", '{"otp":"123456"}', () => open().verifyConsent("123456")],
  ["linkCard", "POST /hosted/checkout/card-link", "", () => open().linkCard()],
  ["cancel", "POST /hosted/checkout/cancel", "", () => open().cancel()],
])("%s sends %s %s with the page's token, which is in no address", async (_, operation, body, act) => {
  server.play(good(view));
  expect(await act()).toEqual(view);
  const [sent] = server.arrived;
  expect([`${sent?.method} ${sent?.url}`, sent?.body]).toEqual([operation, body]);
  expect(sent?.headers.authorization).toBe("Bearer page-token");
});

test("a server below a path is called there", async () => {
  server.play(good(view));
  await open(`${server.baseUrl}/jara`).read();
  expect(server.arrived[0]?.url).toBe("/jara/hosted/checkout");
});

test.each([
  "",
  "http://localhost:4000/checkout/1",
  "http://localhost:4000/checkout/1#",
  "http://localhost:4000/plans/1#t",
  "/checkout/1#t",
  "javascript://x/checkout/1#t",
  "http://localhost:4000/checkout/1#t with blanks",
])("%j is not a session's address, and its token is not repeated", (address) => {
  expect(() => hostedCheckout(address)).toThrow(JaraInputError);
  expect(() => hostedCheckout(address)).toThrow("Give the session's url whole");
});

test("a refusal is an error like any other", async () => {
  server.play(refuse(409, "consent_given"));
  await expect(open().verifyConsent("123456")).rejects.toBeInstanceOf(ConflictError);
});

test.each(["completed", "expired", "cancelled"])("waiting ends when the session is %s", async (status) => {
  server.play(good(view), refuse(503, "unavailable", { "retry-after": "0" }), good({ ...view, status }));
  expect(await open().waitUntilFinal({ pollMs: 1 })).toMatchObject({ status });
});

test("waiting ends with the signal's reason", async () => {
  server.play(json(200, { status: true, data: view }));
  const giveUp = new AbortController();
  const waiting = open().waitUntilFinal({ signal: giveUp.signal });
  giveUp.abort(new Error("the tab is closed"));
  await expect(waiting).rejects.toThrow("the tab is closed");
});
