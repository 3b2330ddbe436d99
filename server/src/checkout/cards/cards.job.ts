/** The tasks of cards: what a network still owes, what it is to forget, and what is due today. */
import { inEnvironment, readEnvironment } from "../../platform/database/database.ts";
import { schedule } from "../../platform/work/agenda.ts";
import type { TaskKind } from "../../platform/work/jobs.ts";
import { recordsById, type SweepSource } from "../../platform/work/sweeper.ts";
import { idleOrders } from "../../rails/orders.ts";
import { takeUpTask } from "../../rails/pursue-order.ts";
import { followTakenBack, returnLateMoney } from "./ask-about-charge.ts";
import { forgetToken, openToken } from "./card-store.ts";
import { type ChargeDependencies, pursueCharges } from "./charge-order.ts";
import { collect } from "./collect.ts";
import { type LinkDependencies, pursueLinks } from "./link-order.ts";
import { pursueCardRefunds } from "./refund-order.ts";
import { chargeTask, collectTask, lateMoneyTask, linkTask, refundTask, takeBackTask, unlinkTask } from "./tasks.ts";

export type CardTaskDependencies = LinkDependencies & ChargeDependencies;

export const cardTaskKinds = [
  linkTask,
  unlinkTask,
  chargeTask,
  lateMoneyTask,
  takeBackTask,
  refundTask,
  collectTask,
] as const;

export function cardTasks(deps: CardTaskDependencies): [string, TaskKind][] {
  const slow = (handle: (environmentId: string, id: string) => Promise<void>): TaskKind => ({
    pace: "slow",
    handle: ({ environmentId, subject }) => handle(environmentId, subject),
  });
  return [
    [linkTask, takeUpTask(pursueLinks(deps))],
    [unlinkTask, slow((environmentId, id) => unlink(deps, environmentId, id))],
    [chargeTask, takeUpTask(pursueCharges(deps))],
    [lateMoneyTask, slow((environmentId, id) => returnLateMoney(deps, { environmentId, id }))],
    [takeBackTask, slow((environmentId, id) => followTakenBack(deps, { environmentId, id }))],
    [refundTask, takeUpTask(pursueCardRefunds(deps))],
    [collectTask, slow((environmentId, loanId) => collect(deps, environmentId, loanId))],
  ];
}

const unlinkAgainMs = 15 * 60_000;

/** Has the network forget a removed card; a second time changes nothing there. */
async function unlink(deps: CardTaskDependencies, environmentId: string, id: string): Promise<void> {
  const { db, sealer, rails } = deps;
  const found = await readEnvironment(db, environmentId, async (tx) => ({
    card: await openToken(tx, sealer, id, { removed: true }),
    kind: tx.environment.kind,
  }));
  if (found.card === undefined) return;
  const { token, connectionId } = found.card;
  const rail = await rails.card.bound({ environmentId, kind: found.kind }, connectionId);
  const { outcome } = await rail.unlink({ environmentId, token });
  await inEnvironment(db, environmentId, async (tx) => {
    if (outcome === "unlinked") return forgetToken(tx, id);
    const dueAt = tx.environment.clock.after(unlinkAgainMs);
    await schedule(tx, [{ kind: unlinkTask, subject: id, dueAt }]);
  });
}

export const cardSweepSources: readonly SweepSource[] = [
  idleOrders("card_link", "sent", linkTask),
  workOf("removed cards that a network is to forget", unlinkTask, "unlink"),
  idleOrders("card_charge", "sent", chargeTask),
  workOf("card collections", collectTask, "collection"),
  idleOrders("card_refund", "sent", refundTask),
];

function workOf(name: string, kind: string, wanted: string): SweepSource {
  return recordsById({ name, kind }, "find_card_work", wanted);
}
