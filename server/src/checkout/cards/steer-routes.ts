/** What holders and banks do about charges and refunds, done by a developer in a sandbox. */
import { type Static, Type } from "typebox";
import { readRepayment } from "../../lending/account/read-loan-account.ts";
import { nairaNumber } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import { isUuid } from "../../platform/database/ids.ts";
import { named } from "../../platform/http/named-schema.ts";
import { describeRoute, type Route, type RouteRequest } from "../../platform/http/route.ts";
import { IdParams, NairaNumber, Nullable, OneOf, Uuid } from "../../platform/http/wire.ts";
import { commonProblem, type Problem } from "../../platform/problem.ts";
import { requireCheckoutLoan } from "../loans/read-checkout-loan.ts";
import { askAboutCharge } from "./ask-about-charge.ts";
import type { CardRefund } from "./card-refund.ts";
import { findCardRefund } from "./card-refund-store.ts";
import type { Charge } from "./charge.ts";
import type { ChargeDependencies } from "./charge-order.ts";
import { findChargeOrItsRepayment } from "./charge-store.ts";
import { cardProblem } from "./errors.ts";
import { pursueCardRefunds } from "./refund-order.ts";
import { reasonData } from "./schemas.ts";

export interface CardSteering extends ChargeDependencies {
  /** Puts it into the network's books. False when the charge has gone another way there. */
  decideCharge(environmentId: string, chargeId: string, decision: ChargeWay["decision"]): Promise<boolean>;
  decideRefund(environmentId: string, refundId: string, decision: "complete" | "fail"): Promise<boolean>;
}

const steered = {
  id: Uuid,
  loanId: Uuid,
  amount: NairaNumber,
  reason: Nullable(reasonData),
};

const steeredCharge = named(
  "SandboxCharge",
  Type.Object({
    ...steered,
    repaymentId: Nullable(Uuid),
    status: OneOf(["processing", "successful", "failed", "reversed"], { examples: ["successful"] }),
  }),
);

const steeredRefund = named(
  "SandboxCardRefund",
  Type.Object({ ...steered, status: OneOf(["processing", "successful", "failed"], { examples: ["successful"] }) }),
);

interface ChargeWay {
  readonly decision: "confirm" | "decline" | "take_back";
  readonly from: Charge["status"];
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
}

const chargeWays: Readonly<Record<string, ChargeWay>> = {
  confirm: {
    decision: "confirm",
    from: "processing",
    operationId: "confirmSandboxCharge",
    summary: "Confirm a charge",
    description:
      "Does what the holder of the card does on the bank's page, for a charge of the test card whose bank asks. The loan is paid.",
  },
  decline: {
    decision: "decline",
    from: "processing",
    operationId: "declineSandboxCharge",
    summary: "Decline a charge",
    description: "The holder refuses a charge that waits for a confirmation. It fails.",
  },
  "take-back": {
    decision: "take_back",
    from: "successful",
    operationId: "takeBackSandboxCharge",
    summary: "Take a charge back",
    description:
      "The bank takes back what a charge had paid, as after a dispute: the repayment is reversed, and `bnpl.loan.repayment.failed` tells it. Takes the id of the charge or of its repayment.",
  },
};

export function cardSteerRoutes(deps: CardSteering): Route[] {
  const charges = Object.entries(chargeWays).map(([word, way]) => chargeRoute(deps, word, way));
  return [...charges, refundRoute(deps, "complete"), refundRoute(deps, "fail")];
}

const common = { method: "POST", tag: "Sandbox", scope: "sandbox:write", sandboxOnly: true, params: IdParams } as const;

function chargeRoute(deps: CardSteering, word: string, { decision, from, ...texts }: ChargeWay): Route {
  return describeRoute("key", {
    ...common,
    ...texts,
    path: `/sandbox/charges/{id}/${word}`,
    reply: { status: 200, message: "Charge decided.", data: steeredCharge },
    problems: ["charge_not_found", "invalid_state"],
    handle: async (request) => {
      const kept = await request.kept<Static<typeof steeredCharge>>();
      if (kept !== undefined) return kept;
      const charge = await findThe(request, findChargeOrItsRepayment, "charge_not_found");
      const { environmentId } = request.caller;
      const decided = charge.status === from && (await deps.decideCharge(environmentId, charge.id, decision));
      if (!decided) throw wrongState("charge", charge.status);
      await askAboutCharge(deps, { environmentId, id: charge.id });
      return request.write(async (tx) => ({ data: await presentCharge(tx, charge.id) }));
    },
  });
}

function refundRoute(deps: CardSteering, decision: "complete" | "fail"): Route {
  const summary = decision === "complete" ? "Complete a refund to a card" : "Fail a refund to a card";
  return describeRoute("key", {
    ...common,
    path: `/sandbox/card-refunds/{id}/${decision}`,
    operationId: `${decision}SandboxCardRefund`,
    summary,
    description: "Ends a refund to the test card whose refunds stay in processing.",
    reply: { status: 200, message: "Refund decided.", data: steeredRefund },
    problems: ["card_refund_not_found", "invalid_state"],
    handle: async (request) => {
      const kept = await request.kept<Static<typeof steeredRefund>>();
      if (kept !== undefined) return kept;
      const { id, status } = await findThe(request, findCardRefund, "card_refund_not_found");
      const { environmentId } = request.caller;
      const decided = status === "processing" && (await deps.decideRefund(environmentId, id, decision));
      if (!decided) throw wrongState("refund", status);
      await pursueCardRefunds(deps).takeUp({ environmentId, id });
      return request.write(async (tx) => ({ data: presentRefund(await findCardRefund(tx, id)) }));
    },
  });
}

async function findThe<Found>(
  { params, read }: Pick<RouteRequest<"key", { readonly id: string }, unknown, unknown>, "params" | "read">,
  find: (tx: Tx, id: string) => Promise<Found | undefined>,
  notFound: "charge_not_found" | "card_refund_not_found",
): Promise<Found> {
  const found = isUuid(params.id) ? await read((tx) => find(tx, params.id)) : undefined;
  if (found === undefined) throw cardProblem(notFound);
  return found;
}

function wrongState(noun: string, status: string): Problem {
  const message = `The ${noun} is ${status}, or it is with a card that does not allow this.`;
  return commonProblem("invalid_state", { message, data: { status } });
}

async function presentCharge(tx: Tx, id: string): Promise<Static<typeof steeredCharge>> {
  const charge = await findChargeOrItsRepayment(tx, id);
  if (charge === undefined) throw cardProblem("charge_not_found");
  const { loanId, repaymentId, status, failure } = charge;
  const { accountId } = await requireCheckoutLoan(tx, loanId);
  const repayment = repaymentId === null ? undefined : await readRepayment(tx, accountId, repaymentId);
  const isReversed = repayment !== undefined && repayment.reversedAt !== null;
  const shown = { id: charge.id, loanId, repaymentId, amount: nairaNumber(charge.amount), reason: failure };
  return { ...shown, status: isReversed ? "reversed" : status };
}

function presentRefund(refund: CardRefund | undefined): Static<typeof steeredRefund> {
  if (refund === undefined) throw cardProblem("card_refund_not_found");
  const { id, loanId, amount, status, failure } = refund;
  return { id, loanId, amount: nairaNumber(amount), status, reason: failure };
}
