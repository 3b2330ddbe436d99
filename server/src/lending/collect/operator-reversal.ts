/** How an operator takes a repayment back, the same for every owner of loans. Merchants cannot for checkout loans. */
import { Type } from "typebox";
import { type Tx, visitEnvironment } from "../../platform/database/database.ts";
import { describeRoute, type Route, repeated } from "../../platform/http/route.ts";
import { PathId } from "../../platform/http/wire.ts";
import { originOf, recordAudit } from "../../platform/records/audit.ts";
import type { Announce } from "../account/loan-account.ts";
import { readRepayment } from "../account/read-loan-account.ts";
import type { Promises } from "./refund-credit.ts";
import { type PresentedRepayment, presentRepayment, repaymentData, reversalBody } from "./repayment-on-wire.ts";
import { reverseRepayment } from "./reverse-repayment.ts";

export interface ReversalOwner {
  /** Such as /operator/loans: the loan's id and the repayment's follow. */
  readonly collection: `/operator/${string}`;
  readonly operationId: string;
  readonly summary: string;
  readonly event: string;
  readonly subjectType: string;
  /** The code of a loan that is not there. */
  readonly notFound: string;
  /** Throws it. */
  findEnvironment(tx: Tx, id: string): Promise<string>;
  /** The loan's account, and who hears of the reversal. */
  open(tx: Tx, id: string): Promise<Promises & { readonly accountId: string; readonly announce: Announce }>;
}

export function operatorReversalRoute(owner: ReversalOwner): Route {
  return describeRoute("operator", {
    method: "POST",
    path: `${owner.collection}/{id}/repayments/{repaymentId}/reverse`,
    operationId: owner.operationId,
    tag: "Operator",
    summary: owner.summary,
    description: `For a repayment that was not made: a bounced transfer, a wrong entry, a charge that the card's network has taken back. The loan then stands as if it had never been recorded, and a wallet gets its money back, by no way more than came. What was paid too much by mistake is refunded as credit instead. Recorded in the audit trail; reversing again changes nothing and returns it with \`Idempotent-Replayed\`. Sends \`${owner.event}\`.`,
    params: Type.Object({ id: PathId, repaymentId: PathId }),
    body: reversalBody,
    reply: { status: 200, message: "Repayment reversed.", data: repaymentData },
    problems: [owner.notFound, "invalid_state", "repayment_not_found", "repayment_refunded", "lender_funds_short"],
    handle: (request) =>
      request.write(async (tx) => {
        const { id, repaymentId } = request.params;
        const { reason } = request.body;
        const environmentId = await owner.findEnvironment(tx, id);
        const reverse = (inside: Tx) => reverseAndRead(inside, owner, { id, repaymentId, reason });
        const { data, replayed } = await visitEnvironment(tx, environmentId, reverse, "in order");
        if (replayed) return { data, ...repeated };
        const { reference, amount, channel } = data;
        await recordAudit(tx, originOf(request), {
          action: `${owner.subjectType}.reverse_repayment`,
          subjectType: owner.subjectType,
          subjectId: id,
          environmentId,
          detail: { repaymentId, reference, amount, channel, reason },
        });
        return { data };
      }),
  });
}

async function reverseAndRead(
  tx: Tx,
  owner: ReversalOwner,
  { id, repaymentId, reason }: { readonly id: string; readonly repaymentId: string; readonly reason: string },
): Promise<{ readonly data: PresentedRepayment; readonly replayed: boolean }> {
  const loan = await owner.open(tx, id);
  const { replayed } = await reverseRepayment(tx, { ...loan, repaymentId, reason });
  const found = await readRepayment(tx, loan.accountId, repaymentId);
  if (found === undefined) throw new Error(`repayment ${repaymentId} vanished`);
  return { data: presentRepayment(id, found), replayed };
}
