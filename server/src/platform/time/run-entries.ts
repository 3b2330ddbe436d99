/**
 * Runs entries that are due at one moment, each alone or several as one. That changes only the speed: whatever such an
 * entry books comes after them anyway, and each draws its ids from its own stream.
 *
 * Tasks that ask strangers do so one after another, as if each were alone. What can share a transaction (tasks that ask
 * nobody, and those that heard nothing new) is written together, before the next task that has more to do.
 */
import { setTimeout as pause, setImmediate as turnOfLoop } from "node:timers/promises";
import { uuidv7 } from "uuidv7";
import { becauseOf, type OpenCause, openCause } from "../database/cause.ts";
import { besideEnvironment, drawingFrom, inEnvironment, readEnvironment, type Tx } from "../database/database.ts";
import type { LookedUp, Task, TaskKind } from "../work/jobs.ts";
import { type DueEntry, type Progress, type Run, type RunnerOptions, step, streamOf, taskOf } from "./agenda-step.ts";

/** Where a run of the agenda stands. */
export interface Place {
  readonly options: RunnerOptions;
  readonly run: Run;
  readonly progress: Progress;
}

/** An entry with what does it and what it draws from. */
interface Part {
  readonly entry: DueEntry;
  readonly task: Task;
  readonly kind: TaskKind;
  readonly cause: OpenCause;
}

type Looked = ReadonlyMap<string, LookedUp>;

const attempts = 3;
/** Planning many tasks at a stretch would let everybody's replies wait. */
const longestStretchMs = 2;

/** Runs the first of them, or more. Returns what is due next. */
export async function runEntries(place: Place, due: readonly DueEntry[]): Promise<readonly DueEntry[]> {
  const parts = alike(due.map((entry) => partOf(place, entry)));
  const looked = await lookUpAll(place, parts);
  if (looked === undefined) return runEach(place, parts);
  let next = due;
  let quiet: Part[] = [];
  const writeQuiet = async (): Promise<void> => {
    const written = quiet;
    quiet = [];
    if (written.length > 0) next = await writeTogether(place, written, looked).catch(() => runEach(place, written));
  };
  for (const part of parts) {
    place.run.lock.assertHeld();
    const rest = await takeUp(part, looked);
    if (rest === undefined) {
      quiet.push(part);
      continue;
    }
    await writeQuiet();
    next = await runAlone(place, part, rest);
  }
  await writeQuiet();
  return next;
}

function partOf({ options, run }: Place, entry: DueEntry): Part {
  const kind = options.kinds.get(entry.kind) ?? { handle: () => refuseUnknown(entry) };
  return { entry, kind, task: taskOf(run.environmentId, entry), cause: openCause(streamOf(entry)) };
}

function refuseUnknown({ kind }: DueEntry): never {
  throw new Error(`no handler is registered for tasks of kind ${kind}`);
}

/** Those at the front that stand in the same order of writes. */
function alike(parts: readonly Part[]): readonly Part[] {
  const [first] = parts;
  const other = parts.findIndex(({ kind }) => kind.takesNoPlace !== first?.kind.takesNoPlace);
  return other === -1 ? parts : parts.slice(0, other);
}

/** What the kinds that ask strangers know of their tasks before they ask; undefined when it could not be read. */
async function lookUpAll({ options, run }: Place, parts: readonly Part[]): Promise<Looked | undefined> {
  const asking = Map.groupBy(
    parts.filter(({ kind }) => kind.lookUp !== undefined),
    ({ entry }) => entry.kind,
  );
  const looked = new Map<string, LookedUp>();
  if (asking.size === 0) return looked;
  const read = async (tx: Tx): Promise<void> => {
    for (const [name, its] of asking) {
      const tasks = its.map(({ task }) => task);
      const found = await its[0]?.kind.lookUp?.(tx, tasks);
      if (found !== undefined) looked.set(name, found);
    }
  };
  try {
    await becauseOf(streamOf(parts[0]?.entry), () => readEnvironment(options.db, run.environmentId, read));
    return looked;
  } catch {
    return undefined;
  }
}

/** Asks, where the task's kind does. Returns what is left to do for this task alone. */
async function takeUp({ entry, task, kind, cause }: Part, looked: Looked): Promise<(() => Promise<void>) | undefined> {
  if (kind.handleTogether !== undefined) return undefined;
  const found = looked.get(entry.kind);
  if (found === undefined) return () => cause.run(() => kind.handle(task));
  try {
    const rest = await cause.run(() => found.ask(task));
    return rest && (() => cause.run(rest));
  } catch (error) {
    return () => Promise.reject(error);
  }
}

/** The tasks, the removal of their entries and the look at what comes next are one transaction. */
async function writeTogether(place: Place, parts: readonly Part[], looked: Looked): Promise<readonly DueEntry[]> {
  const { options, run, progress } = place;
  const entries = parts.map(({ entry }) => entry);
  const letOthersIn = createStretch();
  const streams = new Map(parts.map((part) => [part, part.cause.nextPart()]));
  const shared = (tx: Tx, part: Part) => {
    const clock = tx.environment.clock.drawingFrom(streams.get(part) ?? "");
    const within = async <T>(work: () => Promise<T>): Promise<T> => {
      await letOthersIn();
      return drawingFrom(tx, clock, work);
    };
    return { ...part.task, within };
  };
  let tries = 0;
  const enter = parts[0]?.kind.takesNoPlace === true ? besideEnvironment : inEnvironment;
  const next = await becauseOf(`${streamOf(entries[0])}/together`, () =>
    enter(options.db, run.environmentId, async (tx) => {
      tries += 1;
      // What was remembered of a try that was rolled back never happened.
      if (tries > 1) progress.name = {};
      for (const { kind, name, its } of inRuns(parts)) {
        const handle: TaskKind["handleTogether"] = kind.handleTogether ?? looked.get(name)?.handleTogether;
        await handle?.(
          tx,
          its.map((part) => shared(tx, part)),
          progress.name,
        );
      }
      return step(tx, options, run, entries, progress);
    }),
  );
  progress.ran += entries.length;
  return next;
}

/** Neighbours of the same kind. */
function inRuns(parts: readonly Part[]): { readonly kind: TaskKind; readonly name: string; readonly its: Part[] }[] {
  const runs: { kind: TaskKind; name: string; its: Part[] }[] = [];
  for (const part of parts) {
    const last = runs.at(-1);
    if (last?.name === part.entry.kind) last.its.push(part);
    else runs.push({ kind: part.kind, name: part.entry.kind, its: [part] });
  }
  return runs;
}

/** Nothing was written. One by one it shows whose fault it was; what was drawn already is not drawn again. */
async function runEach(place: Place, parts: readonly Part[]): Promise<readonly DueEntry[]> {
  place.progress.name = {};
  let next: readonly DueEntry[] = [];
  for (const part of parts) {
    place.run.lock.assertHeld();
    next = await runAlone(place, part, () => part.cause.run(() => part.kind.handle(part.task)));
  }
  return next;
}

async function runAlone(place: Place, part: Part, first: () => Promise<void>): Promise<readonly DueEntry[]> {
  const { options, run, progress } = place;
  const { entry } = part;
  const done: DueEntry[] = [];
  try {
    await tryAgain(part, first);
    done.push(entry);
    progress.ran += 1;
  } catch (error) {
    run.onFailure(entry, error);
    progress.skipped.push(entry.id);
  }
  return step(options.db, options, run, done, progress);
}

async function tryAgain({ task, kind }: Part, first: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      // A part of an earlier try may be committed: another one must not draw the same ids again.
      return await (attempt === 1 ? first() : becauseOf(uuidv7(), () => kind.handle(task)));
    } catch (error) {
      if (attempt >= attempts) throw error;
      await pause(attempt * 50);
    }
  }
}

/** Gives the event loop away whenever a stretch of work has been long enough. */
function createStretch(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < longestStretchMs) return;
    await turnOfLoop();
    began = performance.now();
  };
}
