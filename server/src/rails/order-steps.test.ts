import { describe, expect, test } from "vitest";
import { orderSteps, type TracedOrder, turnsOfOrder } from "./order-steps.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 10, 2, 8, minute));
const failure = { code: "nip_07", message: "The account is not valid" };

const waiting: TracedOrder = {
  ids: { transfer: "t-1" },
  rail: "the bank",
  asked: { amount: "2500.00" },
  status: "pending",
  done: "completed",
  failure: null,
  createdAt: at(0),
  sentAt: null,
  completedAt: null,
  updatedAt: at(0),
  queries: 0,
  decided: false,
};
const sent: TracedOrder = { ...waiting, status: "processing", sentAt: at(1), updatedAt: at(1) };
const completed: TracedOrder = { ...sent, status: "completed", completedAt: at(2), updatedAt: at(2) };
const failed: TracedOrder = { ...completed, status: "failed", failure };
const reversed: TracedOrder = { ...completed, status: "reversed", failure, updatedAt: at(9) };

/** The steps in the order in which a trace shows them. */
const told = (order: TracedOrder) =>
  orderSteps(order)
    .toSorted((one, other) => one.at.getTime() - other.at.getTime() || (one.turn ?? 0) - (other.turn ?? 0))
    .map(({ title, ok }) => [title, ok]);

describe("the life of an order", () => {
  test("that waits", () => {
    expect(told(waiting)).toEqual([["Accepted", true]]);
  });

  test("that is with the rail", () => {
    expect(told(sent)).toEqual([
      ["Accepted", true],
      ["On its way to the bank", true],
      ["Asked the bank", true],
    ]);
  });

  test("that was done", () => {
    expect(told(completed)).toEqual([
      ["Accepted", true],
      ["On its way to the bank", true],
      ["Asked the bank", true],
      ["Confirmed by the bank", true],
      ["Done", true],
    ]);
  });

  test("that was refused", () => {
    expect(told(failed)).toEqual([
      ["Accepted", true],
      ["On its way to the bank", true],
      ["Asked the bank", true],
      ["Refused by the bank", false],
      ["Failed", false],
    ]);
  });

  test("that came back", () => {
    expect(told(reversed)).toEqual([
      ["Accepted", true],
      ["On its way to the bank", true],
      ["Asked the bank", true],
      ["Confirmed by the bank", true],
      ["Done", true],
      ["It came back from the bank", false],
      ["Reversed", false],
    ]);
  });

  test("that failed before it was sent has nothing to do with the rail", () => {
    expect(told({ ...failed, sentAt: null })).toEqual([
      ["Accepted", true],
      ["Failed", false],
    ]);
  });
});

describe("an order whose outcome was owed", () => {
  test.each([
    [1, "1 time"],
    [2, "2 times"],
    [105, "105 times"],
  ])("and asked about %i times says how often", (queries, times) => {
    const title = `Asked the bank again, ${times}, because it had not told the outcome`;
    expect(told({ ...sent, queries })).toContainEqual([title, false]);
    expect(told({ ...completed, queries })).toContainEqual([title, true]);
  });

  test("is asked until it ends, and until now while it has not", () => {
    const stepOf = (order: TracedOrder) => orderSteps(order).find(({ title }) => title.includes("again"))?.at;
    expect(stepOf({ ...sent, queries: 3, updatedAt: at(7) })).toEqual(at(7));
    expect(stepOf({ ...completed, queries: 3, updatedAt: at(9) })).toEqual(at(2));
  });

  test("and was ended by an operator is not said to have been answered by the rail", () => {
    const titles = (order: TracedOrder) => told(order).map(([title]) => title);
    expect(titles({ ...completed, decided: true })).not.toContain("Confirmed by the bank");
    expect(titles({ ...failed, decided: true })).not.toContain("Refused by the bank");
    expect(titles({ ...completed, decided: true })).toContain("Done");
  });
});

describe("what a step tells", () => {
  const detailOf = (order: TracedOrder, wanted: string) => orderSteps(order).find(({ title }) => title === wanted);

  test("of the order is its id, at every step", () => {
    for (const step of orderSteps({ ...reversed, queries: 2 })) expect(step.ids).toEqual({ transfer: "t-1" });
  });

  test("of a question is what was asked", () => {
    expect(detailOf(sent, "Asked the bank")?.detail).toEqual({ asked: { amount: "2500.00" } });
  });

  test("of an answer is what the rail gave", () => {
    const given = { token: "1234" };
    const detail = { answered: { outcome: "done", token: "1234" } };
    expect(detailOf({ ...completed, given }, "Confirmed by the bank")?.detail).toEqual(detail);
  });

  test("of a failure is its code and its sentence", () => {
    expect(detailOf(failed, "Failed")?.detail).toEqual({ status: "failed", failure });
    expect(detailOf(failed, "Refused by the bank")?.detail).toEqual({ answered: { outcome: "refused", ...failure } });
    expect(detailOf(reversed, "Reversed")?.detail).toEqual({ status: "reversed", failure });
  });

  test("of a success is the domain's own word for it, also after it came back", () => {
    expect(detailOf({ ...completed, done: "delivered" }, "Done")?.detail).toEqual({ status: "delivered" });
    expect(detailOf(reversed, "Done")?.detail).toEqual({ status: "completed" });
  });
});

test("postings and events of one moment stand beside the steps that they belong to", () => {
  const turns = turnsOfOrder("transfer", ["completed", "failed"]);
  const turnOf = (order: TracedOrder, title: string) => orderSteps(order).find((step) => step.title === title)?.turn;
  expect(turns["transfer.held"]).toBe(turnOf(waiting, "Accepted"));
  expect(turns["transfer.completed"]).toBe(turnOf(completed, "Done"));
  expect(turns["transfer.failed"]).toBe(turnOf(failed, "Failed"));
  expect(turns["transfer.reversed"]).toBe(turnOf(reversed, "Reversed"));
  expect(Object.keys(turns)).toHaveLength(4);
});
