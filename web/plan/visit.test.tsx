/** What a tab remembers of a visit, and what the page says about the loan and its payments. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { draw, press, shown } from "../testing/draw.tsx";
import { disclosure } from "../testing/hosted-page.tsx";
import { AboutLoan } from "./about-loan.tsx";
import { paidWith } from "./paid-with.ts";
import type { Payment, PlanView } from "./plan-view.ts";
import { useVisit } from "./use-visit.ts";

beforeEach(() => sessionStorage.clear());
afterEach(() => vi.restoreAllMocks());

function Tab({ page }: { readonly page: string }) {
  const { token, begin, end } = useVisit(page);
  return (
    <>
      <p>{token ?? "outside"}</p>
      <button type="button" onClick={() => begin("visit-1")}>
        Begin
      </button>
      <button type="button" onClick={end}>
        End
      </button>
    </>
  );
}
const isInside = () => shown().startsWith("visit-1");

describe("a visit", () => {
  test("is found again by the same tab after a reload", async () => {
    const { redraw } = await draw(<Tab key="first" page="p-1" />);
    expect(isInside()).toBe(false);
    await press("Begin");
    expect(isInside()).toBe(true);
    await redraw(<Tab key="reloaded" page="p-1" />);
    expect(isInside()).toBe(true);
  });

  test("opens its own plan and no other", async () => {
    const { redraw } = await draw(<Tab key="first" page="p-1" />);
    await press("Begin");
    await redraw(<Tab key="other" page="p-2" />);
    expect(isInside()).toBe(false);
  });

  test("that has ended is forgotten, also by a reload", async () => {
    const { redraw } = await draw(<Tab key="first" page="p-1" />);
    await press("Begin");
    await press("End");
    expect(isInside()).toBe(false);
    await redraw(<Tab key="reloaded" page="p-1" />);
    expect(isInside()).toBe(false);
    expect(sessionStorage.length).toBe(0);
  });

  test("is never written where other tabs or days would read it", async () => {
    await draw(<Tab page="p-1" />);
    await press("Begin");
    expect(localStorage.getItem("jara/plan-visit/p-1")).toBeNull();
    expect(document.cookie).not.toContain("visit-1");
  });

  test("works in a browser that forbids storage, until the reload", async () => {
    for (const name of ["getItem", "setItem", "removeItem"] as const) {
      vi.spyOn(Storage.prototype, name).mockImplementation(() => {
        throw new DOMException("No.", "SecurityError");
      });
    }
    await draw(<Tab page="p-1" />);
    await press("Begin");
    expect(isInside()).toBe(true);
    await press("End");
    expect(isInside()).toBe(false);
  });
});

const view = {
  merchantName: "Balogun Home",
  amount: 50_000,
  startedAt: "2026-11-05T23:30:00.000Z",
  interestRate: 4.5,
  totalInterest: 6_750,
  totalFees: 0,
  lateFees: 0,
  annualRate: 71.23,
  totalRepayment: 56_750,
  disclosure,
} as unknown as PlanView;
const figure = (name: string) =>
  [...document.querySelectorAll("dt")].find(({ textContent }) => textContent === name)?.nextElementSibling?.textContent;

describe("about a loan", () => {
  test("stands who lent, at what price, and what it comes to", async () => {
    await draw(<AboutLoan view={view} />);
    expect(shown()).toContain("Lent by Akowe Finance LtdFCCPC/DML/0042");
    expect(figure("Interest, 4.5% a month, flat")).toContain("6,750");
    expect(figure("Yearly rate (APR)")).toBe("71.23%");
    expect(figure("You repay in total")).toContain("56,750");
    expect(figure("Paid out to Balogun Home")).toContain("50,000");
  });

  test("a day is one in Lagos", async () => {
    await draw(<AboutLoan view={view} />);
    expect(figure("On")).toContain("6 ");
  });

  test("no fees are said in a word, and late fees only where there are some", async () => {
    const { redraw } = await draw(<AboutLoan view={view} />);
    expect([figure("Fees"), figure("Late fees")]).toEqual(["None", undefined]);
    await redraw(<AboutLoan view={{ ...view, totalFees: 100, lateFees: 500 }} />);
    expect(figure("Fees")).toContain("100");
    expect(figure("Late fees")).toContain("500");
  });

  test("before the money was paid out there is no day of it", async () => {
    await draw(<AboutLoan view={{ ...view, startedAt: null }} />);
    expect(figure("On")).toBeUndefined();
  });
});

describe("how something was paid", () => {
  const payment = { card: null, channel: "card", status: "successful" } as unknown as Payment;

  test.each([
    ["card", "By card"],
    ["wallet", "Through the shop"],
    ["cash", "In cash at the shop"],
    ["bank_transfer", "By bank transfer"],
    ["pigeon", "Paid"],
    ["constructor", "Paid"],
  ])("by %s is said as: %s", (channel, words) => {
    expect(paidWith({ ...payment, channel } as Payment)).toBe(words);
  });

  test("a card is named by its last digits, whatever the channel says", () => {
    const card = { brand: "visa", last4: "4081", expMonth: 12, expYear: 2029 };
    expect(paidWith({ ...payment, card } as Payment)).toContain("4081");
  });

  test("what was taken back says so", () => {
    expect(paidWith({ ...payment, channel: "cash", status: "reversed" } as Payment)).toBe(
      "In cash at the shop, taken back",
    );
  });
});
