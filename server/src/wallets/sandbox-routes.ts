import { describeRoute, type Route } from "../platform/http/route.ts";
import { readNaira } from "../platform/http/wire.ts";
import { fundWallet, receiveCredit } from "./credit-wallet.ts";
import { creditBody, fundBody, lineData } from "./schemas.ts";
import { presentLine } from "./statement-line.ts";

const common = { tag: "Sandbox", scope: "sandbox:write", sandboxOnly: true, method: "POST" } as const;

export function walletSandboxRoutes(): Route[] {
  return [fundRoute(), creditRoute()];
}

function fundRoute(): Route {
  return describeRoute("key", {
    ...common,
    path: "/sandbox/wallets/fund",
    operationId: "fundWallet",
    summary: "Fund a wallet",
    description:
      "Puts test money into the main wallet, or into the account named, and returns the new line of its statement. Sends `wallet.credited`.",
    body: fundBody,
    reply: { status: 201, message: "Wallet funded", data: lineData },
    problems: ["wallet_not_found"],
    handle: (request) =>
      request.write(async (tx) => {
        const { accountId } = request.body;
        return { data: presentLine(await fundWallet(tx, { accountId, amount: readNaira(request.body.amount) })) };
      }),
  });
}

function creditRoute(): Route {
  return describeRoute("key", {
    ...common,
    path: "/sandbox/wallets/credit",
    operationId: "creditVirtualAccount",
    summary: "Pay into a virtual account",
    description:
      "Simulates a bank payment to one of your virtual account numbers and returns the new line of the statement. Sends `wallet.credited`.",
    body: creditBody,
    reply: { status: 201, message: "Credit received", data: lineData },
    problems: ["wallet_not_found"],
    handle: (request) =>
      request.write(async (tx) => {
        const { accountNumber, senderName } = request.body;
        const credit = { accountNumber, senderName, amount: readNaira(request.body.amount) };
        return { data: presentLine(await receiveCredit(tx, credit)) };
      }),
  });
}
