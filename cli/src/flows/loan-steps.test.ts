/** Loans to applicants, step by step: what is asked of the API, in which order, and where it ends. */
import { describe, expect, test } from "vitest";
import { refusal } from "../../testing/in-process.ts";
import { openSandbox, type Replies, startOfPlay } from "../../testing/sandbox-play.ts";
import { approve, askForLoan, letFallOverdue, passGrace, payOut, repay, repayEverything } from "./loan-steps.ts";
import { personOf } from "./people.ts";

const loanIs = (status: string, more: object = {}) => ({
  loan_request: { id: "l-1", status },
  loan_details: { balance: 51_250.75, next_due_date: null, ...more },
});

test("an applicant is asked for with everything that the API wants, in its own words", async () => {
  const { playing, sent } = await openSandbox({ "POST /loans/create": () => ({ id: "l-1" }) });
  const person = personOf("demo");
  const terms = { amount: 30_000, tenure: 7, tenureType: "daily" } as const;
  expect(await askForLoan(playing, person, terms)).toBe("l-1");
  expect(sent.at(-1)?.body).toEqual({
    first_name: person.firstName,
    last_name: person.lastName,
    phone: person.phone,
    email: person.email,
    bvn: person.bvn,
    nin: person.nin,
    account_number: person.accountNumber,
    bank_code: person.bankCode,
    amount: "30000",
    tenure: "7",
    tenure_type: "daily",
    longitude: "3.3792",
    latitude: "6.5244",
  });
});

describe("a decision that the sandbox was faster with", () => {
  const paidOut: Replies = {
    "POST /sandbox/loans/l-1/approve": () => refusal(409, "invalid_state", "It is approved already."),
    "POST /sandbox/loans/l-1/disburse": () => refusal(409, "invalid_state", "It is paid out already."),
    "GET /loans/l-1": () => loanIs("active"),
  };

  test("is as good as one's own", async () => {
    const { playing, lines } = await openSandbox(paidOut);
    await payOut(playing, "l-1");
    expect(lines()).toEqual(["POST /sandbox/loans/l-1/approve", "POST /sandbox/loans/l-1/disburse", "GET /loans/l-1"]);
  });

  test.each([
    ["is gone", 404, "loan_not_found"],
    ["cannot be decided for another reason", 409, "conflict"],
  ])("hides no other refusal: a loan that %s", async (_case, status, code) => {
    const { playing } = await openSandbox({
      "POST /sandbox/loans/l-1/approve": () => refusal(status, code, "No."),
    });
    await expect(approve(playing, "l-1")).rejects.toMatchObject({ code });
  });
});

test("where the clock stands still, time moves between the pay-out and the look at it", async () => {
  const { playing, sent } = await openSandbox(
    {
      "POST /sandbox/loans/l-1/": () => ({}),
      "GET /loans/l-1": () => loanIs("active"),
    },
    { mode: "frozen" },
  );
  await payOut(playing, "l-1");
  expect(sent.map(({ line }) => line)).toEqual([
    "GET /sandbox/clock",
    "POST /sandbox/loans/l-1/approve",
    "POST /sandbox/loans/l-1/disburse",
    "POST /sandbox/clock/advance",
    "GET /loans/l-1",
  ]);
});

test("a repayment is named after its play and its loan, so that the next play's is another", async () => {
  const replies: Replies = { "POST /loans/l-1/repayments": () => ({ id: "r-1" }) };
  const references = [];
  for (const mark of ["one", "two"]) {
    const { playing, sent } = await openSandbox(replies, { mark });
    expect(await repay(playing, "l-1", 1_000)).toBe("r-1");
    references.push(sent.at(-1)?.body);
  }
  expect(references).toEqual([
    { amount: 1_000, channel: "bank_transfer", reference: "one-l-1-repayment" },
    { amount: 1_000, channel: "bank_transfer", reference: "two-l-1-repayment" },
  ]);
});

test("to repay everything is to pay the balance, to the kobo", async () => {
  const { playing, sent } = await openSandbox({
    "GET /loans/l-1": () => loanIs("active"),
    "POST /loans/l-1/repayments": () => ({ id: "r-1" }),
  });
  await repayEverything(playing, "l-1");
  expect(sent.at(-1)?.body).toMatchObject({ amount: 51_250.75 });
});

describe("to fall overdue", () => {
  const due = "2026-11-08T08:00:00.000Z";

  test("the clock goes to the due date, and then day by day until the loan is overdue", async () => {
    let reads = 0;
    const { playing, moves } = await openSandbox({
      "GET /loans/l-1": () => {
        reads += 1;
        return loanIs(reads < 5 ? "active" : "overdue", { next_due_date: due });
      },
    });
    await letFallOverdue(playing, "l-1");
    expect(moves()).toEqual([{ to: due }, { days: 1 }, { days: 1 }, { days: 1 }]);
  });

  test.each(["overdue", "completed", "pending"])("a loan that is %s moves no clock", async (status) => {
    const { playing, moves } = await openSandbox({ "GET /loans/l-1": () => loanIs(status, { next_due_date: due }) });
    await letFallOverdue(playing, "l-1");
    expect(moves()).toEqual([]);
  });

  test("nothing is due: nothing is waited for", async () => {
    const { playing, moves } = await openSandbox({ "GET /loans/l-1": () => loanIs("active") });
    await letFallOverdue(playing, "l-1");
    expect(moves()).toEqual([]);
  });

  test("a due date that has passed does not move the clock back", async () => {
    const { playing, moves } = await openSandbox({});
    const states = ["active", "active", "overdue"];
    await passGrace(playing, async () => ({ status: states.shift() ?? "", nextDueDate: "2026-10-01T00:00:00.000Z" }));
    expect(moves()).toEqual([{ days: 1 }]);
  });

  test("a loan that never falls overdue ends the waiting after two months", async () => {
    const { playing, moves } = await openSandbox({});
    await passGrace(playing, async () => ({ status: "active", nextDueDate: startOfPlay }));
    expect(moves()).toHaveLength(60);
  });
});
