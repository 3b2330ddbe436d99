/** A second server on the same database, connected or configured otherwise: what one refuses the other may do. */
import type { FastifyInstance } from "fastify";
import { afterAll } from "vitest";
import { deskOf } from "../src/rails/desk.ts";
import { type AppDependencies, appRoutes, createApp } from "../src/start/app.ts";
import type { OpenRails } from "../src/start/open-rails.ts";
import { house } from "../src/start/slices.ts";
import { callerOf, type TestApp } from "./app.ts";
import { refuseUndeclaredReplies } from "./document/declared-replies.ts";

export interface Otherwise {
  readonly rails?: Partial<OpenRails["rails"]>;
  readonly config?: Partial<AppDependencies["config"]>;
}

export interface ServerBeside extends Pick<TestApp, "call"> {
  readonly app: FastifyInstance;
}

const unconnected = deskOf<never>({ SANDBOX: null, LIVE: null });

/** Nobody is connected: no bank, no card network, no register, no biller, no message gateway. */
export const noRails: OpenRails["rails"] = {
  bank: unconnected,
  biller: unconnected,
  card: unconnected,
  message: unconnected,
  identity: unconnected,
  inbound: unconnected,
};

export async function createServerBeside(
  { dependencies, merchant }: Pick<TestApp, "dependencies" | "merchant">,
  { rails = {}, config = {} }: Otherwise,
): Promise<ServerBeside> {
  const changed: AppDependencies = {
    ...dependencies,
    rails: { ...dependencies.rails, rails: { ...dependencies.rails.rails, ...rails } },
    config: { ...dependencies.config, ...config },
  };
  const app = await createApp(changed);
  refuseUndeclaredReplies(app, { house, routes: () => appRoutes(changed), extra: [] });
  afterAll(() => app.close());
  return { app, call: callerOf(app, merchant.secretKey) };
}
