/**
 * What Prometheus reads at /metrics. One registry an app, so that several apps in one process (tests) do not mix.
 */
import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** A figure that is read when somebody asks, such as the jobs that wait by queue. */
export interface GaugeSource {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  read(): Promise<readonly GaugeReading[]> | readonly GaugeReading[];
}

export interface GaugeReading {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Metrics {
  /** `route` is the pattern, never the path, so that ids do not become series. */
  observeRequest(method: string, route: string, status: number, seconds: number): void;
  render(): Promise<string>;
  readonly contentType: string;
}

export interface MetricsOptions {
  readonly sources?: readonly GaugeSource[];
  /** Memory, event loop and garbage collection of the process; on in a server, off in tests. */
  readonly processFigures?: boolean;
  /** A source that cannot be read is left out of the page and told here. */
  readonly onSourceError?: (name: string, error: unknown) => void;
}

interface PoolFigures {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

export function poolGauge(pool: PoolFigures): GaugeSource {
  return {
    name: "jara_database_connections",
    help: "Connections of the pool by state; waiting counts requests without one.",
    labelNames: ["state"],
    read: () => [
      { labels: { state: "busy" }, value: pool.totalCount - pool.idleCount },
      { labels: { state: "idle" }, value: pool.idleCount },
      { labels: { state: "waiting" }, value: pool.waitingCount },
    ],
  };
}

export function createMetrics(options: MetricsOptions = {}): Metrics {
  const registry = new Registry();
  if (options.processFigures === true) collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: "jara_http_request_duration_seconds",
    help: "Requests by method, route pattern and status, with the time to answer.",
    labelNames: ["method", "route", "status"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  for (const source of options.sources ?? []) addGauge(registry, source, options);
  return {
    observeRequest: (method, route, status, seconds) => durations.observe({ method, route, status }, seconds),
    render: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function addGauge(registry: Registry, source: GaugeSource, options: MetricsOptions): void {
  new Gauge({
    name: source.name,
    help: source.help,
    labelNames: [...source.labelNames],
    registers: [registry],
    async collect() {
      this.reset();
      // The library shows a figure without labels as 0 until it is known.
      if (source.labelNames.length === 0) this.remove();
      try {
        for (const reading of await source.read()) this.set(reading.labels, reading.value);
      } catch (error) {
        options.onSourceError?.(source.name, error);
      }
    },
  });
}
