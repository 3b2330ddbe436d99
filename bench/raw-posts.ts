/** What the HTTP client alone gives: no database, no order, nothing written down. */
import { createHmac } from "node:crypto";
import { createRequire } from "node:module";
import { join } from "node:path";
import { cpuMsOf } from "./cpu.ts";
import { payoutData, type Sink } from "./receivers.ts";

/** The very client of the server: another version may lie beside the benchmarks. */
const ofServer = createRequire(join(import.meta.dirname, "..", "server", "package.json"));
const { Pool } = ofServer("undici") as typeof import("undici");

const connections = 64;

export interface RawPosts {
  readonly perSecond: number;
  /** For one POST. */
  readonly clientCpuMs: number;
  readonly sinkCpuMs: number;
}

/** Bodies like those of webhooks, signed like them and posted. */
export async function postRaw(sink: Sink, count: number): Promise<RawPosts> {
  const pool = new Pool(`http://127.0.0.1:${sink.port}`, { connections });
  const secret = Buffer.alloc(24, 7);
  const data = payoutData();
  let left = count;
  const before = [cpuMsOf(sink.processId), process.cpuUsage()] as const;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async (_, lane) => {
      while (left-- > 0) {
        const id = crypto.randomUUID();
        const now = new Date();
        const seconds = Math.floor(now.getTime() / 1000);
        const event = { id, event: "transfer.completed", created_at: now.toISOString(), environment: "SANDBOX" };
        const body = JSON.stringify({ ...event, resource_version: 1, data });
        const signature = createHmac("sha256", secret).update(`${id}.${seconds}.${body}`).digest("base64");
        const reply = await pool.request({
          method: "POST",
          path: `/ok/${lane}`,
          headers: {
            "content-type": "application/json",
            "webhook-id": id,
            "webhook-timestamp": String(seconds),
            "webhook-signature": `v1,${signature}`,
          },
          body,
        });
        await reply.body.text();
      }
    }),
  );
  const perSecond = count / ((performance.now() - started) / 1000);
  const own = process.cpuUsage(before[1]);
  const sinkCpuMs = (cpuMsOf(sink.processId) - before[0]) / count;
  await pool.close();
  return { perSecond, clientCpuMs: (own.user + own.system) / 1000 / count, sinkCpuMs };
}
