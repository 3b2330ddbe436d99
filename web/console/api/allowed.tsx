import type { ReactNode } from "react";
import { mayChange, type Resource } from "./may-change.ts";
import { useRoom } from "./place.ts";

interface AllowedProps {
  readonly change: Resource;
  readonly children: ReactNode;
}

/** Shows what changes something to those who may. Operators' pages ask for themselves. */
export function Allowed({ change, children }: AllowedProps) {
  const { place } = useRoom();
  return place === null || mayChange(place.merchant.role, change) ? children : null;
}
