import { describe, expect, test } from "vitest";
import { lender, product, terms } from "../../../testing/checkout/terms.ts";
import type { EnvironmentKind } from "../../platform/database/database.ts";
import { type Lender, lenderFor } from "../loans/lender.ts";
import { type ConsentCode, codeLifeMs, consentRequestOf, mostAttempts, resendAfterMs } from "./consent.ts";
import { discloseAgreed, discloseTo, showAgreement } from "./disclosure.ts";
import { showCode } from "./show-code.ts";
import { type ConsentTerms, hashTerms } from "./terms.ts";
import { complaintsText, conditionsText, lateFeeText, textVersion } from "./terms-text.ts";

const successor: Lender = { ...lender, name: "Esusu Finance Ltd", email: "help@esusu.ng" };
const agreed: ConsentTerms = {
  ...terms,
  version: "2026-09",
  lender_registration: "FCCPC/DL/2025/12",
  late_fee: "A late fee of 2%.",
  conditions: ["As it was in September."],
  complaints: "Write to the old address.",
};

describe("who lends", () => {
  test("is the operator's lender for real loans, and a sample in a sandbox, whatever is configured", () => {
    expect(lenderFor({ lender }, "LIVE")).toBe(lender);
    expect(lenderFor({ lender }, "SANDBOX").name).toBe("Sample Lender (sandbox)");
    expect(lenderFor({ lender: undefined }, "SANDBOX").name).toBe("Sample Lender (sandbox)");
  });

  test("must be known before anybody borrows for real", () => {
    expect(() => lenderFor({ lender: undefined }, "LIVE")).toThrow(
      expect.objectContaining({ code: "lender_not_configured" }),
    );
  });
});

describe("before the customer agrees", () => {
  test.each<[EnvironmentKind, boolean]>([
    ["SANDBOX", true],
    ["LIVE", false],
  ])("in %s the page says that it is a sample: %s", (kind, isSample) => {
    expect(discloseTo("Ada's Shop", lender, product, kind)).toEqual({
      lender: { name: lender.name, registration: lender.registration, isSample },
      lateFee: lateFeeText(product),
      conditions: conditionsText("Ada's Shop"),
      complaints: complaintsText(lender),
    });
  });

  test("the agreement shows the hash by which it can be found again", () => {
    expect(showAgreement(agreed)).toEqual({
      version: "2026-09",
      statement: "I borrow",
      termsHash: hashTerms(agreed).toString("hex"),
    });
    const { version: _, ...old } = agreed;
    expect(showAgreement(old).version).toBe(textVersion);
  });
});

describe("after the customer has agreed", () => {
  const shown = (
    lending: { lender: Lender | undefined },
    consent: ConsentTerms | undefined,
    kind: EnvironmentKind = "LIVE",
  ) => discloseAgreed(lending, consent, { merchant: "Ada's Shop", product, kind });

  test("what was said stays, and only the way to complain is today's", () => {
    expect(shown({ lender }, agreed)).toEqual({
      lender: { name: lender.name, registration: "FCCPC/DL/2025/12", isSample: false },
      lateFee: "A late fee of 2%.",
      conditions: ["As it was in September."],
      complaints: complaintsText(lender),
    });
  });

  test("another lender of today is not named for a loan that it did not make", () => {
    const view = shown({ lender: successor }, agreed);
    expect(view.lender.name).toBe(lender.name);
    expect(view.complaints).toBe("Write to the old address.");
    expect(JSON.stringify(view)).not.toContain("Esusu");
  });

  test("an operator that has no lender any more still shows what was agreed", () => {
    const view = shown({ lender: undefined }, agreed);
    expect(view.lender).toMatchObject({ name: lender.name, registration: "FCCPC/DL/2025/12" });
    expect(view.complaints).toBe("Write to the old address.");
  });

  test("a consent from before there were texts is shown with those of today", () => {
    const { lender_registration: _, late_fee: __, conditions: ___, complaints: ____, ...old } = agreed;
    expect(shown({ lender }, old)).toEqual({
      lender: { name: lender.name, registration: lender.registration, isSample: false },
      lateFee: lateFeeText(product),
      conditions: conditionsText("Ada's Shop"),
      complaints: complaintsText(lender),
    });
  });

  test("a loan without a consent on record does not break the page", () => {
    expect(shown({ lender }, undefined).complaints).toBe(complaintsText(lender));
    expect(shown({ lender: undefined }, undefined).lender).toEqual({ name: "", registration: "", isSample: false });
  });

  test("a sandbox's loan is a sample's", () => {
    expect(shown({ lender: undefined }, undefined, "SANDBOX").lender).toMatchObject({ isSample: true });
  });
});

describe("a code that was sent", () => {
  const sentAt = new Date("2026-11-02T08:00:00.000Z");
  const code = (attempts: number): ConsentCode => ({
    id: "k1",
    subject: { kind: "loan", id: "l1" },
    customerId: "c1",
    codeHash: Buffer.alloc(32),
    terms: agreed,
    termsHash: hashTerms(agreed),
    channel: "sms",
    phone: "+2348031234567",
    destination: "0803****567",
    messageId: "m1",
    attempts,
    status: "live",
    sentAt,
    expiresAt: new Date(sentAt.getTime() + codeLifeMs),
  });

  test.each([0, 1, 4, 5])("and tried %i times tells how often it can still be tried", (attempts) => {
    expect(consentRequestOf(code(attempts)).attemptsRemaining).toBe(mostAttempts - attempts);
  });

  test("tells when another may be asked for", () => {
    expect(consentRequestOf(code(0)).resendAt.getTime() - sentAt.getTime()).toBe(resendAfterMs);
  });

  test("is counted down on the page, which is not told where it went", () => {
    const view = showCode(consentRequestOf(code(2)));
    expect(view).toEqual({
      sentAt: "2026-11-02T08:00:00.000Z",
      expiresAt: "2026-11-02T08:10:00.000Z",
      resendAt: "2026-11-02T08:01:00.000Z",
      attemptsRemaining: 3,
    });
    expect(showCode(null)).toBeNull();
  });
});
