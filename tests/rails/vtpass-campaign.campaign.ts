import { afterAll, expect, test } from "vitest";
import type { VendOrder, VendQueryAnswer } from "../../server/src/rails/biller.ts";
import { faultNames, seededRandom } from "../../server/testing/providers/twin-faults.ts";
import { connectVtpassTwin } from "../../server/testing/providers/vtpass-subject.ts";

const { twin, rail, newOrder } = await connectVtpassTwin();
afterAll(() => twin.close());

const mostQuestions = 60;

/** As an order is pursued: sent once, then asked about; sent again only when VTpass has no record of it. */
async function pursue(order: VendOrder): Promise<VendQueryAnswer> {
  let answer: VendQueryAnswer = await rail.vend(order);
  for (let question = 0; answer.outcome === "unknown" && question < mostQuestions; question += 1) {
    answer = await rail.query(order);
    if (answer.outcome === "no_record") answer = await rail.vend(order);
  }
  return answer;
}

test("whatever goes wrong on the wire, we believe what is in VTpass's books and nothing is bought twice", async () => {
  const seed = 20_261_116;
  const random = seededRandom(seed);
  const fates = ["delivered", "delivered", "delivered", "failed"] as const;
  twin.misbehave({ share: 0.4, seed, faults: faultNames.filter((name) => name !== "late") });
  const orders = Array.from({ length: 1_000 }, () => newOrder());
  const waiting = [...orders];
  const answers = new Map<string, VendQueryAnswer>();
  const work = async () => {
    for (let order = waiting.shift(); order !== undefined; order = waiting.shift()) {
      twin.fates.push(fates[Math.floor(random() * fates.length)] ?? "delivered");
      answers.set(order.requestId, await pursue(order));
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  for (const { requestId } of orders) {
    const booked = twin.books.transactions.get(requestId);
    expect(answers.get(requestId)?.outcome).toBe(booked?.state === "delivered" ? "success" : "failure");
    expect(booked?.deliveries).toBe(booked?.state === "delivered" ? 1 : 0);
  }
  const outcomes = [...answers.values()].map(({ outcome }) => outcome);
  expect(new Set(outcomes)).toEqual(new Set(["success", "failure"]));
});
