/** Where the figures of a process are read, and those that no slice has. */

import type { Database } from "../platform/database/database.ts";
import { type MetricsAccess, startMetricsServer } from "../platform/http/metrics-route.ts";
import type { GaugeSource, Metrics } from "../platform/metrics.ts";
import { readJobCounts } from "../platform/work/jobs-counts.ts";
import type { Config } from "./config.ts";

export function jobGauge(db: Database): GaugeSource {
  return {
    name: "jara_jobs",
    help: "Jobs by kind and state; failed counts those given up within the last hour.",
    labelNames: ["kind", "state"],
    read: async () => {
      const counts = await readJobCounts(db);
      return counts.flatMap(({ kind, ...states }) =>
        Object.entries(states).map(([state, value]) => ({ labels: { kind, state }, value })),
      );
    },
  };
}

/** At the public address: a port of its own leaves nothing there, and in production it is closed without a token. */
export function metricsAccessOf({ metricsPort, metricsToken, production }: Config): MetricsAccess {
  if (metricsPort !== undefined) return { to: "nobody" };
  if (metricsToken !== undefined) return { to: "holder", token: metricsToken };
  return { to: production ? "nobody" : "loopback" };
}

export async function openMetricsPort(config: Config, metrics: Metrics, undo: (() => Promise<void>)[]): Promise<void> {
  const { host, metricsPort: port, metricsToken: token } = config;
  if (port === undefined) return;
  const access: MetricsAccess = token === undefined ? { to: "anybody" } : { to: "holder", token };
  try {
    undo.push(await startMetricsServer(metrics, access, { host, port }));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`Metrics cannot be served on ${host}:${port} (HOST and JARA_METRICS_PORT): ${reason}`, { cause });
  }
}
