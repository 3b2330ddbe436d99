/**
 * What the console's pages ask better-auth itself: its paths below /console/api/auth, its bodies, its errors ({ code,
 * message }). Only what is listed here is passed on; everything else that the library could do, such as signing up, is
 * not there.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { commonProblem } from "../platform/problem.ts";
import type { People } from "./people.ts";
import { addressHeader, signInPath } from "./sign-in.ts";

const open: readonly string[] = ["POST /sign-out"];

export function registerSignIn(app: FastifyInstance, people: People): void {
  for (const entry of open) {
    const [method = "", path = ""] = entry.split(" ");
    app.route({
      method: method as "GET" | "POST",
      url: `${signInPath}${path}`,
      handler: (request, reply) => passOn(app.publicUrl, people, request, reply),
    });
  }
}

async function passOn(
  publicUrl: string,
  people: People,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { handler } = await people.signIn();
  const response = await handler(requestOf(publicUrl, request));
  if (response.status >= 500) throw commonProblem("internal");
  for (const [name, value] of response.headers) {
    if (name !== "set-cookie" && name !== "location") reply.header(name, value);
  }
  for (const cookie of response.headers.getSetCookie()) reply.header("set-cookie", cookie);
  reply.header("cache-control", "no-store");
  return reply.code(response.status).send(Buffer.from(await response.arrayBuffer()));
}

/** Nothing of a request goes to the library but what it needs. */
function requestOf(publicUrl: string, { method, url, headers, ip, rawBody }: FastifyRequest): Request {
  const passed = new Headers({ [addressHeader]: ip });
  for (const name of ["cookie", "user-agent", "content-type"] as const) {
    const value = headers[name];
    if (value !== undefined) passed.set(name, value);
  }
  return new Request(`${publicUrl}${url}`, {
    method,
    headers: passed,
    ...(rawBody === null ? {} : { body: new Uint8Array(rawBody) }),
  });
}
