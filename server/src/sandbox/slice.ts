import type { Database } from "../platform/database/database.ts";
import type { Slice } from "../platform/slice-description.ts";
import { bankRoutes, sandboxProblems } from "./bank/bank-routes.ts";
import { paymentReversalKind, paymentReversalTask, type ReversalDependencies } from "./bank/reverse-payment.ts";
import type { SimulatedBank } from "./bank/simulated-bank.ts";
import { type VendReversalDependencies, vendReversalKind, vendReversalTask } from "./biller/reverse-vend.ts";
import type { SimulatedBiller } from "./biller/simulated-biller.ts";
import type { SimulatedCard } from "./card/simulated-card.ts";
import { vaultRoutes } from "./card/vault-routes.ts";
import { type ClockRouteDependencies, clockRoutes } from "./clock-routes.ts";

import { sealedRegisterBvn } from "./identity/simulated-register-store.ts";
import { type MessageRouteDependencies, messageRoutes } from "./message/message-routes.ts";
import type { SimulatedMessage } from "./message/simulated-message.ts";
import { type RailHoldDependencies, railHoldRoutes } from "./rail-hold-routes.ts";
import { type ResetDependencies, resetRoutes } from "./reset-routes.ts";
import { verifySimulatedRails } from "./verify-rails.ts";

interface RouteNeeds
  extends Omit<ClockRouteDependencies, "isRouted">,
    Omit<ResetDependencies, "sandboxEmptied">,
    RailHoldDependencies {
  readonly connections: { isRouted: ClockRouteDependencies["isRouted"] };
  readonly simulatedBank: SimulatedBank;
  readonly simulatedCard: SimulatedCard;
  readonly simulatedMessage: SimulatedMessage;
  readonly carryWaitingMessages: MessageRouteDependencies["carryWaiting"];
}

interface WorkNeeds {
  readonly db: Database;
  readonly simulatedBank: SimulatedBank;
  readonly simulatedBiller: SimulatedBiller;
  readonly paymentTakenBack: ReversalDependencies["takeReversal"];
  readonly vendTakenBack: VendReversalDependencies["takeReversal"];
}

export const sandboxSlice: Slice<RouteNeeds, WorkNeeds> = {
  sections: [
    { name: "Sandbox", description: "Steers a sandbox: its clock, its money, the outcomes of what is simulated." },
  ],
  scopes: ["sandbox"],
  problems: sandboxProblems,
  lookupFunctions: {
    "read_bank_conditions(integer)":
      "How banks are is read for all sandboxes together, because every name enquiry asks.",
    "read_sandbox_rail_holds(integer)":
      "Which rails are held is read for all sandboxes together, because every order asks.",
  },
  taskKinds: [paymentReversalTask, vendReversalTask],
  checks: [verifySimulatedRails],
  sealedColumns: [sealedRegisterBvn],
  routes: (needs) => {
    const { conditions } = needs.simulatedBank;
    const sandboxEmptied = () => {
      conditions.forget();
      needs.railHolds.forget();
    };
    return [
      ...clockRoutes({ ...needs, isRouted: needs.connections.isRouted }),
      ...bankRoutes(conditions),
      ...messageRoutes({ list: needs.simulatedMessage.list, carryWaiting: needs.carryWaitingMessages }),
      ...vaultRoutes(needs.simulatedCard),
      ...railHoldRoutes(needs),
      ...resetRoutes({ ...needs, sandboxEmptied }),
    ];
  },
  tasks: ({ db, simulatedBank, simulatedBiller, paymentTakenBack, vendTakenBack }) => [
    [paymentReversalTask, paymentReversalKind({ db, reverse: simulatedBank.reverse, takeReversal: paymentTakenBack })],
    [vendReversalTask, vendReversalKind({ db, reverse: simulatedBiller.reverse, takeReversal: vendTakenBack })],
  ],
};
