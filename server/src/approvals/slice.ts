import type { Slice } from "../platform/slice-description.ts";
import { createOrderDesk } from "../transfers/order-desk.ts";
import type { TransferDependencies } from "../transfers/payouts/create-transfer.ts";
import { rememberTariffs } from "../transfers/tariff/remembered-tariffs.ts";
import { createKnownWallets } from "../wallets/known-wallets.ts";
import { approvalProblems } from "./errors.ts";
import { approvalRoutes } from "./routes.ts";
import { verifyApprovals } from "./verify-approvals.ts";

export const approvalSlice: Slice<Omit<TransferDependencies, "knownWallets" | "tariffs">, unknown> = {
  problems: approvalProblems,
  checks: [verifyApprovals],
  routes: (needs) => {
    const orderDesk = createOrderDesk({
      ...needs,
      knownWallets: createKnownWallets(needs.db),
      tariffs: rememberTariffs(needs.db),
    });
    return approvalRoutes({ orderDesk });
  },
};
