/** Small endpoints of both families that stand for a domain in tests of the HTTP layer. */

import { sql } from "kysely";
import { Type } from "typebox";
import { type Database, readEnvironment, type Tx } from "../../src/platform/database/database.ts";
import { describeRoute, type Route } from "../../src/platform/http/route.ts";
import { IdParams, NairaNumber, Nullable, OneOf, Uuid } from "../../src/platform/http/wire.ts";
import { pageQuery, paginationOf } from "../../src/platform/records/pagination.ts";

const tag = "Sandbox";

const Order = Type.Object({ id: Uuid, amount: NairaNumber, note: Nullable(Type.String()) });

const orderBody = Type.Object({
  amount: NairaNumber,
  currency: OneOf(["NGN"]),
  note: Type.Optional(Type.String({ minLength: 1, maxLength: 20 })),
  items: Type.Optional(Type.Array(Type.Object({ code: Type.String(), amount: NairaNumber }), { maxItems: 5_000 })),
});

export interface OrderHooks {
  /** Called inside the transaction of each order that is really made. */
  made?(): Promise<void> | void;
}

export function orderRoutes(hooks: OrderHooks = {}): Route[] {
  return [
    makeOrder("/orders", hooks),
    makeOrder("/loans/orders", hooks),
    readOrder("/orders/{id}"),
    readOrder("/loans/orders/{id}"),
  ];
}

function makeOrder(path: "/orders" | "/loans/orders", hooks: OrderHooks): Route {
  return describeRoute("key", {
    method: "POST",
    path,
    operationId: path === "/orders" ? "makeOrder" : "makeLoanOrder",
    tag,
    scope: "transfers:write",
    summary: "Make an order",
    description: "Makes an order.",
    body: orderBody,
    reply: { status: 201, title: "Order", message: "Order made.", data: Order },
    problems: ["invalid_state"],
    handle: (request) =>
      request.write(async (tx) => {
        await hooks.made?.();
        const { amount, note = null } = request.body;
        // The secret is not declared in the description and must not get out.
        const data = { id: tx.environment.clock.newId(), amount, note, secret: "do not show" };
        return { data };
      }),
  });
}

function readOrder(path: "/orders/{id}" | "/loans/orders/{id}"): Route {
  return describeRoute("key", {
    method: "GET",
    path,
    operationId: path === "/orders/{id}" ? "readOrder" : "readLoanOrder",
    tag,
    scope: "transfers:read",
    summary: "Read an order",
    description: "Reads an order.",
    params: IdParams,
    reply: { status: 200, title: "Order", message: "Order found.", data: Order },
    handle: async (request) => ({ data: { id: request.params.id, amount: 1.5, note: null } }),
  });
}

const plain = { method: "GET", tag, scope: "transfers:read", description: "For tests." } as const;
const empty = { status: 200, message: "Done.", data: Type.Object({}) } as const;

/** A list, a route that breaks, one for test keys only, one that asks the database, and one that waits. */
export function oddRoutes(db: () => Database, wait: () => Promise<void> = async () => {}): Route[] {
  return [listOrders, breakDown, touchSandbox, askDatabase(db), waitFor(wait)];
}

const listOrders = describeRoute("key", {
  ...plain,
  path: "/orders",
  operationId: "listOrders",
  summary: "List orders",
  query: Type.Object({ ...pageQuery.properties, search: Type.Optional(Type.String()) }),
  reply: { status: 200, message: "Orders.", data: Type.Array(Order), paged: true },
  handle: async (request) => ({
    data: [],
    pagination: paginationOf(0n, request.query.page ?? 1, request.query.limit ?? 10),
  }),
});

const breakDown = describeRoute("key", {
  ...plain,
  path: "/odd/bug",
  operationId: "breakDown",
  summary: "Break",
  reply: empty,
  handle: async () => {
    throw new TypeError("the inner secret");
  },
});

const touchSandbox = describeRoute("key", {
  ...plain,
  path: "/odd/sandbox",
  operationId: "touchSandbox",
  summary: "Sandbox",
  sandboxOnly: true,
  reply: empty,
  handle: async () => ({ data: {} }),
});

function askDatabase(db: () => Database): Route {
  const ask = async (tx: Tx) => {
    await sql`select 1`.execute(tx);
    return { data: {} };
  };
  return describeRoute("key", {
    ...plain,
    path: "/odd/database",
    operationId: "askDatabase",
    summary: "Ask the database",
    reply: empty,
    handle: (request) => readEnvironment(db(), request.caller.environmentId, ask),
  });
}

function waitFor(wait: () => Promise<void>): Route {
  return describeRoute("key", {
    ...plain,
    path: "/odd/wait",
    operationId: "waitOddly",
    summary: "Wait",
    rateBucket: "waiting",
    reply: empty,
    handle: async () => {
      await wait();
      return { data: {} };
    },
  });
}
