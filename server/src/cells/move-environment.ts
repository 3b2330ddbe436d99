/**
 * Moves an environment from one cell to another. Its states, in each database:
 *
 *     source   open ──▶ draining ──▶ leaving (readers only) ──▶ gone
 *     target            (rows come, in one transaction) arriving ──────────▶ open
 *     home                                                        cell = target
 *                                                     1     2        3       4
 *
 * At each number one database commits, in this order, so the environment is never open in two places. The mover may be
 * killed anywhere: whoever runs it again goes on from what the databases say. Until 2 the move can be called off.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import {
  closeToWriters,
  connectMover,
  findTie,
  forgetMove,
  moveState,
  noteCell,
  noteMove,
  readStanding,
  reopen,
  type Standing,
  stopWork,
  switchCell,
  takeMoveLock,
  waitForOlder,
  waitForOrders,
} from "./closed-store.ts";
import { type Copied, copyEnvironment, removeEnvironment } from "./copy-environment-store.ts";
import { lookEveryMs } from "./follow-cells.ts";
import { mirrorSharedRows } from "./shared-rows-store.ts";

/** The first database, which knows where every environment lives. */
export const homeCell = "home";

/** A cell and its owner's address. */
export type CellAddresses = ReadonlyMap<string, string>;

export interface MoveOptions {
  /** With home among them. */
  readonly cells: CellAddresses;
  /** Cells that are known and cannot be reached now. */
  readonly away?: readonly string[];
  readonly environmentId: string;
  /** How long orders that are with a rail may take to come back. What does not is asked about at the new place. */
  readonly drainMs?: number;
  /** How long older transactions may take to end. */
  readonly patienceMs?: number;
  /** Told what has just been done, for people; what it throws stops the move there. */
  onStep?(step: MoveStep): void | Promise<void>;
}

export interface MoveTo extends MoveOptions {
  readonly to: string;
  /** Verifies the books of what arrived; the sentences say what differs. */
  verify(cell: string, environmentId: string): Promise<readonly string[]>;
}

export type MoveStep =
  | "noted"
  | "closed"
  | "drained"
  | "copied"
  | "verified"
  | "gone"
  | "switched"
  | "opened"
  | "removed";

export interface Moved extends Copied {
  /** How long nobody could write. */
  readonly closedMs: number;
}

interface Move {
  readonly options: MoveOptions;
  readonly from: string;
  readonly to: string;
  readonly home: pg.Client;
  readonly source: pg.Client;
  readonly target: pg.Client;
}

const usualPatienceMs = 30_000;
const usualDrainMs = 10_000;

/** Undefined when the environment lived there already. */
export function moveEnvironment(options: MoveTo): Promise<Moved | undefined> {
  const { environmentId, to } = options;
  return atHome(options, async (home, standing) => {
    const from = standing.cell ?? homeCell;
    if (standing.movingTo !== null && standing.movingTo !== to) {
      throw new Error(`it is on its way to ${standing.movingTo}: finish that move first, or cancel it`);
    }
    if (from === to) return finishArrival(options, home);
    return between(options, { home, from, to }, async (move) => {
      const { closed } = (await readStanding(move.source, environmentId)) ?? { closed: null };
      if (closed === "gone") return { ...(await crossOver(move)), tables: 0, rows: 0, closedMs: 0 };
      return carry(move, options);
    });
  });
}

const crossed = "it has crossed over already: run the move again to finish it";

/** Calls a move off that has not crossed over: the environment is open where it was. */
export function cancelMove(options: MoveOptions): Promise<void> {
  return atHome(options, async (home, { cell, movingTo }) => {
    if (movingTo === null) throw new Error("it is not being moved");
    if ((cell ?? homeCell) === movingTo) throw new Error(crossed);
    await between(options, { home, from: cell ?? homeCell, to: movingTo }, async (move) => {
      const standing = await readStanding(move.source, options.environmentId);
      if (standing?.closed === "gone") throw new Error(crossed);
      await reopen(move.source, options.environmentId);
      await forgetMove(home, options.environmentId);
    });
  });
}

async function atHome<T>(options: MoveOptions, work: (home: pg.Client, standing: Standing) => Promise<T>): Promise<T> {
  const { environmentId } = options;
  const home = await connectMover(addressOf(options, homeCell));
  try {
    if (!(await takeMoveLock(home, environmentId))) throw new Error("another run of the mover is at work on it");
    const standing = await readStanding(home, environmentId);
    if (standing === undefined) throw new Error("no environment has this id");
    return await work(home, standing);
  } finally {
    await home.end();
  }
}

async function between<T>(
  options: MoveOptions,
  { home, from, to }: Pick<Move, "home" | "from" | "to">,
  work: (move: Move) => Promise<T>,
): Promise<T> {
  const [sourceUrl, targetUrl] = [addressOf(options, from), addressOf(options, to)];
  const source = await connectMover(sourceUrl);
  const target = await connectMover(targetUrl).catch(async (error: unknown) => {
    await source.end();
    throw error;
  });
  try {
    return await work({ options, from, to, home, source, target });
  } finally {
    await Promise.all([source.end(), target.end()]);
  }
}

function addressOf({ cells, away = [] }: MoveOptions, name: string): string {
  const address = cells.get(name);
  if (address !== undefined) return address;
  if (away.includes(name)) throw new Error(`the cell ${name} cannot be reached`);
  throw new Error(`no cell is called ${name}; there are ${[...cells.keys()].join(", ")}`);
}

async function carry(move: Move, { verify }: MoveTo): Promise<Moved> {
  const { options, home, source, to } = move;
  const { environmentId, patienceMs = usualPatienceMs, drainMs = usualDrainMs, onStep } = options;
  await refuseTied(move);
  await refuseOpenTarget(move);
  await mirrorSharedRows(home, move.target);
  await noteMove(home, environmentId, to);
  await onStep?.("noted");
  const run = randomUUID();
  await stopWork(source, environmentId);
  await waitForOrders(source, environmentId, drainMs);
  const began = performance.now();
  await closeToWriters(source, environmentId, run);
  try {
    await onStep?.("closed");
    await waitForOlder(source, patienceMs);
    // It may have begun to lend since the first look, when others could still write.
    await refuseTied(move);
    await onStep?.("drained");
    const copied = await copyAcross(move);
    await onStep?.("copied");
    const wrong = await verify(to, environmentId);
    if (wrong.length > 0) throw new Error(`the books of what arrived are wrong: ${wrong.slice(0, 5).join("; ")}`);
    await onStep?.("verified");
    await moveState(source, environmentId, { from: "leaving", to: "gone", run });
    await onStep?.("gone");
    return { ...copied, ...(await crossOver(move, began)) };
  } catch (error) {
    await giveBack(move, run);
    throw error;
  }
}

/** What failed leaves the environment as it was, if this run still has it and nothing has crossed over. */
async function giveBack({ home, source, options: { environmentId } }: Move, run: string): Promise<void> {
  await reopen(source, environmentId, run)
    .then((opened) => (opened ? forgetMove(home, environmentId) : undefined))
    .catch(() => undefined);
}

async function refuseTied({ source, to, options: { environmentId } }: Move): Promise<void> {
  const tie = to === homeCell ? undefined : await findTie(source, environmentId);
  if (tie !== undefined) throw new Error(`the environment cannot leave home: ${tie}`);
}

async function refuseOpenTarget({ target, to, options: { environmentId } }: Move): Promise<void> {
  const there = await readStanding(target, environmentId);
  if (there !== undefined && there.closed === null) throw new Error(`it is open in ${to} already, which must not be`);
}

async function copyAcross({ home, source, target, to, options: { environmentId } }: Move): Promise<Copied> {
  await source.query("begin transaction isolation level repeatable read read only");
  await target.query("begin");
  try {
    // What an earlier run brought, or what was left when the environment moved away from here.
    await removeEnvironment(target, environmentId);
    const copied = await copyEnvironment({ home, source, target }, environmentId);
    if (to !== homeCell) await noteCell(target, environmentId, to);
    await target.query("commit");
    await source.query("commit");
    return copied;
  } catch (error) {
    await Promise.all([target, source].map((client) => client.query("rollback").catch(() => undefined)));
    throw error;
  }
}

/** From here on there is no way back: the source is gone, and all that is left is to say so and open the door. */
async function crossOver(
  { options, home, source, target, to }: Move,
  began = performance.now(),
): Promise<{ readonly closedMs: number }> {
  const { environmentId, onStep } = options;
  await switchCell(home, environmentId, to === homeCell ? null : to);
  await onStep?.("switched");
  // A server that does not know yet would look for the environment, and for the books of its rails, at the old place.
  await pause(lookEveryMs * 2);
  await moveState(target, environmentId, { from: "arriving", to: null });
  const closedMs = Math.round(performance.now() - began);
  await onStep?.("opened");
  await sweepUp(source, environmentId);
  await forgetMove(home, environmentId);
  await onStep?.("removed");
  return { closedMs };
}

/** A run that was killed after home had switched: the door is opened, and what was left behind is removed. */
async function finishArrival(options: MoveTo, home: pg.Client): Promise<undefined> {
  const { cells, away = [], environmentId, to } = options;
  const target = await connectMover(addressOf(options, to));
  try {
    const standing = await readStanding(target, environmentId);
    if (standing?.closed === "arriving") await moveState(target, environmentId, { from: "arriving", to: null });
    if (to !== homeCell) await noteCell(target, environmentId, to);
  } finally {
    await target.end();
  }
  for (const [name, address] of cells) if (name !== to) await sweepPlace(address, environmentId);
  // It may have come from a cell that is away: then its rows are there still, and the move is not over.
  if (away.length === 0) await forgetMove(home, environmentId);
}

async function sweepPlace(address: string, environmentId: string): Promise<void> {
  const client = await connectMover(address);
  try {
    const standing = await readStanding(client, environmentId);
    if (standing?.closed === "gone") await sweepUp(client, environmentId);
  } finally {
    await client.end();
  }
}

async function sweepUp(source: pg.ClientBase, environmentId: string): Promise<void> {
  await source.query("begin");
  try {
    await removeEnvironment(source, environmentId);
    await source.query("commit");
  } catch (error) {
    await source.query("rollback").catch(() => undefined);
    throw error;
  }
}
