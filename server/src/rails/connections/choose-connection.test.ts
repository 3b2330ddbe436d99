import { describe, expect, test } from "vitest";
import { kobo } from "../../money/kobo.ts";
import { operatorScope } from "../../platform/database/database.ts";
import { choose, type RouteList, routeFor } from "./choose-connection.ts";
import type { Connection } from "./connection.ts";

const live = { environmentId: "live", kind: "LIVE" } as const;
const sandbox = { environmentId: "sandbox", kind: "SANDBOX" } as const;
const route = (environmentId: string, connectionIds: string[], others: Partial<RouteList> = {}): RouteList => ({
  environmentId,
  port: "bank",
  category: "",
  connectionIds,
  ...others,
});

describe("the route of an environment", () => {
  test("is that of all live environments, unless it has one of its own", () => {
    const routes = [route(operatorScope, ["a", "b"]), route("other", ["c"])];
    expect(routeFor(routes, live, "bank")).toEqual(["a", "b"]);
    expect(routeFor([...routes, route("live", ["d"])], live, "bank")).toEqual(["d"]);
  });

  test("is nobody's where nothing is said", () => {
    expect(routeFor([], live, "bank")).toBeUndefined();
    expect(routeFor([route(operatorScope, ["a"])], live, "card")).toBeUndefined();
  });

  test("of a sandbox is its own only: what serves live environments never serves it", () => {
    const routes = [route(operatorScope, ["a"])];
    expect(routeFor(routes, sandbox, "bank")).toBeUndefined();
    expect(routeFor([...routes, route("sandbox", ["t"])], sandbox, "bank")).toEqual(["t"]);
  });

  test("may differ by category, and a category without a list takes the common one", () => {
    const biller = { port: "biller" } as const;
    const routes = [
      route(operatorScope, ["a"], biller),
      route(operatorScope, ["b", "a"], { ...biller, category: "airtime" }),
    ];
    expect(routeFor(routes, live, "biller", "airtime")).toEqual(["b", "a"]);
    expect(routeFor(routes, live, "biller", "tv")).toEqual(["a"]);
    expect(routeFor(routes, live, "biller")).toEqual(["a"]);
  });

  test("with lists for some categories only sells nothing else", () => {
    const routes = [route(operatorScope, ["b"], { port: "biller", category: "airtime" })];
    expect(routeFor(routes, live, "biller", "tv")).toEqual([]);
  });
});

const connection = (id: string, others: Partial<Connection> = {}): Connection => ({
  id,
  provider: "paystack",
  name: id,
  mode: "live",
  ports: ["bank"],
  baseUrl: "https://api.example.com",
  sealedCredentials: Buffer.alloc(0),
  state: "active",
  hold: null,
  checks: [],
  checksPassed: true,
  checkedAt: new Date(0),
  float: { available: kobo(1n), readAt: new Date(0) },
  version: 1,
  createdAt: new Date(0),
  updatedAt: new Date(0),
  ...others,
});
const hold = { reason: "float_empty", message: "empty", since: new Date(0) } as const;
const always = () => true;

describe("new work goes to", () => {
  test("the first connection of the route", () => {
    expect(choose([connection("a"), connection("b")], always, always)).toMatchObject({ connection: { id: "a" } });
  });

  test.each<[string, Partial<Connection>]>([
    ["paused", { state: "paused" }],
    ["retired", { state: "retired" }],
    ["held", { hold }],
    ["unchecked", { checksPassed: false }],
  ])("the next one when the first is %s", (_, others) => {
    const choice = choose([connection("a", others), connection("b")], always, always);
    expect(choice).toMatchObject({ connection: { id: "b" } });
  });

  test("the next one when the first does not answer, or cannot do it", () => {
    const all = [connection("a"), connection("b")];
    const notA = ({ id }: Connection) => id !== "a";
    expect(choose(all, always, notA)).toMatchObject({ connection: { id: "b" } });
    expect(choose(all, notA, always)).toMatchObject({ connection: { id: "b" } });
  });

  test("nobody, for the time being, when all are closed", () => {
    expect(choose([connection("a", { state: "paused" }), connection("b", { hold })], always, always)).toBe("closed");
  });

  test("nobody at all when none can do it, or all are retired", () => {
    expect(choose([], always, always)).toBe("not_connected");
    expect(choose([connection("a")], () => false, always)).toBe("not_connected");
    expect(choose([connection("a", { state: "retired" })], always, always)).toBe("not_connected");
  });
});
