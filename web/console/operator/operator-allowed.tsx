import { useSuspenseQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { meQuery } from "../api/me.ts";
import { type OperatorResource, operatorMayChange } from "./operator-may-change.ts";

interface OperatorAllowedProps {
  readonly change: OperatorResource;
  readonly children: ReactNode;
}

/** Shows what changes something to those who may. */
export function OperatorAllowed({ change, children }: OperatorAllowedProps) {
  const { data: me } = useSuspenseQuery(meQuery);
  return operatorMayChange(me.operator?.role, change) ? children : null;
}
