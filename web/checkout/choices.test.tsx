/** The two things a customer decides before a loan is made: how many months, and that the terms are agreed to. */
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import type { Plan } from "./checkout-view.ts";
import { ConsentBox } from "./consent-box.tsx";
import { PlanChoice } from "./plan-choice.tsx";

const offer = (tenor: number): Plan => ({
  tenor,
  interestRate: 2.5,
  annualRate: 54.3,
  installmentAmount: 21_500.5,
  totalInterest: 4_500,
  totalFees: 0,
  totalRepayment: 64_500,
  schedule: [],
});
const nothing = () => undefined;

describe("the months", () => {
  const drawn = (chosen: number | null): string =>
    renderToStaticMarkup(<PlanChoice offers={[offer(1), offer(3), offer(6)]} chosen={chosen} onChoose={nothing} />);
  const ticked = (html: string) =>
    [...html.matchAll(/<input[^>]*>/g)].filter(([input]) => input.includes("checked")).map(([input]) => input);

  test("none is chosen for the customer", () => {
    expect(ticked(drawn(null))).toEqual([]);
  });

  test("the chosen one is ticked, and no other", () => {
    expect(ticked(drawn(3))).toEqual([expect.stringContaining('value="3"')]);
  });

  test("a choice that is not offered any more is no choice", () => {
    expect(ticked(drawn(12))).toEqual([]);
  });

  test("each says how much, how often and what it comes to", () => {
    const html = drawn(null);
    expect(html).toContain("₦21,500.50");
    expect(html.match(/₦64,500 in total/g)).toHaveLength(3);
    expect(html.match(/>once</g)).toHaveLength(1);
    expect(html.match(/>a month</g)).toHaveLength(2);
  });
});

describe("the agreement", () => {
  const drawn = (ticked: boolean, complaint: string | null): string =>
    renderToStaticMarkup(
      <ConsentBox statement="I agree to the terms." ticked={ticked} complaint={complaint} onChange={nothing} />,
    );

  test("is not ticked by us", () => {
    expect(drawn(false, null)).not.toContain("checked");
    expect(drawn(true, null)).toContain("checked");
  });

  test("the words that are agreed to belong to the box", () => {
    expect(drawn(false, null)).toMatch(
      /<label[^>]*><input[^>]*id="agree"[^>]*\/?><span>I agree to the terms\.<\/span>/,
    );
  });

  test("a complaint is tied to the box, for a person who cannot see it", () => {
    const html = drawn(false, "Tick the box to go on.");
    expect(html).toContain('aria-invalid="true"');
    expect(html).toContain('aria-describedby="agree-error"');
    expect(html).toMatch(/id="agree-error"[^>]*role="alert"/);
    expect(drawn(false, null)).not.toContain("agree-error");
  });
});
