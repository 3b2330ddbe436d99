/** A plan as it is drawn: in bars, in words for those who do not see them, and in a table that adds up. */
import { expect, test } from "vitest";
import { shownText } from "../shared/shown-text.ts";
import { draw } from "../testing/draw.tsx";
import type { Plan, Step } from "./checkout-view.ts";
import { PlanChart } from "./plan-chart.tsx";
import { PlanTable } from "./plan-table.tsx";
import { ProgressSteps } from "./progress-steps.tsx";

const months = (count: number, fees = 0): Plan => ({
  tenor: count,
  interestRate: 2.5,
  annualRate: 54.3,
  installmentAmount: 21_500,
  totalInterest: 1_500 * count,
  totalFees: fees * count,
  totalRepayment: (21_500 + fees) * count,
  schedule: Array.from({ length: count }, (_, at) => ({
    number: at + 1,
    dueDate: new Date(Date.UTC(2026, 11 + at, 5)).toISOString().slice(0, 10),
    amountDue: 21_500 + fees,
    principal: 20_000,
    interest: 1_500,
    fees,
  })),
});
const chart = () => document.querySelector("svg");
const labels = () => [...(chart()?.querySelectorAll("text") ?? [])].map((text) => text.textContent);

test.each([
  [1, "One payment of ₦21,500 on 5 December 2026"],
  [3, "3 monthly payments of ₦21,500, from 5 December 2026 to 5 February 2027"],
  [0, "No payments"],
])("a plan of %i months is described as: %s", async (count, words) => {
  await draw(<PlanChart plan={months(count)} />);
  expect(chart()?.getAttribute("aria-label")).toBe(words);
});

test("today costs nothing, and is the first column", async () => {
  await draw(<PlanChart plan={months(3)} />);
  expect(labels().slice(0, 2)).toEqual(["₦0", "Today"]);
});

test.each([
  [3, ["5 Dec", "5 Jan", "5 Feb"]],
  [4, ["Dec", "Jan", "Feb", "Mar"]],
])("of %i payments the labels are %j: days where there is room", async (count, shown) => {
  await draw(<PlanChart plan={months(count)} />);
  expect(labels().slice(2)).toEqual(shown);
});

test("on a phone every second label of many may go", async () => {
  await draw(<PlanChart plan={months(12)} />);
  expect(document.querySelectorAll(".chart-crowded")).toHaveLength(6);
  await draw(<PlanChart plan={months(6)} />);
  expect(document.querySelectorAll(".chart-crowded")).toHaveLength(6);
});

test("the tallest payment fills the drawing, and the others stand in proportion to it", async () => {
  const plan = months(2);
  const [first, second] = plan.schedule;
  if (first === undefined || second === undefined) return expect.fail("there are no payments");
  await draw(<PlanChart plan={{ ...plan, schedule: [first, { ...second, amountDue: 10_750, principal: 10_000 }] }} />);
  const heights = [...document.querySelectorAll(".chart-interest")].map((bar) => Number(bar.getAttribute("height")));
  expect(heights).toEqual([88, 44]);
});

test("no bar leaves the drawing, however many there are", async () => {
  await draw(<PlanChart plan={months(24)} />);
  for (const bar of document.querySelectorAll(".chart-interest")) {
    const [x, width] = ["x", "width"].map((name) => Number.parseInt(bar.getAttribute(name) ?? "", 10));
    expect(x).toBeGreaterThanOrEqual(0);
    expect((x ?? 0) + (width ?? 0)).toBeLessThanOrEqual(100);
  }
});

const table = () =>
  [...document.querySelectorAll("tr")].map((row) =>
    [...row.querySelectorAll("th, td")].map((cell) => cell.textContent),
  );

test("the table has each payment to the kobo, and what it comes to", async () => {
  await draw(<PlanTable plan={months(2)} />);
  expect(table()).toEqual([
    ["Due", "Order", "Interest", "Payment"],
    ["5 December 2026", "₦20,000.00", "₦1,500.00", "₦21,500.00"],
    ["5 January 2027", "₦20,000.00", "₦1,500.00", "₦21,500.00"],
    ["Total", "", "₦3,000.00", "₦43,000.00"],
  ]);
});

test("fees have a column of their own where there are any", async () => {
  await draw(<PlanTable plan={months(1, 250.5)} />);
  expect(table()[0]).toEqual(["Due", "Order", "Interest", "Fees", "Payment"]);
  expect(table()[1]).toEqual(["5 December 2026", "₦20,000.00", "₦1,500.00", "₦250.50", "₦21,750.50"]);
  expect(table().every((row) => row.length === 5)).toBe(true);
});

test("the table says what it is to those who do not see it", async () => {
  await draw(<PlanTable plan={months(1)} />);
  expect(document.querySelector("caption")?.textContent).toBe("Due date and amount of each payment");
  expect(document.querySelectorAll("thead th[scope=col]")).toHaveLength(4);
});

test.each<[Step, string]>([
  ["offer", "Plan"],
  ["consent", "Confirm"],
  ["card", "Card"],
  ["processing", "Done"],
  ["completed", "Done"],
])("at the step %s the customer is at %s, and what is before is finished", async (step, name) => {
  await draw(<ProgressSteps step={step} />);
  const items = [...document.querySelectorAll("li")];
  const here = items.findIndex((item) => item.getAttribute("aria-current") === "step");
  expect(items[here]?.textContent).toContain(name);
  expect(items.filter((item) => item.textContent?.includes(", finished"))).toHaveLength(here);
});

test.each<Step>(["not_eligible", "expired", "cancelled"])("at the step %s nobody is anywhere", (step) => {
  expect(shownText(<ProgressSteps step={step} />)).not.toContain("finished");
});
