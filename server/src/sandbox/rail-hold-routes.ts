import { Type } from "typebox";
import { besideEnvironment, type Database } from "../platform/database/database.ts";
import { describeRoute, type Route } from "../platform/http/route.ts";
import { Nullable, OneOf } from "../platform/http/wire.ts";
import { holdReasons } from "../rails/answer.ts";
import { portInPath } from "../rails/port-in-path.ts";
import { heldPorts, writeHold } from "./rail-hold-store.ts";
import type { RailHolds } from "./rail-holds.ts";

const inPath = portInPath(heldPorts);
const state = OneOf(["open", "held"], { examples: ["held"] });
const reason = OneOf(holdReasons, { description: "Why the provider takes no orders.", examples: ["float_empty"] });

const railData = Type.Object({
  port: OneOf(heldPorts, { examples: ["bank"] }),
  state,
  reason: Nullable(Type.String({ description: "Null while it is open.", examples: ["float_empty"] })),
});

export interface RailHoldDependencies {
  readonly db: Database;
  readonly railHolds: RailHolds;
}

/** Whether the simulated bank and biller of a sandbox take orders. */
export function railHoldRoutes({ db, railHolds }: RailHoldDependencies): Route[] {
  return [
    describeRoute("key", {
      method: "PUT",
      path: "/sandbox/rails/{port}",
      operationId: "setSandboxRail",
      tag: "Sandbox",
      scope: "sandbox:write",
      sandboxOnly: true,
      summary: "Hold or open the bank or the biller",
      description:
        "Plays a provider that takes no orders, as when its float is empty. While it is held, new payouts or bills, name enquiries and validations return 503 unavailable, and what was accepted before waits in pending. Open it, and what waits goes through. Applies to this sandbox until you set it again or reset the sandbox.",
      params: Type.Object({ port: { ...inPath.schema, maxLength: 40 } }),
      body: Type.Object({ state, reason: Type.Optional({ ...reason, default: "float_empty" }) }),
      reply: { status: 200, message: "Rail set", data: railData },
      problems: ["not_found"],
      handle: async ({ caller, params, body }) => {
        const held = body.state === "held" ? (body.reason ?? "float_empty") : null;
        const port = inPath.read(params.port);
        await besideEnvironment(db, caller.environmentId, (tx) => writeHold(tx, port, held));
        railHolds.forget();
        return { data: { port, state: body.state, reason: held } };
      },
    }),
  ];
}
