/** How an operator sees the lender's money of an environment, puts some in and takes some out. */
import { Type } from "typebox";
import { readBalances } from "../../ledger/balance.ts";
import { post } from "../../ledger/post.ts";
import { findEnvironment } from "../../merchants/find-environment.ts";
import { add, larger, subtract } from "../../money/arithmetic.ts";
import { type Kobo, nairaNumber, nairaString, zeroKobo } from "../../money/kobo.ts";
import { type Tx, visitEnvironment } from "../../platform/database/database.ts";
import { describeRoute, type Route, repeated } from "../../platform/http/route.ts";
import { IdParams, readNaira } from "../../platform/http/wire.ts";
import { keysOf } from "../../platform/keys-of.ts";
import { commonProblem } from "../../platform/problem.ts";
import { originOf, recordAudit } from "../../platform/records/audit.ts";
import { pageOf, pageQuery, readPage } from "../../platform/records/pagination.ts";
import { claimReferences } from "../../platform/records/reference-claims.ts";
import { lenderProblem } from "./errors.ts";
import {
  fundedOf,
  type LenderDirection,
  type LenderFunds,
  type LenderMovement,
  lenderAccounts,
  lenderPosting,
  withdrawableOf,
} from "./lender-movement.ts";
import {
  findLenderMovement,
  insertLenderMovement,
  lenderMovementList,
  readLenderMovements,
  sumApproved,
} from "./lender-movement-store.ts";
import { lenderData, lenderMovementBody, lenderMovementData, presentLender, presentLenderMovement } from "./schemas.ts";

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

/**
 * An operator puts the lender's money in, once it has arrived at the bank, or takes some out. Who does it says what
 * the lender will have put in altogether afterwards. A digit too many in the amount, the same money booked by two
 * operators, or a step that somebody else has made in between does not come out at that figure and is refused.
 */
type MoveLenderFunds = Omit<LenderMovement, "id" | "createdAt">;

const referenceKind = "lender_movements";

/**
 * Works inside the environment. The same reference and content again changes nothing and finds the first. Throws
 * reference_conflict, evidence_used, insufficient_funds, lender_funds_promised, lender_funds_differ.
 */
async function moveLenderFunds(
  tx: Tx,
  command: MoveLenderFunds,
): Promise<{ readonly movement: LenderMovement; readonly replayed: boolean }> {
  const { clock } = tx.environment;
  const movement: LenderMovement = { ...command, id: clock.newId(), createdAt: clock.now() };
  const claim = { references: [movement.reference], recordId: movement.id };
  const [holder] = await claimReferences(tx, referenceKind, [claim]);
  const earlier = holder == null ? undefined : await findLenderMovement(tx, holder);
  if (earlier !== undefined) {
    refuseOther(earlier, command);
    return { movement: earlier, replayed: true };
  }
  const sameEvidence = await insertLenderMovement(tx, movement);
  if (sameEvidence !== null) {
    throw lenderProblem("evidence_used", { data: { reference: sameEvidence.reference } });
  }
  // Locks the funding account: from here on no loan takes or returns money, and no other operator moves any.
  await post(tx, lenderPosting(tx.environment.id, movement));
  refuseUnexpected(movement, await readLenderFunds(tx));
  return { movement, replayed: false };
}

/**
 * Approved loans are read before the money that is held for them: a payment that ends in between then counts as still
 * promised, never as neither.
 */
async function readLenderFunds(tx: Tx): Promise<LenderFunds> {
  const approved = await sumApproved(tx);
  const ids = lenderAccounts(tx.environment.id);
  const balances = await readBalances(tx, Object.values(ids));
  const on = (id: string): Kobo => balances.get(id) ?? zeroKobo;
  const held = on(ids.held);
  const promised = larger(subtract(approved, held), zeroKobo);
  return { available: on(ids.available), held, lent: on(ids.lent), promised };
}

function refuseUnexpected(movement: LenderMovement, after: LenderFunds): void {
  const { direction, amount, fundedAfter } = movement;
  if (direction === "withdrawal" && after.available < after.promised) {
    const available = add(after.available, amount);
    const withdrawable = withdrawableOf({ available, promised: after.promised });
    throw lenderProblem("lender_funds_promised", {
      data: {
        available: nairaNumber(available),
        promised: nairaNumber(after.promised),
        withdrawable: nairaNumber(withdrawable),
      },
    });
  }
  const funded = fundedOf(after);
  if (funded === fundedAfter) return;
  throw lenderProblem("lender_funds_differ", {
    data: { fundedAfter: nairaNumber(funded), expected: nairaNumber(fundedAfter) },
  });
}

function refuseOther(earlier: LenderMovement, wanted: MoveLenderFunds): void {
  const fields = keysOf(wanted).filter((field) => earlier[field] !== wanted[field]);
  if (fields.length > 0) throw commonProblem("reference_conflict", { data: { fields } });
}
