/**
 * Which simulated rails of which sandboxes take no orders, because the sandbox's owner plays an operator whose provider
 * holds them. Everybody who looks for a rail asks here, so the few holds are read together and remembered for a moment.
 */
import type { Database } from "../platform/database/database.ts";
import { rememberFor } from "../platform/remember.ts";
import type { HoldReason } from "../rails/answer.ts";
import { readHolds } from "./rail-hold-store.ts";

export interface RailHolds {
  /** Null for a rail that takes orders. */
  of(sandbox: string, port: string): Promise<HoldReason | null>;
  /** This process reads again at once, others when what they remember is too old. */
  forget(): void;
}

const rememberedForMs = 500;

export function createRailHolds(db: Database): RailHolds {
  const readAgain = () =>
    rememberFor(rememberedForMs, async () => {
      const holds = await readHolds(db);
      return new Map(holds.map(({ environmentId, port, reason }) => [`${environmentId} ${port}`, reason]));
    });
  let read = readAgain();
  return {
    of: async (sandbox, port) => (await read()).get(`${sandbox} ${port}`) ?? null,
    forget: () => {
      read = readAgain();
    },
  };
}
