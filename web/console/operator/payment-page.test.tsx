/** A payment of any merchant at its operator's: where it is, and how it is ended by hand. */
import { afterEach, expect, test, vi } from "vitest";
import { button, field, hasButton, press, settle, shown, type } from "../../testing/draw.tsx";
import { brokenLine, refuse, replyWith } from "../../testing/replies.ts";
import { drawInConsole, operatorPath } from "../testing/in-console.tsx";
import { fact } from "../testing/lists.ts";
import { OperatorBillPage, OperatorPayoutPage } from "./payment-page.tsx";

const payment = {
  id: "t-1",
  environment: "LIVE",
  reference: "order-7",
  amount: 2_500.5,
  status: "processing",
  failureReason: null as { message: string } | null,
  createdAt: "2026-11-16T18:45:31.284Z",
  completedAt: null as string | null,
  rail: {
    provider: "paystack",
    orderId: "ord-1",
    providerReference: "TRF_9",
    networkSessionId: null,
  } as object | null,
};
const trace = { [`GET ${operatorPath}/traces/t-1`]: () => ({ id: "t-1", steps: [] }) };

afterEach(() => vi.useRealTimers());

async function open(page: "transfers" | "bills", more: Partial<typeof payment> = {}, resolve = () => ({}) as unknown) {
  const server = { payment: { ...payment, ...more } };
  const asked = replyWith({
    ...trace,
    [`GET ${operatorPath}/${page}/t-1`]: () => server.payment,
    [`POST ${operatorPath}/${page}/t-1/resolve`]: resolve,
  });
  const element = page === "bills" ? <OperatorBillPage /> : <OperatorPayoutPage />;
  await drawInConsole(element, { house: "operator", address: "/here/t-1" });
  return { server, asked, sent: () => asked.filter(({ method }) => method === "POST") };
}
const submit = () => settle(() => document.querySelector<HTMLButtonElement>("[role=dialog] [type=submit]")?.click());

test("a payout names every id by which the provider and the banks know it", async () => {
  await open("transfers");
  expect(document.querySelector("h1")?.textContent).toBe("Payout of ₦2,500.50");
  expect(["With", "Our id there", "Their reference", "Session between banks"].map(fact)).toEqual([
    "Paystack",
    "ord-1",
    "TRF_9",
    "–",
  ]);
});

test("what was not sent yet is with no provider", async () => {
  await open("transfers", { rail: null, status: "pending" });
  expect(fact("With")).toBe("no provider");
});

test.each([
  ["pending", false],
  ["processing", true],
  ["completed", false],
  ["failed", false],
  ["reversed", false],
])("a payment that is %s can be ended by hand: %s", async (status, can) => {
  await open("transfers", { status });
  expect(hasButton("End by hand")).toBe(can);
});

test("an outcome is chosen, never given: none stands there at first", async () => {
  const { sent } = await open("transfers");
  await press("End by hand");
  expect(shown()).toContain("money is lost if it is wrong");
  expect(field("Outcome").value).toBe("");
  expect((field("Outcome") as HTMLSelectElement).checkValidity()).toBe(false);
  expect((field("Evidence") as HTMLInputElement).checkValidity()).toBe(false);
  expect(sent()).toEqual([]);
});

test("outcome and evidence are sent once, under one key, also after a broken line", async () => {
  let times = 0;
  const { sent } = await open("transfers", {}, () => (times++ === 0 ? brokenLine() : {}));
  await press("End by hand");
  await type("Outcome", "failed");
  await type("Evidence", "  ticket 4711 ");
  await submit();
  await expect.poll(shown).toContain("Nothing is lost.");
  await submit();
  await expect.poll(() => document.querySelector("[role=dialog]")).toBeNull();
  expect(sent().map(({ body }) => body)).toEqual([
    { outcome: "failed", evidence: "ticket 4711" },
    { outcome: "failed", evidence: "ticket 4711" },
  ]);
  expect(new Set(sent().map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
});

test("a bill that was delivered takes its token, and only what was filled in goes along", async () => {
  const { sent } = await open("bills");
  expect(document.querySelector("h1")?.textContent).toBe("Bill of ₦2,500.50");
  await press("End by hand");
  await type("Outcome", "completed");
  await type("Evidence", "their letter");
  await type("Meter token", " 12345678901234567890 ");
  await submit();
  await expect.poll(sent).toHaveLength(1);
  expect(sent()[0]?.body).toEqual({ outcome: "completed", evidence: "their letter", token: "12345678901234567890" });
});

test("what the server refuses stays in the window, with what was typed", async () => {
  await open("transfers", {}, () => refuse(409, "already_final", { message: "It has an outcome already." }));
  await press("End by hand");
  await type("Outcome", "completed");
  await type("Evidence", "a letter");
  await submit();
  await expect.poll(shown).toContain("It has an outcome already.");
  expect(field("Evidence").value).toBe("a letter");
});

test("while it is under way the page looks again, and the button goes when the outcome is there", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const { server } = await open("transfers");
  expect(button("End by hand")).toBeDefined();
  server.payment = { ...payment, status: "completed", completedAt: "2026-11-16T18:45:33.000Z" };
  await settle(() => vi.advanceTimersByTime(2_000));
  await expect.poll(() => hasButton("End by hand")).toBe(false);
});

test("why it failed is told in the provider's words, as text", async () => {
  await open("transfers", { status: "failed", failureReason: { message: "<b>closed</b>" } });
  expect(fact("Why it failed")).toBe("<b>closed</b>");
});
