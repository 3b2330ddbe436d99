/** What is overridden, where, and in which form; and what is not touched. */
import { expect, test } from "vitest";
import { type Asked, jara } from "../../testing/in-process.ts";
import { flows } from "./flows.ts";
import { overriding } from "./override.ts";

const event = (name: string, id: string) => ({
  id: "e-1",
  event: name,
  created_at: "2026-11-16T23:30:00.000Z",
  data: { id },
});

async function trigger(words: string, name: string, id: string, replies: object) {
  const feed = ({ path }: Asked) => ({ events: path.includes("latest") ? [] : [event(name, id)], cursor: "c" });
  const { asked, ...played } = await jara(`trigger ${name} ${words}`, {
    replies: {
      "GET /sandbox/clock": () => ({ now: "2026-11-01T08:00:00.000Z", mode: "running", nextDueAt: null, seed: null }),
      "GET /events/feed": feed,
      ...replies,
    },
  });
  return { ...played, bodies: asked.filter(({ method }) => method === "POST").map(({ body }) => body) };
}

test("fields of the request are replaced or added, in the form that stands there", async () => {
  const { code, bodies } = await trigger(
    "--override amount=5000 --override narration=Salary --override account_number=0690000032",
    "transfer.completed",
    "t-1",
    { "POST /transfers": () => ({ id: "t-1" }) },
  );
  expect(code).toBe(0);
  expect(bodies).toMatchObject([{ amount: 5000, narration: "Salary", accountNumber: "0690000032", bankCode: "058" }]);
});

test("numbers that the API wants as text stay text", async () => {
  const { bodies } = await trigger("--override amount=70000 --override tenure=2", "loan.created", "l-1", {
    "POST /loans/create": () => ({ id: "l-1" }),
  });
  expect(bodies[0]).toMatchObject({ amount: "70000", tenure: "2" });
});

test("a field further in is found by its way", async () => {
  const { bodies } = await trigger("--override transfers.1.amount=7", "transfer.batch.completed", "b-1", {
    "POST /transfers/bulk": () => ({ batchId: "b-1" }),
  });
  expect(bodies).toMatchObject([{ transfers: [{ amount: 1_500 }, { amount: 7 }] }]);
});

test.each([
  ["amount", 2],
  ["=5", 2],
  ["a..b=1", 2],
  ["__proto__.polluted=1", 2],
])("%s is refused before anything is sent", async (text, code) => {
  const played = await trigger(`--override ${text}`, "transfer.completed", "t-1", {});
  expect([played.code, played.bodies]).toEqual([code, []]);
  expect(played.err).toContain("is not an override");
});

test("every event that can be played either has a request to override or says that it has none", () => {
  const without = Object.keys(flows).filter((name) => {
    try {
      overriding(name, []);
      return false;
    } catch {
      return true;
    }
  });
  expect(without).toEqual(["webhook.test", "webhook.endpoint.disabled"]);
});
