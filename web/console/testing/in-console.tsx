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
import { environmentDoor } from "../api/client.ts";
import { type Room, RoomProvider } from "../api/place.ts";

interface Where {
  readonly role?: string;
  readonly kind?: "LIVE" | "SANDBOX";
  /** `/here/` and an id for the page of a record. */
  readonly address?: string;
}

/** Below which the fetched paths of this room lie. */
export const door = "/console/api/environments/env-1";

/** Returns where the page is now. */
export async function drawInConsole(page: ReactNode, where: Where = {}): Promise<() => string> {
  const { role = "owner", kind = "SANDBOX", address = "/here" } = where;
  const room: Room = {
    door: environmentDoor("env-1"),
    key: "env-1",
    at: (path) => `/env-1${path}`,
    place: {
      merchant: { id: "m-1", name: "Mama Put", role, environments: [] },
      environment: { id: "env-1", kind, name: "Main" },
    },
  };
  const root = createRootRoute();
  const here = createRoute({ getParentRoute: () => root, path: "/here", component: () => page });
  const record = createRoute({ getParentRoute: () => root, path: "/here/$id", component: () => page });
  const elsewhere = createRoute({ getParentRoute: () => root, path: "$", component: () => <p>Another page</p> });
  const history = createMemoryHistory({ initialEntries: [address] });
  const router = createRouter({ routeTree: root.addChildren([here, record, elsewhere]), history });
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, gcTime: 0 } } });
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
