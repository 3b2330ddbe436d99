import { type ReactNode, useMemo } from "react";
import { peopleDoor } from "./client.ts";
import { RoomProvider, useRoom } from "./place.ts";

/**
 * Inside it, what pages read and do is about people: it goes to /console/api itself, not to the environment. What is
 * read is kept beside who is signed in, so that a change shows in both.
 */
export function PeopleRoom({ children }: { readonly children: ReactNode }) {
  const room = useRoom();
  const people = useMemo(() => ({ ...room, door: peopleDoor, key: "me" }), [room]);
  return <RoomProvider value={people}>{children}</RoomProvider>;
}
