/** The whole API with a live environment, an operator, and providers whose twins answer. Workers run when told to. */
import type { LightMyRequestResponse } from "fastify";
import { afterAll } from "vitest";
import { createTestApp, type TestApp, type TestAppOptions } from "../app.ts";
import { issueLiveKeyFor } from "../keys.ts";
import type { Twin } from "./twin.ts";

export interface LiveApp extends TestApp {
  readonly liveKey: string;
  readonly liveEnvironmentId: string;
  /** Sends a request with the live key. */
  callLive(method: string, path: string, body?: unknown): Promise<LightMyRequestResponse>;
  /** Connects a provider and returns the connection's id. */
  connect(body: Readonly<Record<string, unknown>>): Promise<string>;
  /** One step of the worker's loops of these names, and whatever they began. */
  work(...loops: readonly string[]): Promise<void>;
  /** Has the twin go away with the test file. */
  keep<T extends Pick<Twin, "close">>(twin: T): T;
}

export async function createLiveApp(options: TestAppOptions = {}): Promise<LiveApp> {
  const app = await createTestApp(options);
  const liveKey = await issueLiveKeyFor(app.db, app.merchant.merchant.id);
  const merchants = (await app.operate("GET", "/operator/merchants")).json().data as {
    readonly environments: readonly { readonly id: string; readonly kind: string }[];
  }[];
  const live = merchants.flatMap(({ environments }) => environments).find(({ kind }) => kind === "LIVE");
  if (live === undefined) throw new Error("the merchant has no live environment");
  return {
    ...app,
    liveKey,
    liveEnvironmentId: live.id,
    callLive: (method, path, body) => app.call(method, path, { key: liveKey, body }),
    connect: async (body) => {
      const reply = await app.operate("POST", "/operator/connections", body);
      if (reply.statusCode !== 201) throw new Error(reply.body);
      return reply.json().data.id;
    },
    work: async (...names) => {
      for (const name of names) {
        const loop = app.tasks.loops.find((one) => one.name === name);
        if (loop === undefined) throw new Error(`no loop is called ${name}`);
        await loop.step();
        await loop.drain?.();
      }
    },
    keep: (twin) => {
      afterAll(() => twin.close());
      return twin;
    },
  };
}
