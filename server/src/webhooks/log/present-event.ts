import type { EnvironmentKind } from "../../platform/database/database.ts";
/** An event on the wire. A webhook's body, an item of the log and an item of the feed are the same to the byte. */

/** An event as the log keeps it. */
export interface LoggedEvent {
  readonly id: string;
  readonly event: string;
  readonly createdAt: Date;
  readonly resourceVersion: number;
  /** The record as GET showed it when this happened. */
  readonly data: Readonly<Record<string, unknown>>;
}

export function presentEvent(event: LoggedEvent, environment: EnvironmentKind) {
  return {
    id: event.id,
    event: event.event,
    created_at: event.createdAt.toISOString(),
    environment,
    resource_version: event.resourceVersion,
    data: event.data,
  };
}

export type PresentedEvent = ReturnType<typeof presentEvent>;
