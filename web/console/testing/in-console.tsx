/** A page of the console with all that it stands in: a room, a router, a memory of what was read. */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import type { ReactNode } from "react";
import { draw, settle } from "../../testing/draw.tsx";
import { environmentDoor, operatorDoor } from "../api/client.ts";
import { type Me, meQuery } from "../api/me.ts";
import { type Room, RoomProvider } from "../api/place.ts";

interface Where {
  readonly role?: string;
  readonly kind?: "LIVE" | "SANDBOX";
  /** Whose rooms they are: a merchant's, unless it says the operator's. */
  readonly house?: "merchant" | "operator";
  readonly operatorRole?: string;
  readonly me?: Me;
  /** `/here/` and an id for the page of a record. */
  readonly address?: string;
}

/** Below which the fetched paths of this room lie. */
export const door = "/console/api/environments/env-1";

export const operatorPath = operatorDoor.prefix;

function roomOf({ house = "merchant", role = "owner", kind = "SANDBOX" }: Where): Room {
  if (house === "operator") {
    return { door: operatorDoor, key: "operator", at: (path) => `/operator${path}`, place: null };
  }
  const environment = { id: "env-1", kind, name: "Main" };
  return {
    door: environmentDoor("env-1"),
    key: "env-1",
    at: (path) => `/env-1${path}`,
    place: { merchant: { id: "m-1", name: "Mama Put", role, environments: [environment] }, environment },
  };
}

/** Who is signed in: Ada, without a password or an authenticator app, unless a test says otherwise. */
export const ada: Me = {
  user: {
    id: "u-1",
    email: "ada@example.com",
    name: "Ada Obi",
    hasPassword: false,
    twoFactorEnabled: false,
    recoveryCodesLeft: 0,
    hasPasskey: false,
  },
  merchants: [],
  operator: null,
  signedInAt: "2026-11-16T18:45:31.284Z",
  stepUpUntil: null,
  proofWays: [],
};

/** Returns where the page is now. */
export async function drawInConsole(page: ReactNode, where: Where = {}): Promise<() => string> {
  const { address = "/here", operatorRole = "admin", me = { ...ada, operator: { role: operatorRole } } } = where;
  const room = roomOf(where);
  const root = createRootRoute();
  const here = createRoute({ getParentRoute: () => root, path: "/here", component: () => page });
  const record = createRoute({ getParentRoute: () => root, path: "/here/$id", component: () => page });
  const elsewhere = createRoute({ getParentRoute: () => root, path: "$", component: () => <p>Another page</p> });
  const history = createMemoryHistory({ initialEntries: [address] });
  const router = createRouter({ routeTree: root.addChildren([here, record, elsewhere]), history });
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, gcTime: 0 } } });
  queries.setQueryDefaults(meQuery.queryKey, { gcTime: Number.POSITIVE_INFINITY });
  queries.setQueryData(meQuery.queryKey, me);
  await router.load();
  await draw(
    <QueryClientProvider client={queries}>
      <RoomProvider value={room}>
        <RouterProvider router={router} />
      </RoomProvider>
    </QueryClientProvider>,
  );
  await settle();
  return () => history.location.href;
}
