/**
 * One batch, one transaction:
 *
 *   claim Idempotency-Keys ──▶ plan ──▶ post ──▶ withdraw the unpaid ──▶ write ──▶ keep replies ──▶ number events
 *
 * Everybody takes locks in this order (keys, references, records, accounts by id, list counters, the events' counter
 * last), so two batches never wait for each other in a circle.
 */

import type { Tx } from "../platform/database/database.ts";
import { commonProblem, type Problem } from "../platform/problem.ts";
import {
  claimIdempotencyKeys,
  type IdempotentRequest,
  type KeptReply,
  keepReplies,
  releaseIdempotencyKeys,
} from "../platform/records/idempotency.ts";
import { gatherEvents } from "../platform/records/outbox.ts";
import type { Sealer } from "../platform/secrets/crypto.ts";
import type { CommandKind } from "./command.ts";
import { insufficientFunds } from "./insufficient-funds.ts";
import { type Posting, postBatch } from "./post.ts";

export type AnyKind = CommandKind<unknown, unknown, unknown>;

export interface Keep extends IdempotentRequest {
  /** Makes the reply before COMMIT, so that it can be kept; null when this outcome is not one to keep. */
  present(output: unknown): KeptReply | null;
}

export interface Command {
  readonly kind: AnyKind;
  readonly input: unknown;
  /** Present when the caller sent an Idempotency-Key. */
  readonly keep: Keep | null;
}

export type Outcome =
  | { readonly is: "done"; readonly output: unknown }
  | { readonly is: "replayed"; readonly reply: KeptReply }
  | { readonly is: "refused"; readonly problem: Problem }
  /** The same key stands earlier in this batch: the command runs again and finds that one's reply. */
  | { readonly is: "again" };

export interface BatchNeeds {
  readonly sealer: Sealer;
}

interface Planned {
  readonly place: number;
  /** The command's own posting first, then what is posted with it. */
  readonly postings: readonly [Posting, ...Posting[]];
  readonly record: unknown;
}

export function commitBatch(tx: Tx, { sealer }: BatchNeeds, batch: readonly Command[]): Promise<readonly Outcome[]> {
  return gatherEvents(tx, () => carryOut(tx, sealer, batch));
}

async function carryOut(tx: Tx, sealer: Sealer, batch: readonly Command[]): Promise<readonly Outcome[]> {
  const outcomes = new Map<number, Outcome>();
  await claimKeys(tx, sealer, batch, outcomes);
  const planned = await planAll(tx, batch, outcomes);
  const unpaid = await postAll(tx, planned);
  await withdrawUnpaid(
    tx,
    batch,
    planned.filter((entry) => unpaid.has(entry)),
    outcomes,
  );
  await writePaid(
    tx,
    batch,
    planned.filter((entry) => !unpaid.has(entry)),
    outcomes,
  );
  await keepOrRelease(tx, sealer, batch, outcomes);
  return batch.map((command, place) => {
    const outcome = outcomes.get(place);
    if (outcome === undefined) throw new Error(`${command.kind.name} left a command without an outcome`);
    return outcome;
  });
}

async function claimKeys(tx: Tx, sealer: Sealer, batch: readonly Command[], outcomes: Map<number, Outcome>) {
  const claims = batch.flatMap((command, place) => (command.keep === null ? [] : [{ place, keep: command.keep }]));
  if (claims.length === 0) return;
  const answers = await claimIdempotencyKeys(
    tx,
    sealer,
    claims.map((claim) => claim.keep),
  );
  for (const [index, { place }] of claims.entries()) {
    const answer = answers[index];
    if (answer?.kind === "kept") outcomes.set(place, { is: "replayed", reply: answer.reply });
    else if (answer?.kind === "conflict") outcomes.set(place, refusal(commonProblem("idempotency_key_conflict")));
    else if (answer?.kind === "twin") outcomes.set(place, { is: "again" });
  }
}

async function planAll(tx: Tx, batch: readonly Command[], outcomes: Map<number, Outcome>): Promise<Planned[]> {
  const open = batch.keys().filter((place) => !outcomes.has(place));
  const planned: Planned[] = [];
  for (const [kind, places] of groupByKind(batch, open)) {
    const plans = await kind.plan(
      tx,
      places.map((place) => batch[place]?.input),
    );
    for (const [index, place] of places.entries()) {
      const plan = plans[index];
      if (plan === undefined) throw new Error(`${kind.name} planned too few commands`);
      if (plan.next === "post") {
        planned.push({ place, postings: [plan.posting, ...(plan.also ?? [])], record: plan.record });
      } else outcomes.set(place, plan.next === "answer" ? { is: "done", output: plan.output } : refusal(plan.problem));
    }
  }
  return planned;
}

/** Posts everything in one statement and returns the commands that lacked funds. */
async function postAll(tx: Tx, planned: readonly Planned[]): Promise<ReadonlySet<Planned>> {
  const owners = planned.flatMap((entry) => entry.postings.map((posting) => ({ entry, posting })));
  const refused = await postBatch(
    tx,
    owners.map(({ posting }) => posting),
  );
  const unpaid = new Set<Planned>();
  for (const place of refused) {
    const owner = owners[place];
    if (owner === undefined) continue;
    // A half of what belongs together would be posted; the whole batch is taken back instead.
    if (owner.entry.postings.length > 1) throw new Error(`${owner.posting.kind} lacked funds and may not`);
    unpaid.add(owner.entry);
  }
  return unpaid;
}

async function withdrawUnpaid(
  tx: Tx,
  batch: readonly Command[],
  unpaid: readonly Planned[],
  outcomes: Map<number, Outcome>,
): Promise<void> {
  for (const [kind, entries] of plannedByKind(batch, unpaid)) {
    await kind.withdraw?.(
      tx,
      entries.map(({ record }) => record),
    );
  }
  if (unpaid.length === 0) return;
  const problems = await insufficientFunds(
    tx,
    unpaid.map(({ postings }) => ({ wanted: postings })),
  );
  for (const [index, problem] of problems.entries()) outcomes.set(unpaid[index]?.place ?? -1, refusal(problem));
}

async function writePaid(
  tx: Tx,
  batch: readonly Command[],
  paid: readonly Planned[],
  outcomes: Map<number, Outcome>,
): Promise<void> {
  for (const [kind, entries] of plannedByKind(batch, paid)) {
    const outputs = await kind.write(
      tx,
      entries.map(({ record }) => record),
    );
    for (const [index, { place }] of entries.entries()) outcomes.set(place, { is: "done", output: outputs[index] });
  }
}

/** Keeps what succeeded under its key; a refusal leaves the key free for another try. */
async function keepOrRelease(tx: Tx, sealer: Sealer, batch: readonly Command[], outcomes: Map<number, Outcome>) {
  const kept: { key: string; reply: KeptReply }[] = [];
  const released: string[] = [];
  for (const [place, { keep }] of batch.entries()) {
    const outcome = outcomes.get(place);
    if (keep === null || outcome === undefined || outcome.is === "replayed" || outcome.is === "again") continue;
    const reply = outcome.is === "done" ? keep.present(outcome.output) : null;
    if (reply === null) released.push(keep.key);
    else kept.push({ key: keep.key, reply });
  }
  if (kept.length > 0) await keepReplies(tx, sealer, kept);
  await releaseIdempotencyKeys(tx, released);
}

function refusal(problem: Problem): Outcome {
  return { is: "refused", problem };
}

function plannedByKind(batch: readonly Command[], planned: readonly Planned[]): [AnyKind, Planned[]][] {
  const byPlace = new Map(planned.map((entry) => [entry.place, entry]));
  return groupByKind(batch, byPlace.keys()).map(([kind, places]) => [
    kind,
    places.flatMap((place) => byPlace.get(place) ?? []),
  ]);
}

function groupByKind(batch: readonly Command[], places: Iterable<number>): [AnyKind, number[]][] {
  const groups = new Map<AnyKind, number[]>();
  for (const place of places) {
    const kind = batch[place]?.kind;
    if (kind === undefined) continue;
    const group = groups.get(kind);
    if (group === undefined) groups.set(kind, [place]);
    else group.push(place);
  }
  return [...groups].sort(([left], [right]) => (left.name < right.name ? -1 : 1));
}
