/** What the layers of one request hand to each other. */
import type { FastifyInstance } from "fastify";
import type { Metrics } from "../metrics.ts";
import type { Caller, Page, Person } from "./caller.ts";
import type { KnownPaths } from "./known-paths.ts";
import type { Route } from "./route.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The bytes of a JSON body, kept for the hash of an Idempotency-Key. */
    rawBody: Buffer | null;
    caller: Caller | null;
    operator: { readonly name: string } | null;
    page: Page | null;
    person: Person | null;
    /** Where a stranger's request was counted: undoes it, for one that turned out to be welcome. */
    giveBack: (() => void) | null;
    /** What was sent back, once it was. */
    replied: { readonly body: string; readonly code: string | null } | null;
  }
  interface FastifyContextConfig {
    /** Who may come in; undefined where everybody may. */
    readonly guard?: Route["guard"];
    /** Asked by machines of the operator's, such as a proxy that looks after its servers. */
    readonly isUncounted?: true;
  }
  interface FastifyInstance {
    readonly knownPaths: KnownPaths;
    /** Where people reach this server, without a slash at the end. */
    readonly publicUrl: string;
    /** What Prometheus reads, for a port of its own. */
    readonly metrics?: Metrics;
    /** Begun: answers now end their connection, and a request that only waits must reply now. */
    readonly shutdown: { readonly begun: boolean; readonly signal: AbortSignal };
  }
}

/** Declares the properties up front, so that every request has the same shape. */
export function decorateRequests(app: FastifyInstance): void {
  app.decorateRequest("rawBody", null);
  app.decorateRequest("caller", null);
  app.decorateRequest("operator", null);
  app.decorateRequest("page", null);
  app.decorateRequest("person", null);
  app.decorateRequest("giveBack", null);
  app.decorateRequest("replied", null);
}
