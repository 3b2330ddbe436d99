/**
 * Whether the process in this container lives: a server by /healthz, a worker by its metrics where it has a port for
 * them. A worker without one is well for as long as it runs, and the container ends with it.
 */
const { JARA_ROLE = "all", PORT = "4000", JARA_METRICS_PORT, JARA_METRICS_TOKEN } = process.env;
const isWorker = JARA_ROLE === "worker";
const address = isWorker ? `${JARA_METRICS_PORT}/metrics` : `${PORT}/healthz`;

if (!isWorker || JARA_METRICS_PORT !== undefined) {
  const headers = JARA_METRICS_TOKEN === undefined ? {} : { authorization: `Bearer ${JARA_METRICS_TOKEN}` };
  const { ok } = await fetch(`http://127.0.0.1:${address}`, { headers, signal: AbortSignal.timeout(4_000) });
  process.exitCode = ok ? 0 : 1;
}
