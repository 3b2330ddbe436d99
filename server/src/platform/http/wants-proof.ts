/**
 * Whether a person at the console must have proved lately to be it, before a route does what it does: an open laptop,
 * or a stolen session, must not be enough to pay. Every write wants it unless its description says otherwise, so a new
 * one is guarded before anybody thinks of it. Keys prove themselves with each request and are not asked.
 *
 * A sandbox moves no real money. What a key could do there is open to its people as it is; what is about people, and
 * what an operator does, is guarded wherever it happens.
 */
import type { EnvironmentKind } from "../database/database.ts";
import type { Route } from "./route.ts";

/** `kind` is that of the environment in which a merchant's person acts; null for all others. */
export function wantsProof({ method, withoutProof }: Asked, kind: EnvironmentKind | null): boolean {
  return method !== "GET" && withoutProof !== true && kind !== "SANDBOX";
}

type Asked = Pick<Route, "method" | "withoutProof">;
