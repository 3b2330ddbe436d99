/** How an operator sees the lender's money of an environment, puts some in and takes some out. */
import { Type } from "typebox";
import { findEnvironment } from "../merchants/find-environment.ts";
import { nairaString } from "../money/kobo.ts";
import { visitEnvironment } from "../platform/database/database.ts";
import { describeRoute, type Route, repeated } from "../platform/http/route.ts";
import { IdParams, readNaira } from "../platform/http/wire.ts";
import { originOf, recordAudit } from "../platform/records/audit.ts";
import { pageOf, pageQuery, readPage } from "../platform/records/pagination.ts";
import type { LenderDirection } from "./lender-movement.ts";
import { lenderMovementList, readLenderMovements } from "./lender-movement-store.ts";
import {
  lenderData,
  lenderMovementBody,
  lenderMovementData,
  presentLender,
  presentLenderMovement,
} from "./lender-schemas.ts";
import { moveLenderFunds, readLenderFunds } from "./move-lender-funds.ts";

const common = { tag: "Operator", params: IdParams } as const;

interface Words {
  readonly path: `/${string}`;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly done: string;
  readonly problems: readonly string[];
}

const words: Readonly<Record<LenderDirection, Words>> = {
  deposit: {
    path: "/operator/environments/{id}/lender/deposits",
    operationId: "depositLenderFunds",
    summary: "Put money into the lender's funds",
    description:
      "For money of the lender's that has arrived at your bank: from then on it can be lent. Approved loans that lacked it are paid out at their next try, or at once with `disburse`. Recorded in the audit trail. The same reference and content again return 200 with the first movement.",
    done: "Lender's funds deposited",
    problems: [],
  },
  withdrawal: {
    path: "/operator/environments/{id}/lender/withdrawals",
    operationId: "withdrawLenderFunds",
    summary: "Take money out of the lender's funds",
    description:
      "Takes out what is available and not promised to a borrower. Book it here first, then pay it out at your bank. Recorded in the audit trail. The same reference and content again return 200 with the first movement.",
    done: "Lender's funds withdrawn",
    problems: ["insufficient_funds", "lender_funds_promised"],
  },
};

export function lenderRoutes(): Route[] {
  return [fundsRoute(), movementsRoute(), moveRoute("deposit"), moveRoute("withdrawal")];
}

function fundsRoute(): Route {
  return describeRoute("operator", {
    ...common,
    method: "GET",
    path: "/operator/environments/{id}/lender",
    operationId: "getLenderFunds",
    summary: "Read the lender's funds",
    description: "How much money the lender has in an environment, and where it is.",
    reply: { status: 200, message: "Lender's funds retrieved.", data: lenderData },
    problems: ["environment_not_found"],
    handle: ({ params, read }) =>
      read(async (tx) => {
        const environment = await findEnvironment(tx, params.id);
        return { data: presentLender(environment, await visitEnvironment(tx, environment.id, readLenderFunds)) };
      }),
  });
}

function movementsRoute(): Route {
  return describeRoute("operator", {
    ...common,
    method: "GET",
    path: "/operator/environments/{id}/lender/movements",
    operationId: "listLenderMovements",
    summary: "List deposits and withdrawals",
    description: "What operators have put into the lender's funds and taken out of them, newest first.",
    query: pageQuery,
    reply: { status: 200, message: "Movements retrieved.", data: Type.Array(lenderMovementData), paged: true },
    problems: ["environment_not_found"],
    handle: ({ params, query, read }) =>
      read(async (tx) => {
        const { id } = await findEnvironment(tx, params.id);
        const { rows, pagination } = await visitEnvironment(tx, id, (inside) =>
          readPage(inside, lenderMovementList, pageOf(query), (range) => readLenderMovements(inside, range)),
        );
        return { data: rows.map(presentLenderMovement), pagination };
      }),
  });
}

function moveRoute(direction: LenderDirection): Route {
  const { path, operationId, summary, description, done, problems } = words[direction];
  return describeRoute("operator", {
    ...common,
    method: "POST",
    path,
    operationId,
    summary,
    description,
    body: lenderMovementBody,
    reply: { status: 201, message: done, data: lenderMovementData, also: { 200: `${done} before` } },
    problems: ["environment_not_found", "reference_conflict", "evidence_used", "lender_funds_differ", ...problems],
    handle: (request) =>
      request.write(async (tx) => {
        const { reference, reason, evidence } = request.body;
        const [amount, fundedAfter] = [readNaira(request.body.amount), readNaira(request.body.fundedAfter)];
        const { id: environmentId } = await findEnvironment(tx, request.params.id);
        const command = { direction, amount, reference, reason, evidence: evidence.trim(), fundedAfter };
        const move = (inside: typeof tx) => moveLenderFunds(inside, command);
        const { movement, replayed } = await visitEnvironment(tx, environmentId, move, "in order");
        const data = presentLenderMovement(movement);
        if (replayed) return { data, ...repeated };
        await recordAudit(tx, originOf(request), {
          action: `lender.${direction}`,
          subjectType: "lender_movement",
          subjectId: movement.id,
          environmentId,
          detail: { amount: nairaString(amount), fundedAfter: nairaString(fundedAfter), reference, reason, evidence },
        });
        return { data };
      }),
  });
}
