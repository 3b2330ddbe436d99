/**
 * Which rail serves whom. A desk stands for one port: new work asks it for an open rail, and an order that was bound to
 * a connection finds it again, whatever the routes say by then.
 */
import type { EnvironmentKind, Tx } from "../platform/database/database.ts";
import { commonProblem, type ProblemCatalogue, problemsFrom } from "../platform/problem.ts";
import type { BillCategory } from "./biller.ts";
import type { Port, PortRails } from "./provider.ts";

export const railProblems = {
  rail_not_configured: {
    status: 503,
    cause: "This environment is not connected to a provider yet.",
    cure: "Ask the operator of this service.",
    retryAfter: true,
  },
} as const satisfies ProblemCatalogue;

const railProblem = problemsFrom(railProblems);

/** Whose work it is. */
export interface RailUser {
  readonly environmentId: string;
  readonly kind: EnvironmentKind;
}

export interface OpenRail<Rail> {
  /** What the order is to be bound to; null for the simulated rail. */
  readonly connectionId: string | null;
  readonly rail: Rail;
}

/** Nothing is connected; or everything that is connected is paused, held or unhealthy. */
export type NoRail = "not_connected" | "closed";

export interface Desk<Rail> {
  /** The rail for new work. */
  find(user: RailUser, category?: BillCategory): Promise<OpenRail<Rail> | NoRail>;
  /** The rail that an order is bound to. Paused and retired connections still answer for their orders. */
  bound(user: RailUser, connectionId: string | null): Promise<Rail>;
  /** The open rail of an environment that has no connections here: its orders need no choice. Null where they do. */
  plain(user: RailUser): Promise<Rail | null>;
}

/** The rail for new work. Throws `rail_not_configured` or `unavailable` where there is none. */
export async function openRail<Rail>(
  desk: Desk<Rail>,
  user: RailUser,
  category?: BillCategory,
): Promise<OpenRail<Rail>> {
  const found = await desk.find(user, category);
  if (found === "not_connected") throw notConnected();
  if (found === "closed") {
    const message = "The provider takes no orders at the moment. Nothing was done. Try again later.";
    throw commonProblem("unavailable", { message, headers: { "retry-after": "60" } });
  }
  return found;
}

/** For an order of our own, which can wait for a rail that is closed. Throws `rail_not_configured`. */
export async function expectRail<Rail>(desk: Desk<Rail>, user: RailUser): Promise<void> {
  if ((await desk.find(user)) === "not_connected") throw notConnected();
}

function notConnected() {
  return railProblem("rail_not_configured", { headers: { "retry-after": "3600" } });
}

export type Desks = { readonly [P in Port]: Desk<PortRails[P]> };

export type BankRails = Pick<Desks, "bank">;
export type BillerRails = Pick<Desks, "biller">;
export type CardRails = Pick<Desks, "card">;
export type MessageRails = Pick<Desks, "message">;
export type IdentityRails = Pick<Desks, "identity">;

export function railUser(tx: Tx): RailUser {
  return { environmentId: tx.environment.id, kind: tx.environment.kind };
}

/** A desk with one rail for each kind of environment, and no connections. */
export function deskOf<Rail>(rails: Readonly<Record<EnvironmentKind, Rail | null>>): Desk<Rail> {
  return {
    find: async ({ kind }) => {
      const rail = rails[kind];
      return rail === null ? "not_connected" : { connectionId: null, rail };
    },
    bound: async ({ kind }, connectionId) => {
      const rail = rails[kind];
      if (rail === null || connectionId !== null) throw new Error(`no rail is at hand for connection ${connectionId}`);
      return rail;
    },
    plain: async ({ kind }) => rails[kind],
  };
}
