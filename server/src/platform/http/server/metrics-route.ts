/** Who may read the figures of a process. They tell how much a merchant pays and to whom, so not everybody. */
import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import type { Metrics } from "../../metrics.ts";
import { isAddressIn, parseBlock } from "../guard/address-blocks.ts";
import { bearerToken } from "../guard/guard.ts";
import { sendPresented } from "../reply/replies.ts";

export type MetricsAccess =
  | { readonly to: "nobody" | "loopback" | "anybody" }
  | { readonly to: "holder"; readonly token: string };

const refused = { status: 401, body: '{"status":"unauthorized"}' } as const;

const loopback = ["127.0.0.0/8", "::1"].map(parseBlock).filter((block) => block !== undefined);

/** Where nobody may read them the path does not exist. */
export function registerMetrics(app: FastifyInstance, metrics: Metrics, access: MetricsAccess): void {
  if (access.to === "nobody") return;
  app.get("/metrics", { config: { isUncounted: true } }, async (request, reply) => {
    if (access.to === "loopback" && !isAddressIn(loopback, request.ip)) return reply.callNotFound();
    if (!isHolder(access, request.headers)) return sendPresented(reply, refused, { "www-authenticate": "Bearer" });
    const body = await metrics.render();
    return sendPresented(reply, { status: 200, body }, { "content-type": metrics.contentType });
  });
}

/** Serves nothing else. Returns what closes it. */
export async function startMetricsServer(
  metrics: Metrics,
  access: MetricsAccess,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    if (request.method !== "GET" || request.url !== "/metrics") send(response, 404, '{"status":"not_found"}');
    else if (!isHolder(access, request.headers)) send(response, refused.status, refused.body);
    else {
      metrics.render().then(
        (body) => send(response, 200, body, metrics.contentType),
        () => send(response, 500, '{"status":"failing"}'),
      );
    }
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen({ host, port }, resolve);
  await promise;
  return () =>
    new Promise((closed) => {
      server.close(() => closed());
      server.closeAllConnections();
    });
}

function send(response: ServerResponse, status: number, body: string, type = "application/json"): void {
  response.writeHead(status, { "content-type": type }).end(body);
}

function isHolder(access: MetricsAccess, { authorization }: IncomingHttpHeaders): boolean {
  if (access.to !== "holder") return true;
  const given = bearerToken(authorization);
  return given !== undefined && timingSafeEqual(digestOf(given), digestOf(access.token));
}

/** Digests have one length and are compared in constant time: how long the answer takes tells nothing. */
function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
