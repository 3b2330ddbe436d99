/** What only an operator may do about a bill: end it, with evidence. */
import { sql } from "kysely";
import { Type } from "typebox";
import { type EnvironmentKind, type Tx, visitEnvironment } from "../platform/database/database.ts";
import { operatorRoute, type Route } from "../platform/http/route.ts";
import { IdParams, OneOf } from "../platform/http/wire.ts";
import { originOf, recordAudit } from "../platform/records/audit.ts";
import { onlyPlace } from "../platform/records/only-place.ts";
import type { Delivery } from "../rails/biller.ts";
import { findBill } from "./bill-store.ts";
import { type CatalogueRouteDependencies, catalogueRoutes } from "./catalogue-routes.ts";
import { billProblem } from "./errors.ts";
import { presentBill } from "./present-bill.ts";
import { billData } from "./schemas.ts";
import { steerBill, wrongState } from "./steer-bill.ts";

export function billOperatorRoutes(deps: CatalogueRouteDependencies): Route[] {
  return [resolveRoute(), ...catalogueRoutes(deps)];
}

const resolveBody = Type.Object(
  {
    outcome: OneOf(["completed", "failed"], { description: "What the biller has established." }),
    evidence: Type.String({
      minLength: 1,
      maxLength: 2_000,
      pattern: "\\S",
      description:
        "Where that is written: a letter, a ticket, a line of the settlement report. Kept in the audit trail.",
    }),
    token: Type.Optional(Type.String({ pattern: "^[0-9]{20}$", description: "Of a prepaid meter, if completed." })),
    units: Type.Optional(
      Type.String({ pattern: "^[0-9]{1,8}(\\.[0-9]{1,2})?$", description: "Kilowatt hours of that token." }),
    ),
    receiptNumber: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  },
  { examples: [{ outcome: "failed", evidence: "Settlement report of 3 November, line 412: not vended" }] },
);

function resolveRoute(): Route {
  return operatorRoute({
    method: "POST",
    path: "/operator/bills/{id}/resolve",
    operationId: "resolveBill",
    tag: "Operator",
    summary: "End a bill by hand",
    description:
      "For a bill in processing whose outcome the biller has told in another way. completed books it as delivered and credits the commission; failed gives amount and fee back to the wallet. Either is final and is written into the audit trail with its evidence.",
    params: IdParams,
    body: resolveBody,
    reply: { status: 200, message: "Bill resolved.", data: billData },
    problems: ["bill_not_found", "invalid_state"],
    handle: (request) =>
      request.write(async (tx) => {
        const { outcome, evidence, token = null, units = null, receiptNumber = null } = request.body;
        const place = await findPlace(tx, request.params.id);
        const delivery = outcome === "completed" ? { token, units, receiptNumber } : null;
        const work = (inside: Tx) => resolve(inside, place, delivery);
        const resolved = await visitEnvironment(tx, place.environmentId, work, { readOnly: false });
        await recordAudit(tx, originOf(request), {
          action: "bill.resolve",
          subjectType: "bill",
          subjectId: resolved.id,
          environmentId: place.environmentId,
          detail: { outcome, evidence, reference: resolved.reference, catalogueVersion: resolved.catalogueVersion },
        });
        return { data: presentBill(resolved, place.environment) };
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
    from find_bill_environment(${id}::uuid)`.execute(tx);
  const place = onlyPlace(found.rows);
  if (place === undefined) throw billProblem("bill_not_found");
  return { id, ...place };
}

/** Only what is with the biller can be resolved: a reversal is told by the biller, not established by us. */
async function resolve(tx: Tx, { id, environment }: Place, delivery: Delivery | null) {
  const found = await findBill(tx, id);
  if (found !== undefined && found.status !== "processing") throw wrongState(found);
  if (delivery !== null) return steerBill(tx, { id, environment, to: "successful", failure: null, delivery });
  const failure = {
    code: "resolved_by_operator",
    message: "The biller has established that nothing was delivered. Amount and fee are back in the wallet.",
  };
  return steerBill(tx, { id, environment, to: "failed", failure, delivery });
}
