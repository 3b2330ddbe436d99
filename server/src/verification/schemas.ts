/** Verifications on the wire. */
import { type Static, Type } from "typebox";
import { named } from "../platform/http/named-schema.ts";
import { Nullable, OneOf, Timestamp, Uuid } from "../platform/http/wire.ts";
import { pageQuery } from "../platform/records/pagination.ts";
import { mostKept, type Verification, verificationStates } from "./verification.ts";

const state = OneOf(verificationStates, {
  description:
    "running: it waits for a worker, or one is at it. clean: nothing contradicts. contradictions: something does. failed: it broke off; nothing is said about the books.",
  examples: ["clean"],
});

export const listQuery = Type.Object({ ...pageQuery.properties, state: Type.Optional(state) });

const verificationFields = {
  id: Uuid,
  state,
  requestedBy: Type.String({ description: "The operator, or nightly.", examples: ["nightly"] }),
  environments: Type.Integer({ description: "How many are verified so far.", examples: [12] }),
  checks: Type.Integer({ description: "How many checks were made so far.", examples: [180] }),
  contradictions: Type.Integer({ examples: [0] }),
  failure: Nullable(Type.String({ examples: ["It broke off 3 times. The log of the workers says why."] })),
  createdAt: Timestamp,
  startedAt: Nullable(Timestamp),
  endedAt: Nullable(Timestamp),
};

export const verificationData = named("Verification", Type.Object(verificationFields));

const contradiction = named(
  "Contradiction",
  Type.Object({
    environmentId: Nullable(Uuid),
    check: Type.String({ description: "What must be so.", examples: ["balance equals entries"] }),
    subject: Type.String({ description: "Of which record.", examples: ["01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11"] }),
    expected: Type.String({ examples: ["5000"] }),
    found: Type.String({ examples: ["4999"] }),
  }),
);

export const wholeData = named(
  "VerificationWithContradictions",
  Type.Object({
    ...verificationFields,
    found: Type.Array(contradiction, {
      description: `The first ${mostKept}. Without an environment it is in the operator's own books.`,
    }),
  }),
);

export function presentVerification(verification: Verification): Static<typeof verificationData> {
  const { found: _, createdAt, startedAt, endedAt, ...rest } = verification;
  return {
    ...rest,
    createdAt: createdAt.toISOString(),
    startedAt: startedAt?.toISOString() ?? null,
    endedAt: endedAt?.toISOString() ?? null,
  };
}

export function presentWhole(verification: Verification): Static<typeof wholeData> {
  return { ...presentVerification(verification), found: verification.found.map((one) => ({ ...one })) };
}
