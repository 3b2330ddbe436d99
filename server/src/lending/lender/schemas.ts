import { type Static, Type } from "typebox";
import { nairaNumber } from "../../money/kobo.ts";
import type { EnvironmentKind } from "../../platform/database/database.ts";
import { named } from "../../platform/http/named-schema.ts";
import { EnvironmentWord, NairaNumber, OneOf, Timestamp, Uuid } from "../../platform/http/wire.ts";
import {
  fundedOf,
  type LenderFunds,
  type LenderMovement,
  lenderAccounts,
  lenderDirections,
  withdrawableOf,
} from "./lender-movement.ts";

const naira = (description: string) => ({ ...NairaNumber, description });

/** Far below what an account could not count any more. */
const largest = 1_000_000_000_000;

const funded = "All that the lender has put in and not taken out: `available`, `held` and `lent` together.";

export const lenderData = named(
  "LenderFunds",
  Type.Object(
    {
      environmentId: Uuid,
      environment: EnvironmentWord,
      accountId: Uuid,
      available: naira("Can be lent, or taken out unless it is promised."),
      held: naira("For loans that a bank is being asked to pay; comes back if it cannot."),
      lent: naira("Principal that borrowers have, losses included."),
      funded: naira(funded),
      promised: naira("Approved loans for which no money is held yet."),
      withdrawable: naira("`available` without `promised`."),
      currency: OneOf(["NGN"]),
    },
    {
      examples: [
        {
          environmentId: "01932c60-1d2e-7a3b-8c4d-5e6f70819203",
          environment: "LIVE",
          accountId: "01932c60-1d2e-7b4c-9d5e-6f708192a3b4",
          available: 6_150_000,
          held: 50_000,
          lent: 3_800_000,
          funded: 10_000_000,
          promised: 150_000,
          withdrawable: 6_000_000,
          currency: "NGN",
        },
      ],
    },
  ),
);

export const lenderMovementBody = named(
  "NewLenderMovement",
  Type.Object(
    {
      amount: Type.Number({
        format: "naira",
        exclusiveMinimum: 0,
        maximum: largest,
        description: "Naira with at most two decimals.",
      }),
      reference: Type.String({
        minLength: 1,
        maxLength: 100,
        description: "Yours, and used once: the same reference with the same content is the same movement.",
      }),
      reason: Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: "\\S",
        description: "Why; kept in the audit trail.",
      }),
      evidence: Type.String({
        minLength: 1,
        maxLength: 500,
        pattern: "\\S",
        description:
          "Where the money can be looked up outside: the session id of the bank's transfer, or the line of its statement. Each moves money once.",
      }),
      fundedAfter: Type.Number({
        format: "naira",
        minimum: 0,
        maximum: 10 * largest,
        description: "What `funded` will be afterwards, worked out by you. A slip in the amount is refused by it.",
      }),
    },
    {
      examples: [
        {
          amount: 10_000_000,
          reference: "lender-in-2026-11-03",
          reason: "First money of the lender",
          evidence: "NIP session 000013261103091500000000008812",
          fundedAfter: 10_000_000,
        },
      ],
    },
  ),
);

export const lenderMovementData = named(
  "LenderMovement",
  Type.Object(
    {
      id: Uuid,
      direction: OneOf(lenderDirections),
      amount: NairaNumber,
      currency: OneOf(["NGN"]),
      reference: Type.String(),
      reason: Type.String(),
      evidence: Type.String(),
      fundedAfter: naira("`funded` after this movement."),
      createdAt: Timestamp,
    },
    {
      examples: [
        {
          id: "01932c61-2b3c-7d4e-8f50-617283940a5b",
          direction: "deposit",
          amount: 10_000_000,
          currency: "NGN",
          reference: "lender-in-2026-11-03",
          reason: "First money of the lender",
          evidence: "NIP session 000013261103091500000000008812",
          fundedAfter: 10_000_000,
          createdAt: "2026-11-03T09:15:00.000Z",
        },
      ],
    },
  ),
);

export function presentLender(
  environment: { readonly id: string; readonly kind: EnvironmentKind },
  funds: LenderFunds,
): Static<typeof lenderData> {
  return {
    environmentId: environment.id,
    environment: environment.kind,
    accountId: lenderAccounts(environment.id).available,
    available: nairaNumber(funds.available),
    held: nairaNumber(funds.held),
    lent: nairaNumber(funds.lent),
    funded: nairaNumber(fundedOf(funds)),
    promised: nairaNumber(funds.promised),
    withdrawable: nairaNumber(withdrawableOf(funds)),
    currency: "NGN",
  };
}

export function presentLenderMovement(movement: LenderMovement): Static<typeof lenderMovementData> {
  return {
    ...movement,
    amount: nairaNumber(movement.amount),
    currency: "NGN",
    fundedAfter: nairaNumber(movement.fundedAfter),
    createdAt: movement.createdAt.toISOString(),
  };
}
