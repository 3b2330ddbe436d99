/**
 * `npm run test:remote`: our adapters against the real providers, with test keys of an operator's own from
 * `JARA_REMOTE_…`. It reads, and places orders that test modes allow. Live keys are refused before anything is called,
 * and no key is ever printed.
 */
import { checksOf, type Result } from "./checks.ts";
import { findSubjects, type Subject } from "./subjects.ts";

const subjects = findSubjects(process.env);
const counts = { ok: 0, failed: 0, skipped: 0 };

function tell({ result, message }: Result, what: string, secrets: readonly string[] = []): void {
  counts[result] += 1;
  const masked = secrets.reduce((text, secret) => text.replaceAll(secret, "***"), message);
  console.log(`${result.padEnd(8)}${what}: ${masked}`);
}

async function play(subject: Subject & { is: "ready" }): Promise<void> {
  const { name, connected, secrets } = subject;
  for (const { name: check, run } of checksOf(connected, process.env)) {
    const result = await run().catch((error: unknown): Result => ({ result: "failed", message: String(error) }));
    tell(result, `${name}, ${check}`, secrets);
  }
  await connected.close?.();
}

const refused = subjects.filter((subject) => subject.is === "refused");
if (refused.length > 0) {
  for (const { name, why } of refused) console.error(`refused ${name}: ${why}`);
  console.error("Nothing was called. This command takes test keys only.");
  process.exit(1);
}
for (const subject of subjects) {
  if (subject.is === "ready") await play(subject);
  if (subject.is === "skipped") tell({ result: "skipped", message: subject.why }, subject.name);
}
const isIdle = counts.ok + counts.failed === 0;
console.log(`Remote tests: ${counts.ok} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
if (isIdle) console.log("Everything was skipped: nothing is proved. docs/rails.md says which keys to set.");
process.exit(counts.failed > 0 ? 1 : 0);
