import { findStatementLine, type StatementLine } from "../ledger/statement.ts";
import { type Kobo, nairaString } from "../money/kobo.ts";
import { type Tx, visitEnvironment } from "../platform/database/database.ts";
import { isUuid } from "../platform/database/ids.ts";
import { describeRoute, type Route, repeated } from "../platform/http/route.ts";
import { readNaira } from "../platform/http/wire.ts";
import { commonProblem } from "../platform/problem.ts";
import { type Origin, originOf, recordAudit } from "../platform/records/audit.ts";
import { claimReferences } from "../platform/records/reference-claims.ts";
import { bookMovement, credit, newMovement } from "./credit-wallet.ts";
import { walletProblem } from "./errors.ts";
import type { Movement } from "./movement.ts";
import { findMovement } from "./movement-store.ts";
import { accountParams, correctionBody, lineData } from "./schemas.ts";
import { presentLine } from "./statement-line.ts";
import { findWalletEnvironment } from "./wallet-store.ts";

interface Words {
  readonly summary: string;
  readonly description: string;
  readonly done: string;
  readonly problems: readonly string[];
}

const words: Readonly<Record<Correction["direction"], Words>> = {
  credit: {
    summary: "Credit a wallet",
    description:
      "Puts money into a wallet, such as a merchant's payment that reached the operator's bank. Recorded in the audit trail; sends `wallet.credited`. The same reference and content again return 200 with the first line.",
    done: "Wallet credited",
    problems: ["wallet_not_found", "invalid_state", "reference_conflict"],
  },
  debit: {
    summary: "Debit a wallet",
    description:
      "Takes money out of a wallet, never below zero. Recorded in the audit trail. The same reference and content again return 200 with the first line.",
    done: "Wallet debited",
    problems: ["wallet_not_found", "invalid_state", "reference_conflict", "insufficient_funds"],
  },
};

export function walletOperatorRoutes(): Route[] {
  return [correctionRoute("credit"), correctionRoute("debit")];
}

function correctionRoute(direction: Correction["direction"]): Route {
  const { summary, description, done, problems } = words[direction];
  return describeRoute("operator", {
    method: "POST",
    path: `/operator/wallets/{accountId}/${direction}`,
    operationId: `${direction}Wallet`,
    tag: "Operator",
    summary,
    description,
    params: accountParams,
    body: correctionBody,
    reply: { status: 201, message: done, data: lineData, also: { 200: `${done} before` } },
    problems,
    handle: (request) =>
      request.write(async (tx) => {
        const { reference, reason } = request.body;
        const amount = readNaira(request.body.amount);
        const { accountId } = request.params;
        const correction = { accountId, direction, amount, reference, reason, origin: originOf(request) };
        const { line, replayed } = await correctWallet(tx, correction);
        const data = presentLine(line);
        return replayed ? { data, ...repeated } : { data };
      }),
  });
}

/**
 * An operator puts money into a wallet or takes it out: a live wallet is funded this way when the money has arrived at
 * the operator's bank. Each correction has the operator's own reference, a reason, and an audit entry.
 */
interface Correction {
  readonly accountId: string;
  readonly direction: "credit" | "debit";
  readonly amount: Kobo;
  readonly reference: string;
  readonly reason: string;
  readonly origin: Origin;
}

interface Corrected {
  readonly line: StatementLine;
  readonly replayed: boolean;
}

const referenceKind = "operator_movements";

/** Works from the operator's scope. The same reference and content again changes nothing and finds the first. */
async function correctWallet(tx: Tx, correction: Correction): Promise<Corrected> {
  const { accountId, direction, amount, reference, reason, origin } = correction;
  const environmentId = isUuid(accountId) ? await findWalletEnvironment(tx, accountId) : undefined;
  if (environmentId === undefined) throw walletProblem("wallet_not_found", { message: "No wallet has this id." });
  const corrected = await visitEnvironment(tx, environmentId, (inside) => correct(inside, correction), "in order");
  if (corrected.replayed) return corrected;
  await recordAudit(tx, origin, {
    action: `wallet.${direction}`,
    subjectType: "wallet",
    subjectId: accountId,
    environmentId,
    detail: { amount: nairaString(amount), reference, reason, movementId: corrected.line.transactionId },
  });
  return corrected;
}

async function correct(tx: Tx, correction: Correction): Promise<Corrected> {
  const { accountId, reference } = correction;
  const movement = movementOf(tx, correction);
  const claim = { references: [reference], recordId: movement.id };
  const [holder] = await claimReferences(tx, referenceKind, [claim]);
  const earlier = holder == null ? undefined : await findMovement(tx, holder);
  if (earlier !== undefined) {
    refuseOther(earlier, movement);
    const line = await findStatementLine(tx, accountId, earlier.id);
    if (line === undefined) throw new Error(`movement ${earlier.id} is on no statement`);
    return { line, replayed: true };
  }
  const { to } = movement;
  const line = to === null ? await bookMovement(tx, movement, accountId) : await credit(tx, { ...movement, to });
  return { line, replayed: false };
}

function movementOf(tx: Tx, { accountId, direction, amount, reference, reason }: Correction): Movement {
  const shared = { ...newMovement(tx), amount, reference, reason };
  return direction === "credit"
    ? { ...shared, kind: "operator_credit", to: accountId }
    : { ...shared, kind: "operator_debit", from: accountId, to: null };
}

function refuseOther(earlier: Movement, wanted: Movement): void {
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ["accountId", earlier.from ?? earlier.to, wanted.from ?? wanted.to],
    ["direction", earlier.kind, wanted.kind],
    ["amount", earlier.amount, wanted.amount],
    ["reason", earlier.reason, wanted.reason],
  ];
  const fields = pairs.filter(([, left, right]) => left !== right).map(([field]) => field);
  if (fields.length > 0) throw commonProblem("reference_conflict", { data: { fields } });
}
