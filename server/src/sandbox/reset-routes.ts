import { type Static, Type } from "typebox";
import { findEnvironment } from "../merchants/find-environment.ts";
import type { Environment } from "../merchants/merchant.ts";
import { besideEnvironment, type Database, type Tx } from "../platform/database/database.ts";
import { keepReply } from "../platform/http/keep-reply.ts";
import { describeRoute, type Route } from "../platform/http/route.ts";
import { Timestamp } from "../platform/http/wire.ts";
import type { ClockControl } from "../platform/time/clock-control.ts";
import { resetSandbox } from "../platform/time/reset-sandbox.ts";

export interface ResetDependencies {
  readonly db: Database;
  readonly clock: ClockControl;
  /** What a new environment is given before anybody sees it, such as its main wallet. */
  environmentOpened(inside: Tx, environment: Environment): Promise<void>;
  /** Called when a sandbox was emptied, so that caches forget what they know about it. */
  sandboxEmptied(environmentId: string): void;
}

const resetData = Type.Object({
  resetAt: Timestamp,
  removed: Type.Integer({ description: "How many rows were deleted.", examples: [128] }),
});

export function resetRoutes(deps: ResetDependencies): Route[] {
  return [
    describeRoute("key", {
      method: "POST",
      path: "/sandbox/reset",
      operationId: "resetSandbox",
      tag: "Sandbox",
      scope: "sandbox:write",
      sandboxOnly: true,
      summary: "Empty the sandbox",
      description:
        "Returns the sandbox to its initial state: transfers, sub-accounts, statements, events, kept replies and everything simulated are gone, every bank is up, the clock runs at real time, and references can be used again. The main wallet is there, empty and with a new account number: fund it with POST /sandbox/wallets/fund. Keys stay. This cannot be undone.",
      reply: { status: 200, message: "Sandbox emptied", data: resetData },
      problems: ["clock_moving"],
      handle: (request) => {
        const { environmentId } = request.caller;
        return deps.clock.exclusively(environmentId, () => keepReply(request, () => empty(deps, environmentId)));
      },
    }),
  ];
}

async function empty(deps: ResetDependencies, environmentId: string): Promise<Static<typeof resetData>> {
  const work = async (tx: Tx): Promise<Static<typeof resetData>> => {
    const environment = await findEnvironment(tx, environmentId);
    const { emptied, removed } = await resetSandbox(tx);
    await deps.environmentOpened(emptied, environment);
    return { resetAt: emptied.environment.clock.now().toISOString(), removed: Number(removed) };
  };
  const data = await besideEnvironment(deps.db, environmentId, work, { alone: true });
  deps.sandboxEmptied(environmentId);
  return data;
}
