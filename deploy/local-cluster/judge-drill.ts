/** After a drill: what the merchant was told, our records, the bank's books, the events and the ledger, compared. */
import { setTimeout as pause } from "node:timers/promises";
import { createDiary } from "../../tests/crash/diary.ts";
import { judge, untilFinal } from "../../tests/crash/judge.ts";
import { runProgram } from "../../tests/crash/verify.ts";
import { jaraHomeOf, type Layout, ownerUrl, serverUrl } from "./layout.ts";
import type { Load } from "./load.ts";
import { asOwner, type Merchant } from "./merchant.ts";

const patienceMs = 180_000;

export interface DrillVerdict {
  readonly contradictions: readonly string[];
  /** Payouts by outcome. */
  readonly counts: Readonly<Record<string, number>>;
}

export async function judgeDrill(layout: Layout, merchant: Merchant, load: Load): Promise<DrillVerdict> {
  const url = ownerUrl(layout);
  const { environmentId, funded } = merchant;
  const open = await untilFinal(url, environmentId, patienceMs);
  const verdict = await judge({ ownerUrl: url, environmentId, funded, client: load, diary: createDiary() });
  const contradictions = [
    ...(open === 0 ? [] : [`${open} payouts never became final`]),
    ...verdict.contradictions,
    ...(await judgeWebhooks(layout, merchant)),
    ...(await verifyLedger(layout)),
  ];
  return { contradictions, counts: verdict.counts };
}

/** Every event was delivered, and whenever it came again it was the same, byte for byte. */
async function judgeWebhooks(layout: Layout, { environmentId, receiver }: Merchant): Promise<string[]> {
  const rows = await asOwner<{ id: string }>(layout, "select id::text from events where environment_id = $1", [
    environmentId,
  ]);
  const missing = () => rows.filter(({ id }) => !receiver.heard.has(id));
  const deadline = performance.now() + patienceMs;
  while (missing().length > 0 && performance.now() < deadline) await pause(200);
  const changed = [...receiver.heard].filter(([, bodies]) => bodies.size > 1);
  return [
    ...missing().map(({ id }) => `event ${id} was never delivered`),
    ...changed.map(([id, bodies]) => `event ${id} was delivered with ${bodies.size} different bodies`),
  ];
}

/** `npm run verify`, by the direct address. */
async function verifyLedger(layout: Layout): Promise<string[]> {
  const settings = {
    JARA_HOME: jaraHomeOf(layout),
    DATABASE_URL: serverUrl(layout, layout.ports.writer),
    DATABASE_OWNER_URL: ownerUrl(layout),
  };
  try {
    await runProgram("verify-ledger.ts", settings);
    return [];
  } catch (error) {
    return [`npm run verify: ${error instanceof Error ? error.message : error}`];
  }
}
