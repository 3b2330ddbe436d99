/**
 * The frame of every twin. A twin is a small server on the loopback that stands for a provider: it keeps books, takes
 * only what the provider would take, and can be told to misbehave. The frame knows HTTP and faults; what a call means
 * is a table of routes, and a twin may be made of several tables.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createFaults, type Fault, type Faults } from "./twin-faults.ts";
import { readRequest, sendReply, type TwinReply, type TwinRequest } from "./twin-wire.ts";

export type TwinHandler = (request: TwinRequest) => TwinReply | Promise<TwinReply>;

/** By method and path: `"GET /transfer/verify/:reference"`. The first that fits is taken. */
export type TwinRoutes = Readonly<Record<string, TwinHandler>>;

/** One call that arrived, in the order of arrival. */
export interface TwinCall {
  /** The route's key in its table; the plain method and path when no route fits. */
  readonly route: string;
  readonly request: TwinRequest;
  /** What went wrong on purpose. */
  readonly fault: string | undefined;
}

export interface TwinOptions {
  readonly routes: readonly TwinRoutes[];
  /** Looked at before any route: a wrong key, a blocked address. */
  refuse?(request: TwinRequest): TwinReply | undefined;
  /** What the provider says to a path that it does not have. */
  readonly nothingHere: TwinReply;
  /** 0 or nothing for a free one. */
  readonly port?: number;
}

export interface Twin extends Pick<Faults, "misbehave" | "behave"> {
  readonly url: string;
  readonly calls: readonly TwinCall[];
  /** How many calls of a route arrived. */
  count(route: string): number;
  close(): Promise<void>;
}

export async function startTwin(options: TwinOptions): Promise<Twin> {
  const faults = createFaults();
  const calls: TwinCall[] = [];
  const routes = options.routes.flatMap((table) => Object.entries(table)).map(readRoute);

  const answer = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { route, request, handle } = routed(routes, await readRequest(message), options);
    const fault = faults.draw(route);
    calls.push({ route, request, fault: fault?.name });
    await (fault?.strike ?? plainly)({ request, response, handle: async () => handle(request) });
  };

  const server = createServer((message, response) => {
    answer(message, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    count: (route) => calls.filter((call) => call.route === route).length,
    misbehave: faults.misbehave,
    behave: faults.behave,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const plainly: Fault["strike"] = async ({ response, handle }) => sendReply(response, await handle());

interface Route {
  readonly key: string;
  readonly method: string;
  readonly parts: readonly string[];
  readonly handle: TwinHandler;
}

function readRoute([key, handle]: readonly [string, TwinHandler]): Route {
  const [method = "", path = ""] = key.split(" ");
  return { key, method, parts: path.split("/"), handle };
}

function routed(routes: readonly Route[], request: TwinRequest, { refuse, nothingHere }: TwinOptions) {
  for (const { key, method, parts, handle } of routes) {
    const params = method === request.method ? paramsOf(parts, request.path.split("/")) : undefined;
    if (params === undefined) continue;
    const found = { ...request, params };
    const refused = refuse?.(found);
    return { route: key, request: found, handle: refused === undefined ? handle : () => refused };
  }
  const refused = refuse?.(request);
  return { route: `${request.method} ${request.path}`, request, handle: () => refused ?? nothingHere };
}

function paramsOf(parts: readonly string[], path: readonly string[]): Record<string, string> | undefined {
  if (parts.length !== path.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const given = path[index] ?? "";
    if (part.startsWith(":") && given !== "") params[part.slice(1)] = decodeURIComponent(given);
    else if (part !== given) return undefined;
  }
  return params;
}
