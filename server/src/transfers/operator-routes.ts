/** What only an operator may do about payouts: see those that are stuck and, with evidence, end them. */
import { sql } from "kysely";
import { type Static, Type } from "typebox";
import { nairaNumber } from "../money/kobo.ts";
import { originOf, recordAudit } from "../platform/audit.ts";
import { type Database, type Tx, visitEnvironment } from "../platform/database.ts";
import { operatorRoute, type Route } from "../platform/http/route.ts";
import { IdParams, NairaNumber, OneOf, Timestamp, Uuid } from "../platform/http/wire.ts";
import { bankName } from "../rails/bank-directory.ts";
import type { EnvironmentKind } from "../rails/registry.ts";
import { transferProblem } from "./errors.ts";
import { presentTransfer } from "./present-transfer.ts";
import { transferData } from "./schemas.ts";
import { steerTransfer } from "./steer-transfer.ts";
import { listUnknownTransfers, type UnknownTransfer } from "./unknown-transfers.ts";

const tag = "Operator";

export function transferOperatorRoutes({ db }: { readonly db: Database }): Route[] {
  return [unknownsRoute(db), resolveRoute()];
}

const unknownData = Type.Object({
  type: OneOf(["transfer"]),
  id: Uuid,
  environmentId: Uuid,
  environment: OneOf(["SANDBOX", "LIVE"], { examples: ["LIVE"] }),
  reference: Type.String({ examples: ["payout-1042"] }),
  amount: NairaNumber,
  bankCode: Type.String({ examples: ["044"] }),
  bankName: Type.String({ examples: ["Access Bank"] }),
  sessionId: Type.String({ examples: ["999001261103101500000000000042"] }),
  queries: Type.Integer({ description: "How often the bank was asked since.", examples: [7] }),
  sentAt: Timestamp,
  ageSeconds: Type.Number({ examples: [4210.5] }),
});

const unknownsQuery = Type.Object({
  olderThan: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 31_536_000, default: 60, description: "Seconds since the payment was sent." }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 100, description: "At most this many." })),
});

function unknownsRoute(db: Database): Route {
  return operatorRoute({
    method: "GET",
    path: "/operator/unknowns",
    tag,
    summary: "List payments without an outcome",
    description:
      "Payments of all environments that were sent and whose outcome is still owed, the oldest first. They are asked about at growing distances, a quarter of an hour at most.",
    query: unknownsQuery,
    reply: { status: 200, message: "Unknown outcomes retrieved.", data: Type.Array(unknownData) },
    handle: async ({ query }) => {
      const found = await listUnknownTransfers(db, {
        olderThanSeconds: query.olderThan ?? 60,
        limit: query.limit ?? 100,
      });
      return { data: found.map(presentUnknown) };
    },
  });
}

function presentUnknown({ amount, sentAt, ...unknown }: UnknownTransfer): Static<typeof unknownData> {
  return {
    type: "transfer",
    ...unknown,
    amount: nairaNumber(amount),
    bankName: bankName(unknown.bankCode),
    sentAt: sentAt.toISOString(),
  };
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

function resolveRoute(): Route {
  return operatorRoute({
    method: "POST",
    path: "/operator/transfers/{id}/resolve",
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
        const resolved = await visitEnvironment(tx, place.environmentId, (inside) => resolve(inside, place, outcome), {
          readOnly: false,
        });
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
  const place = found.rows[0];
  if (place === undefined) throw transferProblem("transfer_not_found");
  return { id, ...place };
}

function resolve(tx: Tx, { id, environment }: Place, outcome: "completed" | "failed") {
  const failure = {
    code: "resolved_by_operator",
    message: "The bank has established that the payment was not made. Amount and fees are back in the wallet.",
  };
  const from = "processing" as const;
  return steerTransfer(tx, { id, environment, from, to: outcome, failure: outcome === "failed" ? failure : null });
}
