/** How an operator decides about a loan, with a reason that the audit trail keeps: the same for every owner of loans. */
import { type Static, type TSchema, Type } from "typebox";
import { type Tx, visitEnvironment } from "../../platform/database/database.ts";
import { describeRoute, type Route } from "../../platform/http/route.ts";
import { IdParams } from "../../platform/http/wire.ts";
import { originOf, recordAudit } from "../../platform/records/audit.ts";

export interface Decision {
  /** The last word of the path. */
  readonly word: string;
  readonly operationId: string;
  /** What the audit trail calls it, behind the kind of the loan. */
  readonly action: string;
  readonly summary: string;
  readonly description: string;
  readonly message: string;
  /** Beyond a loan that is not there and one in the wrong state. */
  readonly problems: readonly string[];
  run(tx: Tx, id: string): Promise<unknown>;
}

export interface DecidedLoans<Data extends TSchema> {
  /** Such as /operator/loans: the loan's id and the decision's word follow. */
  readonly collection: `/operator/${string}`;
  readonly subjectType: string;
  /** The code of a loan that is not there. */
  readonly notFound: string;
  readonly exampleReason: string;
  readonly data: Data;
  /** Throws `notFound`. */
  findEnvironment(tx: Tx, id: string): Promise<string>;
  /** The loan as an operator sees it. */
  read(tx: Tx, id: string): Promise<Static<Data>>;
  referenceOf(shown: Static<Data>): string;
}

export function operatorDecisionRoute<Data extends TSchema>(loans: DecidedLoans<Data>, decision: Decision): Route {
  return describeRoute("operator", {
    method: "POST",
    path: `${loans.collection}/{id}/${decision.word}`,
    operationId: decision.operationId,
    tag: "Operator",
    summary: decision.summary,
    description: decision.description,
    params: IdParams,
    body: reasonBody(loans.exampleReason),
    reply: { status: 200, message: decision.message, data: loans.data },
    problems: [loans.notFound, "invalid_state", ...decision.problems],
    handle: (request) =>
      request.write(async (tx) => {
        const { id } = request.params;
        const environmentId = await loans.findEnvironment(tx, id);
        const data = await visitEnvironment(tx, environmentId, (inside) => decideAndRead(inside), "in order");
        await recordAudit(tx, originOf(request), {
          action: `${loans.subjectType}.${decision.action}`,
          subjectType: loans.subjectType,
          subjectId: id,
          environmentId,
          detail: { reason: request.body.reason, reference: loans.referenceOf(data) },
        });
        return { data };

        async function decideAndRead(inside: Tx): Promise<Static<Data>> {
          await decision.run(inside, id);
          return loans.read(inside, id);
        }
      }),
  });
}

function reasonBody(example: string) {
  const reason = Type.String({
    minLength: 1,
    maxLength: 2_000,
    pattern: "\\S",
    description: "Why; kept in the audit trail.",
  });
  return Type.Object({ reason }, { examples: [{ reason: example }] });
}
