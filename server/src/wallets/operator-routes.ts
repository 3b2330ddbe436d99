import { describeRoute, type Route, repeated } from "../platform/http/route.ts";
import { readNaira } from "../platform/http/wire.ts";
import { originOf } from "../platform/records/audit.ts";
import { type Correction, correctWallet } from "./correct-wallet.ts";
import { accountParams, correctionBody, lineData } from "./schemas.ts";
import { presentLine } from "./statement-line.ts";

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
