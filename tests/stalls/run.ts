/**
 * Runs tests on a machine that stands still: again and again one of their processes, a few, or all of them are stopped
 * for a moment (SIGSTOP), as on a busy machine. A test that fails here and passes alone reads something once that comes
 * later, or has less patience than others. Takes vitest's arguments, tests to run among them:
 *
 *   npm run test:stalls -- tests/browser server/src/webhooks
 */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const root = join(import.meta.dirname, "..", "..");
const stallsMs = [200, 500, 1_000, 1_000, 2_000, 3_000];
/** How often everything stops at once. */
const wholeMachine = 0.3;

if (process.platform !== "linux") throw new Error("Processes are found by way of /proc, which only Linux has.");

const vitest = spawn(
  process.execPath,
  [join(root, "node_modules/vitest/vitest.mjs"), "run", ...process.argv.slice(2)],
  {
    cwd: root,
    stdio: "inherit",
  },
);
let stalls = 0;
vitest.on("exit", (code) => {
  console.log(`\n${stalls} times something stood still.`);
  process.exit(code ?? 1);
});
for (;;) {
  await pause(between(500, 3_000));
  const stopped = choose(descendants(vitest.pid ?? 0));
  for (const pid of stopped) tell(pid, "SIGSTOP");
  await pause(pick(stallsMs));
  for (const pid of stopped) tell(pid, "SIGCONT");
  stalls += 1;
}

/** Not vitest itself: it measures how long its workers take. */
function descendants(ancestor: number): number[] {
  const children = Map.groupBy(
    readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : [])),
    parentOf,
  );
  const found: number[] = [];
  for (let next = [ancestor]; next.length > 0; ) {
    next = next.flatMap((pid) => children.get(pid) ?? []);
    found.push(...next);
  }
  return found;
}

function parentOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    // It has ended in the meantime.
    return 0;
  }
}

function choose(pids: readonly number[]): readonly number[] {
  if (Math.random() < wholeMachine) return pids;
  const wanted = pick([1, 1, 2, 4]);
  return Array.from({ length: wanted }, () => pick(pids)).filter((pid) => pid !== undefined);
}

function tell(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended in the meantime.
  }
}

function between(least: number, most: number): number {
  return least + Math.random() * (most - least);
}

function pick<T>(from: readonly T[]): T {
  return from[Math.floor(Math.random() * from.length)] as T;
}
