/**
 * A customer's visit to a plan: the door, the code, paying, leaving.
 */
import { describe, expect, test } from "vitest";
import { button, describedBy, draw, field, hasButton, press, settle, shown, type } from "../testing/draw.tsx";
import {
  disclosure,
  now,
  openHosted,
  type Replies,
  sentCode,
  setting,
  visa,
  visitAsCustomer,
} from "../testing/hosted-page.tsx";
import { brokenLine, held, refuse, replyWith } from "../testing/replies.ts";
import { PlanPage } from "./plan-page.tsx";
import type { DoorView, PlanView } from "./plan-view.ts";

const left = visitAsCustomer();

const door: DoorView = { ...setting, code: null };
const plan: PlanView = {
  reference: "r-1",
  status: "active",
  ...setting,
  orderReference: "order-7",
  customer: { name: "Ada Obi", firstName: "Ada", phone: "*******4567" },
  startedAt: now,
  amount: 60_000,
  tenor: 3,
  interestRate: 2.5,
  annualRate: 54.3,
  totalInterest: 4_500,
  totalFees: 0,
  lateFees: 0,
  totalRepayment: 64_500,
  paid: 21_500,
  balance: 43_000,
  credit: 0,
  next: { number: 2, amount: 21_500, dueDate: "2026-12-05", isLate: false },
  due: 0,
  settlement: 43_000,
  canPay: true,
  schedule: [],
  card: visa,
  charge: null,
  payments: [],
  disclosure,
  expiresAt: "2026-11-05T10:30:00.000Z",
};
const page = <PlanPage address={{ id: "p-1", token: "page" }} />;

async function knock(replies: Replies = {}) {
  const { asked } = await openHosted(page, "/hosted/plan", door, replies);
  return asked;
}

/** As a tab that has been let in before. */
async function visit(view: PlanView = plan, replies: Replies = {}) {
  sessionStorage.setItem("jara/plan-visit/p-1", "visit");
  const opened = await openHosted(page, "/hosted/plan/visit", view, {
    ...replies,
    "GET /hosted/plan": () => door,
  });
  const pays = () =>
    opened.sent().flatMap(({ path, body }) => (path.endsWith("/pay") ? [body as Record<string, unknown>] : []));
  return { ...opened, pays };
}
const choose = (name: string) =>
  settle(() => {
    const labels = [...document.querySelectorAll("label.choice")];
    labels
      .find((label) => label.textContent?.startsWith(name))
      ?.querySelector("input")
      ?.click();
  });

describe("at the door", () => {
  test("nothing of the customer is shown before the code", async () => {
    await knock();
    expect(shown()).toContain("We send a code to the phone number");
    expect(shown()).not.toContain("Ada");
  });

  test("the right code opens the plan, and the tab keeps its visit", async () => {
    const asked = await knock({
      "POST /hosted/plan/code": () => ({ ...door, code: sentCode }),
      "POST /hosted/plan/enter": () => ({ visitToken: "visit-1" }),
      "GET /hosted/plan/visit": () => plan,
    });
    await press("Send me the code");
    await type("6-digit code", "123456");
    await press("See my plan");
    await expect.poll(shown).toContain("Hello Ada.");
    expect(sessionStorage.getItem("jara/plan-visit/p-1")).toBe("visit-1");
    expect(asked.at(-1)?.headers["authorization"]).toBe("Bearer visit-1");
  });

  test("a wrong code keeps it closed", async () => {
    await knock({
      "POST /hosted/plan/code": () => ({ ...door, code: sentCode }),
      "POST /hosted/plan/enter": () => refuse(422, "otp_invalid", { data: { attemptsRemaining: 1 } }),
    });
    await press("Send me the code");
    await type("6-digit code", "000000");
    await press("See my plan");
    expect(shown()).toContain("You have 1 try left.");
    expect(sessionStorage.length).toBe(0);
  });

  test("an address without its token opens nothing", async () => {
    await draw(<PlanPage address={{ id: "p-1", token: null }} />);
    expect(shown()).toContain("This link does not work");
    expect(hasButton("Try again")).toBe(false);
  });
});

describe("paying", () => {
  const paid = { ...plan, balance: 21_500, charge: null };

  test("sends the amount, what was owed on the screen and a name for the press", async () => {
    const { pays } = await visit(plan, { "POST /hosted/plan/visit/pay": () => paid });
    await choose("Next payment");
    await press("Pay ₦21,500 now");
    expect(pays()).toEqual([{ amount: 21_500, owed: 43_000, press: expect.stringMatching(/^[0-9a-f-]{36}$/) }]);
  });

  test("twice at once sends it once", async () => {
    const { reply, give } = held();
    const { pays } = await visit(plan, { "POST /hosted/plan/visit/pay": () => reply });
    await choose("Everything");
    await press("Pay ₦43,000 now");
    await press("Asking your bank");
    await settle(() => give(paid));
    expect(pays()).toHaveLength(1);
  });

  test.each([
    ["a broken line", brokenLine],
    ["a server that fell over", () => refuse(500, "internal")],
  ])("again after %s is the same press: nothing is taken twice", async (_, first) => {
    let times = 0;
    const { pays } = await visit(plan, { "POST /hosted/plan/visit/pay": () => (times++ === 0 ? first() : paid) });
    await choose("Next payment");
    await press("Pay ₦21,500 now");
    expect(shown()).toContain("press the same button: nothing is taken twice");
    await press("Pay ₦21,500 now");
    expect(pays()[1]?.["press"]).toBe(pays()[0]?.["press"]);
  });

  test.each([
    ["a refusal", "Next payment", "Pay ₦21,500 now", () => refuse(422, "card_declined")],
    ["a broken line, with another amount", "Everything", "Pay ₦43,000 now", brokenLine],
  ])("after %s is another press", async (_, then, label, first) => {
    let times = 0;
    const { pays } = await visit(plan, { "POST /hosted/plan/visit/pay": () => (times++ === 0 ? first() : paid) });
    await choose("Next payment");
    await press("Pay ₦21,500 now");
    await choose(then);
    await press(label);
    expect(pays()).toHaveLength(2);
    expect(pays()[1]?.["press"]).not.toBe(pays()[0]?.["press"]);
  });

  test.each([
    ["", "Type how much you want to pay."],
    ["0", "Type more than zero."],
    ["43,000.01", "That is more than the ₦43,000 left to pay."],
    ["<b>1</b>", "Type an amount such as 5000 or 5,000.50."],
  ])("an amount of %j is not sent", async (typed, words) => {
    const { pays } = await visit();
    await choose("Another amount");
    await type("Amount in naira", typed);
    await press("Pay now");
    expect(describedBy(field("Amount in naira"))).toBe(words);
    expect(pays()).toEqual([]);
  });

  test("is not offered without a card, while the bank is asked, or on hold", async () => {
    await visit({ ...plan, card: null });
    expect([hasButton("Add a card"), document.querySelector(".pay-form")]).toEqual([true, null]);
    const charge = { amount: 1, kind: "repayment", startedAt: now, reason: null, confirmUrl: null } as const;
    await visit({ ...plan, charge: { ...charge, status: "processing" } });
    await visit({ ...plan, canPay: false });
    expect(document.querySelector(".pay-form")).toBeNull();
  });

  test("changes of a plan that came in between are told", async () => {
    await visit(plan, { "POST /hosted/plan/visit/pay": () => refuse(409, "balance_changed") });
    await choose("Everything");
    await press("Pay ₦43,000 now");
    expect(shown()).toContain("Your plan has changed meanwhile");
  });
});

describe("the end of a visit", () => {
  test("whoever leaves is at the door again, and the tab has forgotten the visit", async () => {
    const { asked } = await visit(plan, { "POST /hosted/plan/visit/leave": () => ({}) });
    await press("Leave this page");
    await expect.poll(shown).toContain("You have left your plan.");
    expect(asked.map(({ path }) => path)).toContain("/hosted/plan/visit/leave");
    expect(sessionStorage.length).toBe(0);
  });

  test("the tab forgets it also when the server could not be told, and does not pretend", async () => {
    await visit(plan, { "POST /hosted/plan/visit/leave": brokenLine });
    await press("Leave this page");
    await expect.poll(() => sessionStorage.length).toBe(0);
    await expect.poll(shown).toContain("Your visit may still be open");
    expect(shown()).toContain("The visit ends by itself on 5 November 2026, 11:30.");
    expect(shown()).not.toContain("You have left your plan.");
    expect(shown()).not.toContain("Ada");
  });

  test.each([
    ["the server takes it", () => ({})],
    ["the server knows no such visit any more", () => refuse(401, "visit_ended")],
  ])("it can be ended again from there until %s", async (_case, last) => {
    const replies = [brokenLine, () => refuse(503, "unavailable"), last];
    const { asked } = await visit(plan, { "POST /hosted/plan/visit/leave": () => replies.shift()?.() });
    await press("Leave this page");
    await expect.poll(() => hasButton("End my visit now")).toBe(true);
    await press("End my visit now");
    await expect.poll(shown).toContain("The server could still not be told.");
    await press("End my visit now");
    await expect.poll(shown).toContain("You have left your plan.");
    const leaves = asked.filter(({ path }) => path.endsWith("/leave"));
    expect(leaves.map(({ headers }) => headers["authorization"])).toEqual(Array(3).fill("Bearer visit"));
  });

  test("a visit that is over when it is left was left", async () => {
    await visit(plan, { "POST /hosted/plan/visit/leave": () => refuse(401, "visit_ended") });
    await press("Leave this page");
    await expect.poll(shown).toContain("You have left your plan.");
  });

  test("a visit that has ended elsewhere shows the door, and nothing of the customer", async () => {
    sessionStorage.setItem("jara/plan-visit/p-1", "old");
    replyWith({ "GET /hosted/plan/visit": () => refuse(401, "visit_ended"), "GET /hosted/plan": () => door });
    await draw(page);
    await expect.poll(shown).toContain("Your visit has ended, to keep your plan safe.");
    expect(shown()).not.toContain("Ada");
  });

  test("changing the card leads to its page", async () => {
    await visit(plan, { "POST /hosted/plan/visit/card-link": () => ({ url: "/card-links/9#t" }) });
    expect(button("Change card")).toBeDefined();
    await press("Change card");
    expect(left()).toEqual(["/card-links/9#t"]);
  });
});
