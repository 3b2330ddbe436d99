import { Type } from "typebox";
import { acceptRequest } from "../ledger/accept-request.ts";
import type { GroupCommit } from "../ledger/group-commit.ts";
import { type KeepReply, type Submitted, submitOnce } from "../ledger/submit-once.ts";
import type { Database, Tx } from "../platform/database/database.ts";
import { isUuid } from "../platform/database/ids.ts";
import { describeRoute, type Reply, type Route, repeated } from "../platform/http/route.ts";
import { IdParams, readNaira } from "../platform/http/wire.ts";
import { pageOf, pageQuery } from "../platform/records/pagination.ts";
import type { Question } from "../platform/work/ask-together.ts";
import { type Desks, openRail, type RailUser } from "../rails/desk.ts";
import { walletProblem } from "./errors.ts";
import type { Movement } from "./movement.ts";
import { findMovement } from "./movement-store.ts";
import { findOrdered, type OrderedSubAccount, openSubAccount, orderSubAccount } from "./open-wallet.ts";
import { moveBetweenWallets, type OwnTransfer } from "./own-transfer.ts";
import { listSubAccounts, readWallet, readWalletBalances } from "./read-wallets.ts";
import {
  balanceData,
  balanceQuery,
  moveBody,
  movementData,
  openSubAccountBody,
  presentBalance,
  presentMovement,
  presentSubAccount,
  subAccountData,
} from "./schemas.ts";
import { presentOpening, presentState, type SubAccountState, subAccountStateData } from "./sub-account-state.ts";
import { mainWalletId, walletTag } from "./wallet.ts";

export interface WalletRouteDependencies {
  readonly db: Database;
  readonly groupCommit: GroupCommit;
  readonly rails: Pick<Desks, "inbound">;
}

const common = { tag: walletTag } as const;

export function walletRoutes(deps: WalletRouteDependencies): Route[] {
  return [listRoute(), openRoute(deps), readRoute(), balanceRoute(), moveRoute(deps)];
}

function listRoute(): Route {
  return describeRoute("key", {
    ...common,
    method: "GET",
    path: "/wallets/sub-accounts",
    operationId: "listSubAccounts",
    readsPrimary: true,
    scope: "wallets:read",
    summary: "List sub-accounts",
    description: "The sub-accounts with what each can spend, newest first. The main wallet is not one of them.",
    query: pageQuery,
    reply: { status: 200, message: "Sub-accounts retrieved", data: Type.Array(subAccountData), paged: true },
    handle: ({ query, read }) =>
      read(async (tx) => {
        const { rows, pagination } = await listSubAccounts(tx, pageOf(query));
        return { data: rows.map(({ wallet, available }) => presentSubAccount(wallet, available)), pagination };
      }),
  });
}

function openRoute({ rails }: WalletRouteDependencies): Route {
  return describeRoute("key", {
    ...common,
    method: "POST",
    path: "/wallets/sub-accounts",
    operationId: "createSubAccount",
    scope: "wallets:write",
    summary: "Open a sub-account",
    description:
      "Opens a sub-account with a virtual account number of its own. A live one gets its number from a provider: the reply is 202 with the status `opening`, and `wallet.opened` or `wallet.refused` follows; where no provider is connected it is refused. The same externalId and name again return the account that is there, with 200, or with 202 while it is opening.",
    body: openSubAccountBody,
    reply: {
      status: 201,
      message: "Sub-account opened",
      data: subAccountStateData,
      also: { 200: "Sub-account found", 202: "Sub-account is being opened" },
    },
    problems: ["reference_conflict", "rail_not_configured"],
    handle: async (request) => {
      const kept = await request.kept<SubAccountState>();
      if (kept !== undefined) return kept;
      const { caller } = request;
      const isProvided = await needsProvider(rails.inbound, caller);
      return request.write(async (tx) => {
        const { accountName, externalId = null } = request.body;
        const wanted = { accountName, externalId };
        const opened = isProvided ? await orderSubAccount(tx, wanted) : await openSubAccount(tx, wanted);
        const data = await presentOrdered(tx, opened);
        const status = "order" in opened ? { status: 202 } : {};
        return opened.replayed ? { data, ...repeated, ...status } : { data, ...status };
      });
    },
  });
}

/** Nobody can pay to a live number that no bank has given out. Throws where a provider is needed and none is open. */
async function needsProvider(desk: Desks["inbound"], caller: RailUser): Promise<boolean> {
  if (caller.kind === "SANDBOX" && (await desk.find(caller)) === "not_connected") return false;
  await openRail(desk, caller);
  return true;
}

async function presentOrdered(tx: Tx, found: OrderedSubAccount): Promise<SubAccountState> {
  if ("order" in found) return presentOpening(found.order);
  const { wallet, available } = await readWallet(tx, found.wallet.id);
  return presentState(wallet, tx.environment.kind, available);
}

function readRoute(): Route {
  return describeRoute("key", {
    ...common,
    method: "GET",
    path: "/wallets/sub-accounts/{id}",
    operationId: "getSubAccount",
    readsPrimary: true,
    scope: "wallets:read",
    summary: "Read a sub-account",
    description:
      "One sub-account, also while it is being opened. The main wallet can be read here too, by the accountId that GET /wallets/balance returns.",
    params: IdParams,
    reply: { status: 200, message: "Sub-account retrieved", data: subAccountStateData },
    problems: ["wallet_not_found"],
    handle: ({ params, read }) =>
      read(async (tx) => {
        const found = await findOrdered(tx, params.id);
        if (found === undefined) throw walletProblem("wallet_not_found");
        return { data: await presentOrdered(tx, found) };
      }),
  });
}

/** Many programs ask before each payment, at the same moment. */
const balanceById: Question<Reply<ReturnType<typeof presentBalance>>> = {
  async find(tx, ids) {
    const balances = await readWalletBalances(tx, ids);
    return new Map([...balances].map(([id, one]) => [id, { data: presentBalance(one), isShared: true }]));
  },
};

function balanceRoute(): Route {
  return describeRoute("key", {
    ...common,
    method: "GET",
    path: "/wallets/balance",
    operationId: "getBalance",
    readsPrimary: true,
    scope: "wallets:read",
    summary: "Read a balance",
    description: "What the main wallet, or the account named, can spend and what is held for payments under way.",
    query: balanceQuery,
    reply: { status: 200, message: "Balance retrieved", data: balanceData },
    problems: ["wallet_not_found"],
    handle: async ({ caller: { environmentId }, query, ask }) => {
      const { accountId = mainWalletId(environmentId) } = query;
      const balance = isUuid(accountId) ? await ask(balanceById, accountId) : undefined;
      if (balance === undefined) throw walletProblem("wallet_not_found");
      return balance;
    },
  });
}

function moveRoute(deps: WalletRouteDependencies): Route {
  return describeRoute("key", {
    ...common,
    method: "POST",
    path: "/wallets/transfers",
    operationId: "moveBetweenWallets",
    scope: "wallets:write",
    summary: "Move money between own accounts",
    description:
      "Moves money between two of your accounts at once and free of charge. The same reference and content again return 200 with the first movement.",
    body: moveBody,
    reply: { status: 201, message: "Money moved", data: movementData, also: { 200: "Money was moved before" } },
    problems: ["same_account", "wallet_not_found", "insufficient_funds", "reference_conflict", "ledger_busy"],
    handle: (request) => {
      const { from, to, reference, amount } = request.body;
      const transfer = { from, to, reference, amount: readNaira(amount) };
      return acceptRequest(request, {
        accept: (keep) => moveMoney(deps, request.caller.environmentId, transfer, keep),
        present: presentMovement,
      });
    },
  });
}

/** A move between own accounts, from request to answer. A repeated reference is answered from its movement. */
interface MoveDependencies {
  readonly db: Database;
  readonly groupCommit: GroupCommit;
}

async function moveMoney(
  deps: MoveDependencies,
  environmentId: string,
  transfer: OwnTransfer,
  keep: KeepReply<Movement> | null,
): Promise<Submitted<Movement>> {
  if (transfer.from === transfer.to) throw walletProblem("same_account");
  const differing = (earlier: Movement) =>
    (["from", "to", "amount"] as const).filter((field) => earlier[field] !== transfer[field]);
  const submission = { environmentId, input: transfer, keep, find: findMovement, differing };
  return submitOnce(deps, moveBetweenWallets, submission);
}
