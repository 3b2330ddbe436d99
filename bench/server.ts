/** The server under test: the real one, plus a POST and a GET that pass every hook and then do nothing. */
import { Type } from "typebox";
import { describeRoute } from "../server/src/platform/http/route.ts";
import { createLogger } from "../server/src/platform/logger.ts";
import { readConfig } from "../server/src/start/config.ts";
import { startServer } from "../server/src/start/start-server.ts";
import { createTransferBody } from "../server/src/transfers/payouts/schemas.ts";

const nothing = describeRoute("key", {
  method: "POST",
  path: "/bench/nothing",
  operationId: "doNothing",
  tag: "Transfers",
  summary: "Do nothing",
  description: "Passes the guard, the rate limit and the schema of a payout, and answers.",
  scope: "transfers:write",
  body: createTransferBody,
  reply: { status: 201, message: "Nothing was done", data: Type.Object({ reference: Type.String() }) },
  handle: async (request) => ({ data: { reference: request.body.reference ?? "" } }),
});

const readNothing = describeRoute("key", {
  method: "GET",
  path: "/bench/nothing",
  operationId: "readNothing",
  tag: "Transfers",
  summary: "Read nothing",
  description: "Passes the guard and the rate limit of a read, and answers.",
  scope: "transfers:read",
  reply: { status: 200, message: "Nothing was read", data: Type.Object({ reference: Type.String() }) },
  handle: async () => ({ data: { reference: "" } }),
});

const config = readConfig(process.env);
const server = await startServer(config, createLogger({ level: config.logLevel }), {
  extraRoutes: [nothing, readNothing],
});
process.on("SIGTERM", () => void server.stop().then(() => process.exit(0)));
process.send?.("ready");
