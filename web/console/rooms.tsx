/** The two houses: an environment of a merchant, and the operator's. Each gives its pages a door to the API. */
import { useSuspenseQuery } from "@tanstack/react-query";
import { Outlet, useParams } from "@tanstack/react-router";
import { useEffect, useMemo } from "react";
import { environmentDoor, operatorDoor } from "./api/client.ts";
import { useLiveEvents } from "./api/live.ts";
import { meQuery, placesOf } from "./api/me.ts";
import { type Room, RoomProvider } from "./api/place.ts";
import { Empty } from "./parts/states.tsx";
import { Frame } from "./shell/frame.tsx";
import { rememberPlace } from "./shell/last-place.ts";
import { operatorRooms, roomsOf } from "./shell/rooms.ts";

export function EnvironmentRoom() {
  const { data: me } = useSuspenseQuery(meQuery);
  const { environmentId } = useParams({ strict: false }) as { environmentId: string };
  const place = placesOf(me).find(({ environment }) => environment.id === environmentId);
  const room = useMemo((): Room | null => {
    if (place === undefined) return null;
    const base = `/e/${environmentId}`;
    return { door: environmentDoor(environmentId), key: environmentId, at: (path) => `${base}${path}`, place };
  }, [place, environmentId]);
  useLiveEvents(room);
  useEffect(() => {
    if (room !== null) rememberPlace(environmentId);
  }, [room, environmentId]);
  if (room === null || place === undefined) return <NoSuchRoom />;
  return (
    <RoomProvider value={room} key={environmentId}>
      <Frame me={me} items={roomsOf(place.environment.kind)}>
        <Outlet />
      </Frame>
    </RoomProvider>
  );
}

const operatorRoom: Room = { door: operatorDoor, key: "operator", at: (path) => `/operator${path}`, place: null };

export function OperatorRoom() {
  const { data: me } = useSuspenseQuery(meQuery);
  if (me.operator === null) return <NoSuchRoom />;
  return (
    <RoomProvider value={operatorRoom}>
      <Frame me={me} items={operatorRooms}>
        <Outlet />
      </Frame>
    </RoomProvider>
  );
}

function NoSuchRoom() {
  return (
    <main className="grid min-h-dvh place-items-center">
      <Empty title="You have no access to this page">
        The environment does not exist, or you are not on its merchant's team. Ask the operator of this server to let
        you in, or{" "}
        <a href="/console" className="text-brand underline">
          go to your own
        </a>
        .
      </Empty>
    </main>
  );
}

export function NoSuchPage() {
  return (
    <main className="grid min-h-dvh place-items-center">
      <Empty title="Page not found">
        Check the address, or{" "}
        <a href="/console" className="text-brand underline">
          begin at the start
        </a>
        .
      </Empty>
    </main>
  );
}
