/**
 * Lets a developer try every operation of the reference with one click. On the machine that the server runs on, the
 * page has the demo sandbox's key, and its examples are records of that sandbox, made there through the API itself.
 * They have references of their own, so a second visit finds them again instead of making more.
 */
import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Trial } from "../platform/http/openapi/reference-page.ts";
import type { Logger } from "../platform/logger.ts";
import { fillExamples } from "./trial-examples.ts";
import { playTrial, type TrialCall } from "./trial-records.ts";

const loopback = new Set(["127.0.0.1", "::1", "::ffff:127.0.0.1"]);
const homeNames = new Set(["localhost", "127.0.0.1", "[::1]"]);
const proxies = ["forwarded", "x-forwarded-for", "x-forwarded-host", "via"];

/** Undefined where there is no demo sandbox, such as in production. */
export function localTrial(
  app: FastifyInstance,
  { demoKey, log }: { readonly demoKey?: string | undefined; readonly log: Logger },
): Trial | undefined {
  if (demoKey === undefined) return undefined;
  const call = callerOf(app, demoKey);
  return {
    secretKey: demoKey,
    isAtHome: (request) => listensAtHome(app) && comesFromHome(request),
    fill: async (document) => {
      const records = await playTrial(call, (step, refusal) => log.debug({ step, refusal }, "no example was made"));
      return fillExamples(document, records, randomUUID().slice(0, 8));
    },
  };
}

function listensAtHome(app: FastifyInstance): boolean {
  const address = app.server.address();
  return typeof address === "object" && address !== null && loopback.has((address as AddressInfo).address);
}

/** A tunnel ends on this machine too, and a foreign name can be made to lead here: neither is a reader at home. */
function comesFromHome({ socket, headers }: FastifyRequest): boolean {
  const name = (headers.host ?? "").replace(/:\d+$/, "").toLowerCase();
  const isPassedOn = proxies.some((header) => headers[header] !== undefined);
  return loopback.has(socket.remoteAddress ?? "") && homeNames.has(name) && !isPassedOn;
}

function callerOf(app: FastifyInstance, secretKey: string): TrialCall {
  return async (method, path, body, idempotencyKey) => {
    const reply = await app.inject({
      method,
      url: path,
      headers: {
        authorization: `Bearer ${secretKey}`,
        ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
      },
      ...(body === undefined ? {} : { payload: body }),
    });
    const { data, code } = reply.json<{ data: unknown; code?: string }>();
    if (code !== undefined) throw new Error(code);
    return data as Record<string, unknown>;
  };
}
