/** The room that the page is in: an environment of a merchant, or the operator's house. */
import { createContext, useContext } from "react";
import type { Door } from "./client.ts";
import type { Place } from "./me.ts";

export interface Room {
  readonly door: Door;
  /** Under which queries of this room are kept. */
  readonly key: string;
  /** The console's address of a page in this room. */
  at(path: string): string;
  readonly place: Place | null;
}

const RoomContext = createContext<Room | null>(null);
export const RoomProvider = RoomContext.Provider;

export function useRoom(): Room {
  const room = useContext(RoomContext);
  if (room === null) throw new Error("this page stands in no room");
  return room;
}

/** For pages that exist in an environment only. */
export function useEnvironment(): Room & { readonly place: Place } {
  const room = useRoom();
  if (room.place === null) throw new Error("this page needs an environment");
  return { ...room, place: room.place };
}
