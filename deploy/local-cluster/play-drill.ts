/** One drill from its first payout to its verdict. */
import { type Drill, seconds } from "./drills.ts";
import { judgeDrill } from "./judge-drill.ts";
import { frontUrl } from "./layout.ts";
import { startLoad } from "./load.ts";
import { openMerchant } from "./merchant.ts";
import { alertsWithin } from "./prometheus.ts";
import { type Cluster, isComplete, until } from "./start-cluster.ts";

export interface Played {
  readonly drill: Drill;
  readonly requests: number;
  readonly acknowledged: number;
  readonly failures: ReadonlyMap<string, number>;
  readonly longestGapSeconds: number;
  readonly remarks: readonly string[];
  /** What is wrong, in words; nothing is the only good answer. */
  readonly contradictions: readonly string[];
}

export interface PlayOptions {
  readonly short: boolean;
  readonly perSecond: number;
}

const warmUp = 50;

export async function playDrill(cluster: Cluster, drill: Drill, options: PlayOptions): Promise<Played> {
  const { layout } = cluster;
  await until("the whole cluster", () => isComplete(layout), layout.folder, "haproxy");
  const merchant = await openMerchant(layout, `${drill.name}-${process.pid}-${Date.now()}`);
  const remarks: string[] = [];
  const began = performance.now();
  const load = startLoad({ baseUrl: frontUrl(layout), key: merchant.key, perSecond: options.perSecond });
  try {
    await load.untilAcknowledged(warmUp);
    const scene = { cluster, load, short: options.short, remark: (words: string) => void remarks.push(words) };
    await drill.play(scene);
    await load.untilAcknowledged(load.acknowledged.size + warmUp);
  } finally {
    await load.stop();
  }
  const alerts = await alertsWithin(layout, (performance.now() - began) / 1_000);
  if (alerts.length > 0) remarks.push(`Prometheus saw ${alerts.join(", ")}`);
  const { contradictions } = await judgeDrill(layout, merchant, load);
  merchant.receiver.close();
  const played = {
    drill,
    requests: load.requests,
    acknowledged: load.acknowledged.size,
    failures: load.failures,
    longestGapSeconds: seconds(load.longestGapMs()),
    remarks,
  };
  return { ...played, contradictions: [...contradictions, ...brokenPromises(played)] };
}

/** What the drill promises beside the books. While a database is away, 503 is the one honest reply. */
export function brokenPromises({ drill, failures, longestGapSeconds }: Omit<Played, "contradictions">): string[] {
  const failed = [...failures.values()].reduce((sum, count) => sum + count, 0);
  const dishonest = [...failures].filter(([what]) => !what.startsWith("503 "));
  return [
    ...(drill.mostFailures !== undefined && failed > drill.mostFailures
      ? [`${failed} requests failed; ${drill.mostFailures} may`]
      : []),
    ...dishonest.map(([what, count]) => `${count} times ${what}, which is not 503`),
    ...(longestGapSeconds > drill.longestGapSeconds
      ? [`nothing was acknowledged for ${longestGapSeconds} s; ${drill.longestGapSeconds} s may pass`]
      : []),
  ];
}
