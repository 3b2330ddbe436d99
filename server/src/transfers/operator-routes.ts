/** What only an operator may do about a payout: end it, with evidence. */
import { sql } from "kysely";
import { Type } from "typebox";
import { type EnvironmentKind, type Tx, visitEnvironment } from "../platform/database/database.ts";
import { operatorRoute, type Route } from "../platform/http/route.ts";
import { IdParams, OneOf } from "../platform/http/wire.ts";
import { originOf, recordAudit } from "../platform/records/audit.ts";
import { onlyPlace } from "../platform/records/only-place.ts";
import { transferProblem } from "./errors.ts";
import { presentTransfer } from "./present-transfer.ts";
import { transferData } from "./schemas.ts";
import type { DisbursementSettled } from "./settlement.ts";
import { type SteerCommand, steerTransfer } from "./steer-transfer.ts";

const tag = "Operator";

export interface TransferOperatorDependencies {
  /** Takes the outcomes of disbursements. */
  readonly disbursementSettled?: DisbursementSettled;
}

export function transferOperatorRoutes(deps: TransferOperatorDependencies): Route[] {
  return [resolveRoute(deps)];
}

const resolveBody = Type.Object(
  {
    outcome: OneOf(["completed", "failed"], { description: "What the bank has established." }),
    evidence: Type.String({
      minLength: 1,
      maxLength: 2_000,
      pattern: "\\S",
      description:
        "Where that is written: a letter, a ticket, a line of the settlement report. Kept in the audit trail.",
    }),
  },
  { examples: [{ outcome: "failed", evidence: "Settlement report of 3 November, line 412: returned" }] },
);

function resolveRoute({ disbursementSettled }: TransferOperatorDependencies): Route {
  return operatorRoute({
    method: "POST",
    path: "/operator/transfers/{id}/resolve",
    operationId: "resolveTransfer",
    tag,
    summary: "End a payout by hand",
    description:
      "For a payout in processing whose outcome the bank has told in another way. completed books it as paid; failed gives amount and fees back to the wallet. Either is final and is written into the audit trail with its evidence.",
    params: IdParams,
    body: resolveBody,
    reply: { status: 200, message: "Transfer resolved.", data: transferData },
    problems: ["transfer_not_found", "invalid_state"],
    handle: (request) =>
      request.write(async (tx) => {
        const { outcome, evidence } = request.body;
        const place = await findPlace(tx, request.params.id);
        const end = (inside: Tx) => steerTransfer(inside, { ...stepOf(place, outcome), disbursementSettled });
        const resolved = await visitEnvironment(tx, place.environmentId, end, { readOnly: false });
        await recordAudit(tx, originOf(request), {
          action: "transfer.resolve",
          subjectType: "transfer",
          subjectId: resolved.id,
          environmentId: place.environmentId,
          detail: { outcome, evidence, reference: resolved.reference, sessionId: resolved.sessionId },
        });
        return { data: presentTransfer(resolved, place.environment) };
      }),
  });
}

interface Place {
  readonly id: string;
  readonly environmentId: string;
  readonly environment: EnvironmentKind;
}

async function findPlace(tx: Tx, id: string): Promise<Place> {
  const found = await sql<Omit<Place, "id">>`
    select environment_id as "environmentId", environment_kind as environment
    from find_transfer_environment(${id}::uuid)`.execute(tx);
  const place = onlyPlace(found.rows);
  if (place === undefined) throw transferProblem("transfer_not_found");
  return { id, ...place };
}

function stepOf({ id, environment }: Place, outcome: "completed" | "failed"): SteerCommand {
  const failure = {
    code: "resolved_by_operator",
    message: "The bank has established that the payment was not made. Amount and fees are back in the wallet.",
  };
  const from = "processing" as const;
  return { id, environment, from, to: outcome, failure: outcome === "failed" ? failure : null };
}
