/** What Next does with `app/api/…/route.ts`, as far as the example needs it: paths to handlers, requests to responses. */
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import * as hooks from "../../examples/next/app/api/hooks/route.ts";
import * as order from "../../examples/next/app/api/orders/[id]/route.ts";
import * as orders from "../../examples/next/app/api/orders/route.ts";
import { register } from "../../examples/next/instrumentation.ts";

const { PORT } = process.env;

async function respond(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const [, id] = /^\/api\/orders\/([^/]+)$/.exec(pathname) ?? [];
  switch (`${request.method} ${pathname}`) {
    case "POST /api/orders":
      return orders.POST(request);
    case "POST /api/hooks":
      return hooks.POST(request);
    default:
      return id === undefined
        ? new Response(null, { status: 404 })
        : order.GET(request, { params: Promise.resolve({ id }) });
  }
}

createServer(async (incoming, outgoing) => {
  const { method = "GET", url = "/" } = incoming;
  const headers = new Headers(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
  const bytes = new Uint8Array(await buffer(incoming));
  const body = method === "GET" ? {} : { body: bytes };
  const request = new Request(`http://localhost:${PORT}${url}`, { method, headers, ...body });
  const response = await respond(request).catch(() => new Response(null, { status: 500 }));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(Buffer.from(await response.arrayBuffer()));
}).listen(Number(PORT), "127.0.0.1", () => console.log("The shop is open."));

await register();
