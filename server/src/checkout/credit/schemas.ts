import { type Static, type TNumber, Type } from "typebox";
import { ratePercent } from "../../lending/pricing/product.ts";
import { nairaNumber } from "../../money/kobo.ts";
import { named } from "../../platform/http/named-schema.ts";
import { NairaNumber, Nullable, OneOf, readNaira, Timestamp } from "../../platform/http/wire.ts";
import { publishedFields } from "../../platform/records/dated-version.ts";
import { type CreditFacts, reasonCodes } from "./decide.ts";
import type { CreditOffer } from "./offer.ts";
import type { CreditPolicy } from "./policy.ts";
import type { Preview } from "./publish-policy.ts";

const largest = 1_000_000_000;
const naira = (description: string): TNumber =>
  Type.Number({ format: "naira", exclusiveMinimum: 0, maximum: largest, description });

const nairaOrNothing = (description: string): TNumber =>
  Type.Number({ format: "naira", minimum: 0, maximum: largest, description });

const rules = {
  minimumAge: Type.Integer({ minimum: 18, maximum: 100, description: "In years, where the birthday is known." }),
  mostOpenLoans: Type.Integer({ minimum: 1, maximum: 100, description: "Of one person, at all merchants." }),
  minAmount: naira("The smallest loan."),
  tenors: Type.Array(Type.Integer({ minimum: 1, maximum: 120 }), {
    minItems: 1,
    maxItems: 60,
    description: "Months, rising; each must be offered by the product `checkout`.",
  }),
  tiers: Type.Array(
    Type.Object({
      completedLoans: Type.Integer({ minimum: 0, maximum: 10_000, description: "From so many repaid loans on." }),
      repaidAmount: nairaOrNothing("And from so much on that the borrower's card has paid of them."),
      limit: naira("What may be owed and asked for at once, in principal."),
    }),
    { minItems: 1, maxItems: 50, description: "Rising; the first is everybody's: 0 completed loans and 0 repaid." },
  ),
  counting: Type.Object(
    {
      repaidPercent: Type.Integer({
        minimum: 1,
        maximum: 100,
        description: "So much of the amount must have come from the borrower's card.",
      }),
      daysOut: Type.Integer({ minimum: 0, maximum: 366, description: "So long must the loan have been out." }),
    },
    { description: "When a completed loan counts for the tier." },
  ),
};

const exampleRules = {
  minimumAge: 18,
  mostOpenLoans: 2,
  minAmount: 5_000,
  tenors: [1, 3, 6],
  tiers: [
    { completedLoans: 0, repaidAmount: 0, limit: 150_000 },
    { completedLoans: 2, repaidAmount: 150_000, limit: 300_000 },
  ],
  counting: { repaidPercent: 80, daysOut: 28 },
};
const effectiveFrom = "2026-12-01T00:00:00.000Z";

export const policyBody = named(
  "NewCreditPolicy",
  Type.Object(
    { ...rules, ...publishedFields },
    { examples: [{ ...exampleRules, version: 3, effectiveFrom, reason: "Decision of 3 November" }] },
  ),
);

export const policyData = named(
  "CreditPolicy",
  Type.Object(
    {
      version: publishedFields.version,
      effectiveFrom: Timestamp,
      ...rules,
      inForce: Type.Boolean({ description: "New loans are decided by it now." }),
    },
    { examples: [{ version: 3, effectiveFrom, ...exampleRules, inForce: false }] },
  ),
);

const count = (description: string) => Type.Integer({ minimum: 0, maximum: 10_000, description });
const exposure = nairaOrNothing("Principal that is owed and asked for.");

const standing = {
  openLoans: count("Asked for, approved or out."),
  overdueLoans: count("Of these, late."),
  writtenOffLoans: count("Ever."),
  exposure,
};

const figures = Type.Object({
  kycStatus: OneOf(["pending", "verified", "failed"]),
  age: Nullable(Type.Integer({ minimum: 0, maximum: 150, description: "Null where the birthday is not known." })),
  completedLoans: count("That count, by the policy."),
  repaidAmount: nairaOrNothing("What the borrower's card has paid of them, interest not counted."),
  ...standing,
  atLender: Type.Optional(
    Type.Object(standing, { description: "The person at all merchants of the lender; the same figures unless sent." }),
  ),
});

const exampleFigures = {
  kycStatus: "verified",
  age: 30,
  completedLoans: 0,
  repaidAmount: 0,
  openLoans: 1,
  overdueLoans: 0,
  writtenOffLoans: 0,
  exposure: 60_000,
} as const;

export const previewBody = named(
  "CreditPolicyPreview",
  Type.Object(
    {
      ...rules,
      effectiveFrom: Type.Optional(
        Type.String({ format: "date-time", description: "The product of that day is taken; now unless sent." }),
      ),
      people: Type.Array(figures, { minItems: 1, maxItems: 100, description: "Whom to decide about." }),
    },
    { examples: [{ ...exampleRules, people: [exampleFigures] }] },
  ),
);

const offer = Type.Object({
  eligible: Type.Boolean(),
  reasons: Type.Array(Type.Object({ code: OneOf(reasonCodes), message: Type.String() })),
  minAmount: NairaNumber,
  maxAmount: NairaNumber,
  tenors: Type.Array(Type.Object({ tenor: Type.Integer(), interestPercent: Type.Number() })),
});

const exampleOffer = {
  eligible: true,
  reasons: [],
  minAmount: 5_000,
  maxAmount: 140_000,
  tenors: [{ tenor: 3, interestPercent: 2.5 }],
};

export const previewData = named(
  "CreditPolicyDecisions",
  Type.Array(Type.Object({ person: figures, current: offer, proposed: offer, changed: Type.Boolean() }), {
    examples: [
      [
        {
          person: exampleFigures,
          current: exampleOffer,
          proposed: { ...exampleOffer, maxAmount: 90_000 },
          changed: true,
        },
      ],
    ],
  }),
);

type Rules = Pick<Static<typeof policyBody>, keyof typeof rules>;

export function readPolicy(body: Rules, version: number, from: Date): CreditPolicy {
  return {
    version,
    effectiveFrom: from,
    minimumAge: body.minimumAge,
    mostOpenLoans: body.mostOpenLoans,
    minimumAmount: readNaira(body.minAmount),
    tenors: body.tenors,
    tiers: body.tiers.map(({ completedLoans, repaidAmount, limit }) => ({
      completedLoans,
      repaidAmount: readNaira(repaidAmount),
      limit: readNaira(limit),
    })),
    counting: { repaidPercent: body.counting.repaidPercent, daysOut: body.counting.daysOut },
  };
}

export function presentPolicy(policy: CreditPolicy, inForce: boolean): Static<typeof policyData> {
  return {
    version: policy.version,
    effectiveFrom: policy.effectiveFrom.toISOString(),
    minimumAge: policy.minimumAge,
    mostOpenLoans: policy.mostOpenLoans,
    minAmount: nairaNumber(policy.minimumAmount),
    tenors: [...policy.tenors],
    tiers: policy.tiers.map(({ completedLoans, repaidAmount, limit }) => ({
      completedLoans,
      repaidAmount: nairaNumber(repaidAmount),
      limit: nairaNumber(limit),
    })),
    counting: { ...policy.counting },
    inForce,
  };
}

export function readFigures(person: Static<typeof figures>): CreditFacts {
  const { openLoans, overdueLoans, writtenOffLoans } = person;
  const own = { openLoans, overdueLoans, writtenOffLoans, exposure: readNaira(person.exposure) };
  const { atLender } = person;
  const elsewhere = atLender === undefined ? own : { ...atLender, exposure: readNaira(atLender.exposure) };
  const { kycStatus, age, completedLoans } = person;
  const repaidAmount = readNaira(person.repaidAmount);
  return { kycStatus, age, completedLoans, repaidAmount, ...own, atLender: elsewhere };
}

export function presentPreview({ facts, current, proposed }: Preview): Static<typeof previewData>[number] {
  const [before, after] = [presentOffer(current), presentOffer(proposed)];
  const { atLender } = facts;
  const person = {
    ...facts,
    repaidAmount: nairaNumber(facts.repaidAmount),
    exposure: nairaNumber(facts.exposure),
    atLender: { ...atLender, exposure: nairaNumber(atLender.exposure) },
  };
  return { person, current: before, proposed: after, changed: JSON.stringify(before) !== JSON.stringify(after) };
}

function presentOffer({ eligible, reasons, minAmount, maxAmount, tenors }: CreditOffer): Static<typeof offer> {
  return {
    eligible,
    reasons: [...reasons],
    minAmount: nairaNumber(minAmount),
    maxAmount: nairaNumber(maxAmount),
    tenors: tenors.map(({ tenor, rate }) => ({ tenor, interestPercent: ratePercent(rate) })),
  };
}
