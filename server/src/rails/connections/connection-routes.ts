/** What an operator does with connections. */
import { Type } from "typebox";
import type { Database } from "../../platform/database/database.ts";
import { describeRoute, type Route } from "../../platform/http/route.ts";
import { IdParams } from "../../platform/http/wire.ts";
import { originOf, recordAudit } from "../../platform/records/audit.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import {
  editConnection,
  lookAt,
  recordLook,
  requireConnection,
  saveConnection,
  tryConnection,
  tryCredentials,
} from "./connect-provider.ts";
import type { Connection } from "./connection.ts";
import type { ConnectionBook } from "./connection-book.ts";
import { listConnections } from "./connection-store.ts";
import { connectionProblem } from "./errors.ts";
import { changeBody, connectionData, createBody, presentConnection, presentProvider, providerData } from "./schemas.ts";

export interface ConnectionRouteDependencies {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly connections: ConnectionBook;
  readonly publicUrl: string;
}

const tag = "Operator";

export function connectionRoutes(deps: ConnectionRouteDependencies): Route[] {
  return [
    providersRoute(deps),
    createRoute(deps),
    listRoute(deps),
    showRoute(deps),
    checkRoute(deps),
    changeRoute(deps),
  ];
}

function providersRoute({ connections }: ConnectionRouteDependencies): Route {
  return describeRoute("operator", {
    method: "GET",
    path: "/operator/providers",
    operationId: "listProviders",
    tag,
    summary: "List the providers that can be connected",
    description: "What each serves and which credentials it needs.",
    reply: { status: 200, message: "Providers retrieved.", data: Type.Array(providerData) },
    handle: async () => ({ data: connections.providers.map(presentProvider) }),
  });
}

function createRoute(deps: ConnectionRouteDependencies): Route {
  const { connections, sealer } = deps;
  return describeRoute("operator", {
    method: "POST",
    path: "/operator/connections",
    operationId: "createConnection",
    tag,
    summary: "Connect a provider",
    description:
      "Asks the provider before anything is saved: whether the key fits the mode, whether the balance can be read, what else must be switched on or off. Without `ports` the connection serves all for which the credentials suffice; a port whose credentials are missing is refused. Then put the connection into a route; no order goes to it before.",
    body: createBody(connections.providers),
    reply: { status: 201, message: "Provider connected.", data: connectionData },
    problems: ["connection_check_failed", "connection_address_refused"],
    handle: async (request) => {
      const earlier = await request.kept<ReturnType<typeof present>>();
      if (earlier !== undefined) return earlier;
      const { provider: name, ...wanted } = request.body;
      const provider = connections.providers.find((one) => one.name === name);
      if (provider === undefined) throw new Error(`${name} passed the schema and is not known`);
      const connection = await tryConnection(sealer, { baseUrl: undefined, ports: undefined, ...wanted, provider });
      const written = await request.write(async (tx) => {
        await saveConnection(tx, connection, originOf(request));
        return { data: present(deps, connection) };
      });
      await connections.refresh();
      return written;
    },
  });
}

function listRoute(deps: ConnectionRouteDependencies): Route {
  return describeRoute("operator", {
    method: "GET",
    path: "/operator/connections",
    operationId: "listConnections",
    tag,
    summary: "List connections",
    description: "All of them, retired ones too, in the order in which they were made.",
    reply: { status: 200, message: "Connections retrieved.", data: Type.Array(connectionData) },
    handle: (request) =>
      request.read(async (tx) => ({ data: (await listConnections(tx)).map((one) => present(deps, one)) })),
  });
}

function showRoute(deps: ConnectionRouteDependencies): Route {
  return describeRoute("operator", {
    method: "GET",
    path: "/operator/connections/{id}",
    operationId: "getConnection",
    tag,
    summary: "Read a connection",
    description: "With its balance at the provider, how its calls fare, and why it is held if it is.",
    params: IdParams,
    reply: { status: 200, message: "Connection retrieved.", data: connectionData },
    problems: ["connection_not_found"],
    handle: (request) =>
      request.read(async (tx) => ({ data: present(deps, await requireConnection(tx, request.params.id)) })),
  });
}

function checkRoute(deps: ConnectionRouteDependencies): Route {
  const { connections } = deps;
  return describeRoute("operator", {
    method: "POST",
    path: "/operator/connections/{id}/check",
    operationId: "checkConnection",
    withoutProof: true,
    tag,
    summary: "Check a connection",
    description:
      "Asks the provider again and reads our balance there. When everything is well, a hold is over and new orders go to it. When something is not, the connection is passed over until a check passes; the reply says what.",
    params: IdParams,
    reply: { status: 200, message: "Connection checked.", data: connectionData },
    problems: ["connection_not_found"],
    handle: async (request) => {
      const earlier = await request.kept<ReturnType<typeof present>>();
      if (earlier !== undefined) return earlier;
      const { id } = request.params;
      await connections.refresh();
      const found = await connections.find(id);
      if (found === undefined) throw connectionProblem("connection_not_found");
      const looked = await lookAt(found.connected);
      const written = await request.write(async (tx) => {
        await recordLook(tx, id, looked);
        const connection = await requireConnection(tx, id);
        const detail = { passed: connection.checksPassed };
        await recordAudit(tx, originOf(request), {
          action: "connection.check",
          subjectType: "connection",
          subjectId: id,
          detail,
        });
        return { data: present(deps, connection) };
      });
      await connections.refresh();
      return written;
    },
  });
}

function changeRoute(deps: ConnectionRouteDependencies): Route {
  const { connections, sealer } = deps;
  return describeRoute("operator", {
    method: "PATCH",
    path: "/operator/connections/{id}",
    operationId: "changeConnection",
    tag,
    summary: "Rename, pause, retire or give new keys",
    description:
      "A paused connection takes no new orders; those that have it are still asked about. A retired one stays so for ever and still answers for its old orders. New credentials are checked before they take the place of the old ones.",
    params: IdParams,
    body: changeBody,
    reply: { status: 200, message: "Connection changed.", data: connectionData },
    problems: ["connection_not_found", "connection_check_failed", "invalid_state"],
    handle: async (request) => {
      const { id } = request.params;
      const { name, state, credentials } = request.body;
      const tried =
        credentials === undefined
          ? undefined
          : await retry(deps, await request.read((tx) => requireConnection(tx, id)), credentials);
      const written = await request.write(async (tx) => {
        const edit = { name, state, tried };
        return { data: present(deps, await editConnection(tx, sealer, id, edit, originOf(request))) };
      });
      await connections.refresh();
      return written;
    },
  });
}

function retry(
  { connections }: ConnectionRouteDependencies,
  connection: Connection,
  credentials: Readonly<Record<string, string>>,
) {
  const provider = connections.providers.find((one) => one.name === connection.provider);
  if (provider === undefined) throw new Error(`connection ${connection.id} is at a provider that is not known`);
  return tryCredentials(provider, connection, credentials);
}

function present({ connections, publicUrl }: ConnectionRouteDependencies, connection: Connection) {
  const provider = connections.providers.find((one) => one.name === connection.provider);
  const asksApproval = provider?.asksApproval === true;
  return presentConnection({ connection, health: connections.health.of(connection.id), publicUrl, asksApproval });
}
