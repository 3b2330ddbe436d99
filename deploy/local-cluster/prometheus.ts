/** What Prometheus thought of a drill. */
import type { Layout } from "./layout.ts";

interface Answer {
  readonly data?: { readonly result?: readonly { readonly metric: Readonly<Record<string, string>> }[] };
}

/** The alerts that were pending or firing within the last seconds, such as "JaraDown (pending)". */
export async function alertsWithin({ ports }: Layout, seconds: number): Promise<string[]> {
  const query = `max by (alertname, alertstate) (max_over_time(ALERTS[${Math.max(5, Math.ceil(seconds))}s]))`;
  const url = `http://127.0.0.1:${ports.prometheus}/api/v1/query?query=${encodeURIComponent(query)}`;
  const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
  const { data } = (await response.json()) as Answer;
  return (data?.result ?? []).map(({ metric }) => `${metric["alertname"]} (${metric["alertstate"]})`).sort();
}
