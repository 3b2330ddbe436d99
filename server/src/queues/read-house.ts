/** What the page and the watch over incidents look at. */
import { type Move, readMoves } from "../cells/moves.ts";
import { awayCells } from "../platform/database/cells.ts";
import { type Database, operatorScope, timeIn } from "../platform/database/database.ts";
import { readAllQueues } from "./queue-store.ts";
import type { Seen, SeenConnection } from "./status.ts";

export interface HouseDependencies {
  readonly db: Database;
  readonly connections: {
    list(): Promise<readonly SeenConnection[]>;
    readonly health: { of(id: string): { readonly state: string } };
  };
}

export interface House extends Omit<Seen, "incidents"> {
  readonly cells: {
    /** Those that cannot be reached. */
    readonly away: readonly string[];
    readonly moves: readonly Move[];
  };
}

export async function readHouse({ db, connections }: HouseDependencies): Promise<House> {
  const known = await connections.list();
  const [queues, now, moves] = await Promise.all([readAllQueues(db), timeIn(db, operatorScope), readMoves(db)]);
  return {
    connections: known,
    isAnswering: (id) => connections.health.of(id).state === "ok",
    queues,
    now,
    cells: { away: awayCells(db), moves },
  };
}
