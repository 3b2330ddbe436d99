/** What machines ask the process itself: is it alive, can it serve, how is it doing. */
import type { FastifyInstance } from "fastify";
import type { Metrics } from "../../metrics.ts";
import { sendPresented } from "../reply/replies.ts";
import { type MetricsAccess, registerMetrics } from "./metrics-route.ts";

/** Something that must work before the process can serve; throws when it does not. */
export interface ReadinessCheck {
  readonly name: string;
  check(): Promise<void>;
}

const forMachines = { config: { isUncounted: true } } as const;
/** A balancer that asks every second should not wait longer for a no. */
const patienceMs = 1_500;

export function registerServiceRoutes(
  app: FastifyInstance,
  checks: readonly ReadinessCheck[],
  metrics: Metrics,
  access: MetricsAccess,
): void {
  app.get("/healthz", forMachines, (_, reply) => sendPresented(reply, { status: 200, body: '{"status":"ok"}' }));

  app.get("/readyz", forMachines, async (request, reply) => {
    const results = await Promise.all(
      checks.map((check) => run(check, (error) => request.log.warn({ err: error, check: check.name }, "not ready"))),
    );
    const ready = !app.shutdown.begun && results.every(({ ok }) => ok);
    const outcome = Object.fromEntries(results.map(({ name, ok }) => [name, ok ? "ok" : "failing"]));
    const body = JSON.stringify({ status: ready ? "ready" : "not_ready", checks: outcome });
    return sendPresented(reply, { status: ready ? 200 : 503, body }, ready ? {} : { "retry-after": "2" });
  });

  registerMetrics(app, metrics, access);
}

/** Why a check failed goes to the log only: the address is open to everybody. */
async function run(check: ReadinessCheck, onFailure: (error: unknown) => void): Promise<{ name: string; ok: boolean }> {
  const timer = Promise.withResolvers<never>();
  const timeout = setTimeout(
    () => timer.reject(new Error(`${check.name} took longer than ${patienceMs} ms`)),
    patienceMs,
  );
  try {
    await Promise.race([check.check(), timer.promise]);
    return { name: check.name, ok: true };
  } catch (error) {
    onFailure(error);
    return { name: check.name, ok: false };
  } finally {
    clearTimeout(timeout);
  }
}
