/**
 * Which simulated rails of which sandboxes take no orders, because the sandbox's owner plays an operator whose provider
 * holds them. Everybody who looks for a rail asks here, so the few holds are read together and remembered for a moment.
 */
import { cellFor } from "../platform/database/cells.ts";
import type { Database } from "../platform/database/database.ts";
import { rememberOf } from "../platform/remember.ts";
import type { HoldReason } from "../rails/answer.ts";
import { readHolds } from "./rail-hold-store.ts";

export interface RailHolds {
  /** Null for a rail that takes orders. */
  of(sandbox: string, port: string): Promise<HoldReason | null>;
  /** This process reads again at once, others when what they remember is too old. */
  forget(): void;
}

const rememberedForMs = 500;

/** Each cell's are read apart: one that is away troubles nobody but its own sandboxes. */
export function createRailHolds(db: Database): RailHolds {
  const readAgain = () =>
    rememberOf(rememberedForMs, async (cell: Database) => {
      const holds = await readHolds(cell);
      return new Map(holds.map(({ environmentId, port, reason }) => [`${environmentId} ${port}`, reason]));
    });
  let read = readAgain();
  return {
    of: async (sandbox, port) => (await read(cellFor(db, sandbox))).get(`${sandbox} ${port}`) ?? null,
    forget: () => {
      read = readAgain();
    },
  };
}
